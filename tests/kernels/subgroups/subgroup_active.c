#include "fold.h"

typedef void fold_fn(const lanes *l, uint64_t members, int64_t *result);

static void active_item(const lanes *l, fold_fn *fold, unsigned operations, int64_t *want)
{
    int64_t all[WHOLE_OPERATIONS], with[WHOLE_OPERATIONS], before[WHOLE_OPERATIONS];
    int64_t cluster[WHOLE_OPERATIONS];
    fold(l, l->active, all);
    fold(l, l->active & lanes_below(l->lane + 1), with);
    fold(l, l->active & lanes_below(l->lane), before);
    fold(l, l->active & 15ull << (l->lane & ~3u), cluster);
    for (unsigned k = 0; k < operations; k++) {
        *want++ = all[k];
        *want++ = with[k];
        *want++ = before[k];
        *want++ = cluster[k];
    }
}

static void active_type(reference *r, const char *name, fold_fn *fold, unsigned operations)
{
    const int32_t *seeds = reference_input(r, "in");
    int64_t *want = reference_wanted(r, name);
    for (size_t i = 0; i < 300; i++) {
        lanes l = lanes_of(seeds, i, 100, reference_width(r), 6);
        if (l.active >> l.lane & 1)
            active_item(&l, fold, operations, want + i * 28);
    }
}

REFERENCE(subgroup_active)
{
#define WHOLE(name, type, least, most) active_type(r, #name, fold_##name, WHOLE_OPERATIONS);
    WHOLE_TYPES(WHOLE)
#define REAL(name, type, least, most) active_type(r, #name, fold_##name, REAL_OPERATIONS);
    REAL_TYPES(REAL)
}
