#include "stats/stats.h"

#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

typedef struct group {
    const ww_stat_table *table;
    int part;                /* WW_ALL_PARTS: all instances */
    const ww_policy *policy; /* NULL: of a component */
    const char *prefix;      /* of the policy */
    void *sum;               /* of all instances at the last reading */
    void *mark;              /* the sum that readings start from, or NULL */
    double *weighed;         /* by statistic, or NULL */
    WW_VEC(const void *) instances;
} group;

struct ww_stats {
    const ww_config *config;
    ww_arena *arena;
    WW_VEC(group) groups;
    WW_VEC(ww_reading *) readings;
    ww_map *by_name;
};

double ww_ratio(double a, double b)
{
    return b != 0 ? a / b : 0;
}

ww_stats *ww_stats_create(const ww_config *config)
{
    ww_stats *stats = ww_calloc(1, sizeof(*stats));
    stats->config = config;
    stats->arena = ww_arena_create();
    stats->by_name = ww_map_create();
    return stats;
}

void ww_stats_destroy(ww_stats *stats)
{
    if (!stats)
        return;
    for (size_t i = 0; i < stats->groups.count; i++)
        ww_vec_free(&stats->groups.items[i].instances);
    ww_vec_free(&stats->groups);
    ww_vec_free(&stats->readings);
    ww_map_destroy(stats->by_name);
    ww_arena_destroy(stats->arena);
    free(stats);
}

/* "l2.hits", or of a part "l2[1].hits". */
static const char *name_of(ww_stats *stats, const ww_stat *stat, int part, const char *suffix)
{
    int stem = (int)strcspn(stat->name, ".");
    if (part == WW_ALL_PARTS)
        return ww_arena_printf(stats->arena, "%s%s", stat->name, suffix);
    return ww_arena_printf(stats->arena, "%.*s[%d]%s%s", stem, stat->name, part, stat->name + stem,
                           suffix);
}

static void add_reading(ww_stats *stats, const group *g, const ww_stat *stat, const char *suffix,
                        const char *what, bool whole)
{
    ww_reading *reading = ww_arena_alloc(stats->arena, 1, sizeof(*reading));
    const char *unit = strcmp(suffix, "_count") == 0 ? "" : stat->unit;
    reading->table = g->table;
    reading->part = g->part;
    reading->name = name_of(stats, stat, g->part, suffix);
    reading->unit = unit;
    reading->doc = ww_arena_printf(stats->arena, "%s%s", stat->doc, what);
    reading->whole = whole;
    ww_vec_push(&stats->readings, reading);
    if (ww_map_add(stats->by_name, reading->name, strlen(reading->name), reading))
        return;
    fprintf(stderr, "internal error: statistic %s is declared twice\n", reading->name);
    abort();
}

static void declare(ww_stats *stats, const group *g, const ww_stat *stat)
{
    if (stat->kind != WW_STAT_HISTOGRAM) {
        add_reading(stats, g, stat, "", "", stat->kind == WW_STAT_COUNTER);
        return;
    }
    add_reading(stats, g, stat, "_count", ": how many", true);
    add_reading(stats, g, stat, "_mean", ": mean", false);
    add_reading(stats, g, stat, "_p50", ": median, at most an eighth too high", true);
    add_reading(stats, g, stat, "_p99", ": 99th percentile, at most an eighth too high", true);
    add_reading(stats, g, stat, "_max", ": largest", true);
}

static group *add_group(ww_stats *stats, const ww_stat_table *table, int part)
{
    group added = {
        .table = table, .part = part, .sum = ww_arena_alloc(stats->arena, 1, table->size)};
    ww_vec_push(&stats->groups, added);
    for (size_t i = 0; i < table->count; i++)
        declare(stats, &added, &table->stats[i]);
    return &stats->groups.items[stats->groups.count - 1];
}

static group *group_of(ww_stats *stats, const ww_stat_table *table, int part)
{
    for (size_t i = 0; i < stats->groups.count; i++)
        if (stats->groups.items[i].table == table && stats->groups.items[i].part == part)
            return &stats->groups.items[i];
    return add_group(stats, table, part);
}

void ww_stats_add(ww_stats *stats, const ww_stat_table *table, const void *counters)
{
    group *g = group_of(stats, table, WW_ALL_PARTS);
    if (counters)
        ww_vec_push(&g->instances, counters);
}

void ww_stats_add_to_part(ww_stats *stats, const ww_stat_table *table, int part,
                          const void *counters)
{
    ww_stats_add(stats, table, counters);
    if (counters)
        ww_vec_push(&group_of(stats, table, part)->instances, counters);
}

/* ---- policies ---- */

static size_t end_of_field(const ww_stat *stat)
{
    return stat->kind == WW_STAT_DERIVED
               ? 0
               : stat->offset +
                     (stat->kind == WW_STAT_HISTOGRAM ? sizeof(ww_histogram) : sizeof(uint64_t));
}

static bool is_declared_alike(const ww_stats *stats, const ww_stat *stat)
{
    const ww_reading *old = ww_stats_find(stats, stat->name);
    return old && strcmp(old->doc, stat->doc) == 0 && strcmp(old->unit, stat->unit) == 0;
}

/* With full names. `alike`: without what is already declared. */
static const ww_stat_table *policy_table(ww_stats *stats, const ww_policy *policy,
                                         const char *prefix, bool alike)
{
    ww_stat *named = ww_arena_alloc(stats->arena, policy->stat_count, sizeof(*named));
    ww_stat_table *table = ww_arena_alloc(stats->arena, 1, sizeof(*table));
    *table = (ww_stat_table){.name = ww_arena_printf(stats->arena, "%s %s", prefix, policy->name),
                             .doc = policy->doc,
                             .stats = named};
    for (size_t i = 0; i < policy->stat_count; i++) {
        ww_stat *stat = &named[table->count];
        *stat = policy->stats[i];
        stat->name = ww_arena_printf(stats->arena, "%s.%s", prefix, policy->stats[i].name);
        size_t end = end_of_field(stat);
        table->size = end > table->size ? end : table->size;
        table->count += !alike || !is_declared_alike(stats, stat);
    }
    return table;
}

static group *policy_group(ww_stats *stats, const ww_policy *policy, const char *prefix, bool alike)
{
    for (size_t i = 0; i < stats->groups.count; i++) {
        group *g = &stats->groups.items[i];
        if (g->policy == policy && strcmp(g->prefix, prefix) == 0)
            return g;
    }
    group *g = add_group(stats, policy_table(stats, policy, prefix, alike), WW_ALL_PARTS);
    g->policy = policy;
    g->prefix = ww_arena_strdup(stats->arena, prefix);
    return g;
}

void ww_stats_add_policy(ww_stats *stats, const ww_policy *policy, const char *prefix,
                         const void *state)
{
    if (!policy->stat_count)
        return;
    group *g = policy_group(stats, policy, prefix, !state);
    if (state)
        ww_vec_push(&g->instances, state);
}

void ww_stats_add_policies(ww_stats *stats, const ww_policies *policies)
{
    for (size_t i = 0; i < ww_policies_count(policies); i++) {
        const ww_policy_instance *instance = ww_policies_at(policies, i);
        ww_stats_add_policy(stats, instance->policy, instance->prefix, instance->state);
    }
}

/* ---- readings ---- */

static void sum_field(const ww_stat *stat, void *sum, const void *instance)
{
    char *to = (char *)sum + stat->offset;
    const char *from = (const char *)instance + stat->offset;
    if (stat->kind == WW_STAT_COUNTER)
        *(uint64_t *)(void *)to += *(const uint64_t *)(const void *)from;
    else if (stat->kind == WW_STAT_GAUGE)
        *(double *)(void *)to += *(const double *)(const void *)from;
    else if (stat->kind == WW_STAT_HISTOGRAM)
        ww_histogram_merge((ww_histogram *)(void *)to, (const ww_histogram *)(const void *)from);
}

static void sum_instances(const group *g)
{
    memset(g->sum, 0, g->table->size);
    for (size_t i = 0; i < g->instances.count; i++)
        for (size_t s = 0; s < g->table->count; s++)
            sum_field(&g->table->stats[s], g->sum, g->instances.items[i]);
}

static void subtract_mark(const group *g)
{
    for (size_t s = 0; g->mark && s < g->table->count; s++) {
        const ww_stat *stat = &g->table->stats[s];
        char *to = (char *)g->sum + stat->offset;
        const char *from = (const char *)g->mark + stat->offset;
        if (stat->kind == WW_STAT_COUNTER)
            *(uint64_t *)(void *)to -= *(const uint64_t *)(const void *)from;
        else if (stat->kind == WW_STAT_GAUGE)
            *(double *)(void *)to -= *(const double *)(const void *)from;
    }
}

void ww_stats_mark(ww_stats *stats)
{
    for (size_t i = 0; i < stats->groups.count; i++) {
        group *g = &stats->groups.items[i];
        sum_instances(g);
        if (!g->mark)
            g->mark = ww_arena_alloc(stats->arena, 1, g->table->size);
        memcpy(g->mark, g->sum, g->table->size);
    }
}

/* ---- weights ---- */

static double number_of(const ww_stat *stat, const void *counters)
{
    const void *field = (const char *)counters + stat->offset;
    return stat->kind == WW_STAT_COUNTER ? (double)*(const uint64_t *)field
                                         : *(const double *)field;
}

static bool has_weight(const ww_stat *stat)
{
    return !stat->is_level && (stat->kind == WW_STAT_COUNTER || stat->kind == WW_STAT_GAUGE);
}

static void weigh(ww_arena *arena, group *g, double weight)
{
    sum_instances(g);
    if (!g->weighed)
        g->weighed = ww_arena_alloc(arena, g->table->count, sizeof(*g->weighed));
    for (size_t s = 0; s < g->table->count; s++)
        if (has_weight(&g->table->stats[s]))
            g->weighed[s] += weight * (number_of(&g->table->stats[s], g->sum) -
                                       number_of(&g->table->stats[s], g->mark));
}

void ww_stats_weigh(ww_stats *stats, double weight)
{
    for (size_t i = 0; i < stats->groups.count; i++)
        if (stats->groups.items[i].instances.count)
            weigh(stats->arena, &stats->groups.items[i], weight);
}

static void use_weights(const group *g)
{
    for (size_t s = 0; s < g->table->count; s++) {
        const ww_stat *stat = &g->table->stats[s];
        void *to = (char *)g->sum + stat->offset;
        if (has_weight(stat) && stat->kind == WW_STAT_COUNTER)
            *(uint64_t *)to = (uint64_t)(g->weighed[s] + 0.5);
        else if (has_weight(stat))
            *(double *)to = g->weighed[s];
    }
}

/* Fills the readings of one statistic and returns the address after them. */
static ww_reading **read_stat(const ww_stats *stats, const group *g, const ww_stat *stat,
                              ww_reading **at)
{
    const void *field = (const char *)g->sum + stat->offset;
    const ww_histogram *histogram = field;
    switch (stat->kind) {
    case WW_STAT_COUNTER: at[0]->count = *(const uint64_t *)field; return at + 1;
    case WW_STAT_GAUGE: at[0]->real = *(const double *)field; return at + 1;
    case WW_STAT_DERIVED: at[0]->real = stat->derive(g->sum, stats->config); return at + 1;
    case WW_STAT_HISTOGRAM:
        at[0]->count = histogram->count;
        at[1]->real = ww_histogram_mean(histogram);
        at[2]->count = ww_histogram_percentile(histogram, 0.50);
        at[3]->count = ww_histogram_percentile(histogram, 0.99);
        at[4]->count = histogram->max;
        return at + 5;
    }
    return at;
}

void ww_stats_read(ww_stats *stats)
{
    ww_reading **at = stats->readings.items;
    for (size_t i = 0; i < stats->groups.count; i++) {
        const group *g = &stats->groups.items[i];
        sum_instances(g);
        if (g->weighed)
            use_weights(g);
        else
            subtract_mark(g);
        for (size_t s = 0; s < g->table->count; s++)
            at = read_stat(stats, g, &g->table->stats[s], at);
    }
}

size_t ww_stats_count(const ww_stats *stats)
{
    return stats->readings.count;
}

const ww_reading *ww_stats_at(const ww_stats *stats, size_t index)
{
    return stats->readings.items[index];
}

const ww_reading *ww_stats_find(const ww_stats *stats, const char *name)
{
    return ww_map_find(stats->by_name, name);
}

/* "a + b = 12", and the sum. */
static uint64_t sum_side(const ww_stats *stats, const char *const *names, FILE *text)
{
    uint64_t sum = 0;
    for (size_t i = 0; names[i]; i++) {
        const ww_reading *reading = ww_stats_find(stats, names[i]);
        if (!reading || !reading->whole) {
            fprintf(stderr, "internal error: a law names %s, which is no counter\n", names[i]);
            abort();
        }
        sum += reading->count;
        fprintf(text, "%s%s", i ? " + " : "", names[i]);
    }
    fprintf(text, " = %" PRIu64, sum);
    return sum;
}

static int check_law(const ww_stats *stats, const ww_law *law, ww_errors *errors)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    uint64_t left = sum_side(stats, law->left, out);
    fputs(" but ", out);
    uint64_t right = sum_side(stats, law->right, out);
    fclose(out);
    int status = WW_OK;
    if (left != right)
        status =
            ww_fail(errors, WW_FAILED, WW_NOWHERE, "internal error: statistics disagree: %s", text);
    free(text);
    return status;
}

int ww_stats_check(const ww_stats *stats, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < stats->groups.count; i++) {
        const ww_stat_table *table = stats->groups.items[i].table;
        bool is_sum = stats->groups.items[i].part == WW_ALL_PARTS;
        for (size_t l = 0; is_sum && l < table->law_count; l++)
            status |= check_law(stats, &table->laws[l], errors);
    }
    return status;
}

json_t *ww_stats_json(const ww_stats *stats)
{
    json_t *object = json_object();
    for (size_t i = 0; i < stats->readings.count; i++) {
        const ww_reading *reading = stats->readings.items[i];
        json_object_set_new(object, reading->name,
                            reading->whole ? json_integer((json_int_t)reading->count)
                                           : ww_json_real(reading->real));
    }
    return object;
}
