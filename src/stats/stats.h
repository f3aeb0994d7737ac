/* Statistics: declared once with unit and doc, read from the counters that components keep.
 *
 * counters   a component's plain struct of uint64_t, double and ww_histogram fields
 * table      the statistics of one component: a name, unit and doc for each field, derived ones
 *            computed from them, and the conservation laws that tie them together
 * stats      the tables of one simulation with the counters they read. When a component has many
 *            instances (an L1 in each compute unit), their counters are summed.
 * part       of a machine: its instances have a sum of their own beside that of all instances,
 *            in readings with its number ("l2[1].hits" beside "l2.hits")
 * reading    one statistic's value at the last ww_stats_read
 * law        two sums of counters that are equal in every correct run */
#ifndef WW_STATS_STATS_H
#define WW_STATS_STATS_H

#include "base/error.h"
#include "config/config.h"
#include "stats/histogram.h"

#include <jansson.h>

typedef enum ww_stat_kind {
    WW_STAT_COUNTER,   /* a uint64_t */
    WW_STAT_GAUGE,     /* a double; instances are summed */
    WW_STAT_HISTOGRAM, /* a ww_histogram: NAME_count, NAME_mean, NAME_p50, NAME_p99, NAME_max */
    WW_STAT_DERIVED    /* a double, from the table's summed counters */
} ww_stat_kind;

typedef struct ww_stat {
    const char *name; /* dotted */
    const char *unit; /* plural; "" for a ratio */
    const char *doc;  /* one line */
    ww_stat_kind kind;
    size_t offset; /* of the field in the counters */
    double (*derive)(const void *counters, const ww_config *config); /* WW_STAT_DERIVED */
    bool is_level; /* what there is at the end, not a sum over time */
} ww_stat;

typedef struct ww_law {
    const char *const *left; /* names of counters, ended by NULL */
    const char *const *right;
} ww_law;

typedef struct ww_stat_table {
    const char *name; /* the component: a heading */
    const char *doc;
    const ww_stat *stats;
    size_t count;
    size_t size; /* of the counters' struct */
    const ww_law *laws;
    size_t law_count;
} ww_stat_table;

#define WW_ALL_PARTS (-1)

typedef struct ww_reading {
    const ww_stat_table *table;
    const char *name;
    const char *unit;
    const char *doc;
    int part;   /* WW_ALL_PARTS: none */
    bool whole; /* `count` holds the value, else `real` does */
    uint64_t count;
    double real;
} ww_reading;

typedef struct ww_stats ww_stats;

/* The configuration is for derived statistics and outlives the stats. */
ww_stats *ww_stats_create(const ww_config *config);
void ww_stats_destroy(ww_stats *stats);
/* Tables appear in the order of their first instance. NULL counters only declare the table. */
void ww_stats_add(ww_stats *stats, const ww_stat_table *table, const void *counters);
/* Likewise an instance of part `part`, from 0. Readings of parts come after the tables before
 * them. */
void ww_stats_add_to_part(ww_stats *stats, const ww_stat_table *table, int part,
                          const void *counters);

/* A policy's statistics, under "PREFIX.", from its state. NULL only declares them; those that
 * another policy of the prefix declares alike are declared once. */
void ww_stats_add_policy(ww_stats *stats, const ww_policy *policy, const char *prefix,
                         const void *state);
/* Those of all instances. */
void ww_stats_add_policies(ww_stats *stats, const ww_policies *policies);

/* Later readings count from here. Histograms keep what they had. */
void ww_stats_mark(ww_stats *stats);

/* What was counted since the last mark counts `weight` times in later readings, beside what was
 * weighed before; what is never weighed does not count. Levels and histograms have no weights, nor
 * have tables whose first instance comes later. */
void ww_stats_weigh(ww_stats *stats, double weight);

/* Reads the counters as they are now. The functions below return this reading. */
void ww_stats_read(ww_stats *stats);
size_t ww_stats_count(const ww_stats *stats);
const ww_reading *ww_stats_at(const ww_stats *stats, size_t index);
const ww_reading *ww_stats_find(const ww_stats *stats, const char *name); /* NULL: no such */

/* WW_FAILED with a line for each law that does not hold: a bug of the simulator. */
int ww_stats_check(const ww_stats *stats, ww_errors *errors);

/* One flat object from names to numbers. */
json_t *ww_stats_json(const ww_stats *stats);
/* For people: grouped, with thousands separators, units and docs, in lines of this width. */
void ww_stats_write(const ww_stats *stats, size_t width, FILE *out);

/* a / b, and 0 when b is 0. */
double ww_ratio(double a, double b);

#endif
