#include "sim/reuse_rows.h"

#include <string.h>

void ww_reuse_kernels_clear(ww_reuse_kernels *k)
{
    for (size_t i = 0; i < k->names.count; i++)
        free(k->names.items[i]);
    ww_vec_free(&k->names);
}

uint32_t ww_reuse_kernels_number(ww_reuse_kernels *k, const char *name)
{
    for (size_t i = 0; i < k->names.count; i++)
        if (strcmp(k->names.items[i], name) == 0)
            return (uint32_t)i;
    ww_vec_push(&k->names, ww_format("%s", name));
    return (uint32_t)(k->names.count - 1);
}

/* Of a compute unit's L1; NULL: not measured. */
static ww_reuse *reuse_of(const ww_machine *m, unsigned cu)
{
    const ww_cluster *c = ww_machine_cluster(m, cu);
    return ww_cache_reuse(c->l1d[cu - c->first_cu]);
}

void ww_reuse_rows_restart(const ww_machine *m)
{
    for (unsigned cu = 0; cu < m->cu_count; cu++)
        if (reuse_of(m, cu))
            ww_reuse_restart(reuse_of(m, cu));
}

static const ww_row_part parts[] = {
#define PART(context, first, name, text) \
    {name, "uses", "", "uses that another of the line follows after " text " of its set"},
    WW_REUSE_BUCKETS(PART, )
#undef PART
        {"never", "uses", "", "uses that no other of the line follows"},
    {"critical", "uses", "", "uses that one of a critical warp follows"},
    {"critical_lost", "critical", "", "of these, the line was not there any more"},
};

const ww_row_list ww_reuse_list = {
    .name = "reuse",
    .plot = "instructions",
    .what = "instruction",
    .drawn = "bars",
    .names = {{"", "kernel"}, {" ", "pc"}},
    .parts = parts,
    .part_count = sizeof(parts) / sizeof(parts[0]),
};

static void add_row(ww_reuse_row *sum, const ww_reuse_row *row)
{
    sum->uses += row->uses;
    sum->critical += row->critical;
    sum->critical_lost += row->critical_lost;
    for (unsigned i = 0; i < WW_REUSE_BUCKET_COUNT; i++)
        sum->buckets[i] += row->buckets[i];
}

static json_t *row_json(const char *kernel, size_t pc, const ww_reuse_row *row)
{
    uint64_t never = row->uses;
    json_t *o = json_object();
    json_object_set_new(o, "kernel", ww_json_text(kernel));
    json_object_set_new(o, "pc", json_integer((json_int_t)pc));
    json_object_set_new(o, "uses", json_integer((json_int_t)row->uses));
    for (unsigned i = 0; i < WW_REUSE_BUCKET_COUNT; i++) {
        json_object_set_new(o, parts[i].name, json_integer((json_int_t)row->buckets[i]));
        never -= row->buckets[i];
    }
    json_object_set_new(o, "never", json_integer((json_int_t)never));
    json_object_set_new(o, "critical", json_integer((json_int_t)row->critical));
    json_object_set_new(o, "critical_lost", json_integer((json_int_t)row->critical_lost));
    return o;
}

static void add_kernel(json_t *array, const ww_machine *m, uint32_t kernel, const char *name)
{
    WW_VEC(ww_reuse_row) sums = {0};
    for (unsigned cu = 0; cu < m->cu_count; cu++) {
        size_t count;
        const ww_reuse_row *rows = ww_reuse_rows(reuse_of(m, cu), kernel, &count);
        while (sums.count < count)
            ww_vec_push(&sums, (ww_reuse_row){0});
        for (size_t pc = 0; pc < count; pc++)
            add_row(&sums.items[pc], &rows[pc]);
    }
    for (size_t pc = 0; pc < sums.count; pc++)
        if (sums.items[pc].uses)
            json_array_append_new(array, row_json(name, pc, &sums.items[pc]));
    ww_vec_free(&sums);
}

json_t *ww_reuse_rows_json(const ww_machine *m, const ww_reuse_kernels *k)
{
    if (!reuse_of(m, 0))
        return NULL;
    json_t *array = json_array();
    for (size_t i = 0; i < k->names.count; i++)
        add_kernel(array, m, (uint32_t)i, k->names.items[i]);
    return array;
}
