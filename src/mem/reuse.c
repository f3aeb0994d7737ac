#include "mem/reuse.h"

#include "base/memory.h"
#include "base/number_map.h"

#define NONE UINT32_MAX

/* A line that is followed; the least recently used one is forgotten first. */
typedef struct followed {
    uint64_t line;
    uint64_t used; /* its set's count of uses at its last use */
    uint32_t kernel;
    uint16_t pc;           /* of that use */
    uint32_t older, newer; /* entries in the order of use, or NONE */
} followed;

typedef struct rows {
    WW_VEC(ww_reuse_row) of_pc;
} rows;

struct ww_reuse {
    ww_reuse_counters counters;
    uint64_t *uses;        /* by set */
    ww_number_map entries; /* by line */
    WW_VEC(followed) lines;
    uint32_t oldest, newest;
    uint32_t kernel;
    WW_VEC(rows) kernels;
};

ww_reuse *ww_reuse_create(uint32_t sets)
{
    ww_reuse *r = ww_calloc(1, sizeof(*r));
    r->uses = ww_calloc(sets, sizeof(*r->uses));
    r->oldest = r->newest = NONE;
    ww_reuse_begin_kernel(r, 0);
    return r;
}

void ww_reuse_destroy(ww_reuse *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->kernels.count; i++)
        ww_vec_free(&r->kernels.items[i].of_pc);
    ww_vec_free(&r->kernels);
    ww_vec_free(&r->lines);
    ww_number_map_clear(&r->entries);
    free(r->uses);
    free(r);
}

void ww_reuse_clear(ww_reuse *r)
{
    ww_number_map_clear(&r->entries);
    r->lines.count = 0;
    r->oldest = r->newest = NONE;
}

const ww_reuse_counters *ww_reuse_count(const ww_reuse *r)
{
    return &r->counters;
}

/* ---- rows ---- */

void ww_reuse_begin_kernel(ww_reuse *r, uint32_t kernel)
{
    while (r->kernels.count <= kernel)
        ww_vec_push(&r->kernels, (rows){0});
    r->kernel = kernel;
}

void ww_reuse_restart(ww_reuse *r)
{
    ww_reuse_clear(r);
    for (size_t i = 0; i < r->kernels.count; i++)
        r->kernels.items[i].of_pc.count = 0;
}

const ww_reuse_row *ww_reuse_rows(const ww_reuse *r, uint32_t kernel, size_t *count)
{
    bool is_known = kernel < r->kernels.count;
    *count = is_known ? r->kernels.items[kernel].of_pc.count : 0;
    return is_known ? r->kernels.items[kernel].of_pc.items : NULL;
}

static ww_reuse_row *row_of(ww_reuse *r, uint32_t kernel, uint16_t pc)
{
    rows *all = &r->kernels.items[kernel];
    while (all->of_pc.count <= pc)
        ww_vec_push(&all->of_pc, (ww_reuse_row){0});
    return &all->of_pc.items[pc];
}

/* ---- lines in the order of use ---- */

static void unlink_entry(ww_reuse *r, const followed *f)
{
    if (f->older == NONE)
        r->oldest = f->newer;
    else
        r->lines.items[f->older].newer = f->newer;
    if (f->newer == NONE)
        r->newest = f->older;
    else
        r->lines.items[f->newer].older = f->older;
}

static void link_newest(ww_reuse *r, uint32_t entry)
{
    followed *f = &r->lines.items[entry];
    f->older = r->newest;
    f->newer = NONE;
    if (r->newest == NONE)
        r->oldest = entry;
    else
        r->lines.items[r->newest].newer = entry;
    r->newest = entry;
}

/* An entry for a line that has none, that of the oldest one when all are used. */
static uint32_t allocate(ww_reuse *r, uint64_t line)
{
    uint32_t entry = (uint32_t)r->lines.count;
    if (r->lines.count < WW_REUSE_LINES) {
        ww_vec_push(&r->lines, (followed){0});
    } else {
        entry = r->oldest;
        ww_number_map_remove(&r->entries, r->lines.items[entry].line);
        unlink_entry(r, &r->lines.items[entry]);
    }
    r->lines.items[entry].line = line;
    ww_number_map_set(&r->entries, line, entry);
    return entry;
}

/* ---- uses ---- */

static unsigned bucket_of(uint64_t distance)
{
    static const uint8_t firsts[] = {
#define FIRST(context, first, name, text) first,
        WW_REUSE_BUCKETS(FIRST, )
#undef FIRST
    };
    unsigned bucket = WW_REUSE_BUCKET_COUNT - 1;
    while (distance < firsts[bucket])
        bucket--;
    return bucket;
}

static void count_in(ww_reuse_row *row, const ww_line_use *use, unsigned bucket)
{
    row->buckets[bucket]++;
    row->critical += use->critical;
    row->critical_lost += use->critical && !use->is_here;
}

static void count(ww_reuse *r, const followed *before, const ww_line_use *use, uint64_t distance)
{
    unsigned bucket = bucket_of(distance);
    count_in(&r->counters.all, use, bucket);
    count_in(row_of(r, before->kernel, before->pc), use, bucket);
    ww_histogram_add(&r->counters.distances, distance);
    r->counters.critical[bucket] += use->critical;
}

void ww_reuse_add(ww_reuse *r, const ww_line_use *use)
{
    uint64_t now = ++r->uses[use->set];
    uint64_t found = ww_number_map_get(&r->entries, use->line);
    uint32_t entry = (uint32_t)found;
    if (found == WW_NO_NUMBER) {
        entry = allocate(r, use->line);
    } else {
        const followed *before = &r->lines.items[entry];
        count(r, before, use, now - before->used - 1);
        unlink_entry(r, before);
    }
    followed *f = &r->lines.items[entry];
    f->used = now;
    f->kernel = r->kernel;
    f->pc = use->pc;
    link_newest(r, entry);
    r->counters.all.uses++;
    row_of(r, r->kernel, use->pc)->uses++;
}
