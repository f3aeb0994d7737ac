/* Numbers over the time of a run: `series` of its result, equal bins of the time.
 *
 * share   the part of a bin's time in which something holds
 * count   events in a bin; reports show them as a rate
 * level   what there is at a bin's end
 * mean    over a bin */
#ifndef WW_SIM_SERIES_H
#define WW_SIM_SERIES_H

#include <stddef.h>

typedef enum ww_series_kind {
    WW_SERIES_SHARE,
    WW_SERIES_COUNT,
    WW_SERIES_LEVEL,
    WW_SERIES_MEAN,
    WW_SERIES_KINDS
} ww_series_kind;

typedef struct ww_series {
    const char *name; /* in the result */
    ww_series_kind kind;
    const char *unit; /* as reports show it; "": none */
    const char *doc;
} ww_series;

/* Every series that a result may have. */
extern const ww_series ww_all_series[];
extern const size_t ww_series_count;

#endif
