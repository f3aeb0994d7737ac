/* warpwalk list: machines, workloads, policies and so on. The table shows members of the same
 * objects that --json prints, so that the two cannot disagree. */
#include "base/fold.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/list.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 6

typedef struct topic {
    const char *name;
    json_t *(*make)(const ww_run_options *options);
    const char *columns[MOST_COLUMNS + 1]; /* members that the table shows */
    const char *brief[MOST_COLUMNS + 1];   /* those of them that it shows where it is too wide */
    const char *when_empty;
    const char *note; /* after the table; NULL: none */
} topic;

static const topic topics[] = {
    {"machines",
     ww_list_machines,
     {"name", "source", "doc"},
     {"name", "doc"},
     "there are no machines",
     NULL},
    {"workloads",
     ww_list_workloads,
     {"name", "kind", "suite", "papers", "footprint_launches", "doc"},
     {"name", "kind", "suite", "doc"},
     "there are no workloads",
     NULL},
    {"policies",
     ww_list_policies,
     {"key", "name", "storage_bits", "doc"},
     {"key", "name", "doc"},
     "there are no policies",
     NULL},
    {"studies",
     ww_list_studies,
     {"name", "doc"},
     {"name", "doc"},
     "there are no studies yet",
     NULL},
    {"keys",
     ww_list_keys,
     {"key", "value", "from", "takes", "doc"},
     {"key", "value", "doc"},
     "there are no keys",
     NULL},
    {"stats",
     ww_list_stats,
     {"name", "unit", "doc"},
     {"name", "unit", "doc"},
     "there are no statistics",
     "A machine of several clusters has each cluster's values, too: l2[1].hits is l2.hits of "
     "cluster 1."},
};
#define TOPIC_COUNT (sizeof(topics) / sizeof(topics[0]))

static const topic *find_topic(const char *name, ww_errors *errors)
{
    const char *names[TOPIC_COUNT];
    for (size_t i = 0; i < TOPIC_COUNT; i++) {
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
        names[i] = topics[i].name;
    }
    const char *near = ww_nearest(name, names, TOPIC_COUNT);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot list '%.60s' (did you mean '%s'?)", name,
                near);
    else
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                "cannot list '%.60s' (machines, workloads, policies, studies, keys or stats)",
                name);
    return NULL;
}

/* A member as a table shows it: strings as they are, all else as in JSON. */
static char *cell_text(const json_t *object, const char *member)
{
    const json_t *value = json_object_get(object, member);
    char real[WW_DOUBLE_CHARS];
    if (json_is_string(value))
        return ww_strdup(json_string_value(value));
    if (!json_is_real(value))
        return json_dumps(value, JSON_ENCODE_ANY);
    ww_double_text(json_real_value(value), real);
    return ww_strdup(real);
}

static void add_row(ww_table *table, size_t columns, const json_t *object,
                    const char *const *members)
{
    char *cells[MOST_COLUMNS];
    for (size_t c = 0; c < columns; c++)
        cells[c] = cell_text(object, members[c]);
    ww_table_add(table, (const char *const *)cells);
    for (size_t c = 0; c < columns; c++)
        free(cells[c]);
}

static ww_table *make_table(const char *const *members, const json_t *array)
{
    size_t columns = 0;
    while (members[columns])
        columns++;
    ww_table *table = ww_table_create(columns);
    ww_table_add(table, members);
    for (size_t i = 0; i < json_array_size(array); i++)
        add_row(table, columns, json_array_get(array, i), members);
    return table;
}

static void write_table(const topic *t, const json_t *array, size_t width, FILE *out)
{
    ww_table *table = make_table(t->columns, array);
    if (ww_table_width(table) > width) {
        ww_table_destroy(table);
        table = make_table(t->brief, array);
    }
    ww_table_write(table, width, out);
    ww_table_destroy(table);
    if (!t->note)
        return;
    ww_fold_write(t->note, 0, 0, width, out);
    fputc('\n', out);
}

static const ww_option option_json = {0, "json", NULL, "print a JSON array instead of a table",
                                      false};

static int run(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    const topic *t = find_topic(arguments->words[0], errors);
    if (!t)
        return WW_BAD_INPUT;
    int status = ww_run_options_read(arguments, WW_DEFAULT_MACHINE, &options, errors);
    if (!status) {
        json_t *array = t->make(&options);
        if (ww_arguments_has(arguments, &option_json))
            ww_json_write(array, stdout);
        else if (json_array_size(array) == 0)
            puts(t->when_empty);
        else
            write_table(t, array, options.width, stdout);
        json_decref(array);
    }
    ww_run_options_clear(&options);
    return status;
}

static const ww_option *const options_of_list[] = {&ww_option_machine, &ww_option_set, &option_json,
                                                   &ww_option_wide, NULL};

extern const ww_command ww_command_list;
const ww_command ww_command_list = {
    .name = "list",
    .doc = "show machines, workloads, policies, studies, configuration keys or statistics",
    .usage = "machines|workloads|policies|studies|keys|stats [options]",
    .options = options_of_list,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "machines, workloads, policies, studies, keys or stats",
    .help = "Keys are shown with the value they have on the machine (-m) after your settings "
            "(-s). --wide adds where that value comes from and what a key takes; of workloads "
            "their papers and sizes; of policies the storage they would cost in hardware, in "
            "bits.",
    .examples =
        (const ww_example[]){
            {"warpwalk list workloads", "what can be run?"},
            {"warpwalk list machines", "on what?"},
            {"warpwalk list keys -m v100", "what can be changed, and what is it there?"},
            {"warpwalk list keys -m machines/simt64.yaml -s core.warp_width=16 --wide",
             "where does each value come from?"},
            {"warpwalk list stats --json", "for scripts"},
            {NULL, NULL}},
    .run = run,
};
