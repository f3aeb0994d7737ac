/* Assigns rows to registers. Registers of an entry that are not held at the same time share a row:
 * compilers give every value its own register, and reused rows stay in the host's caches.
 * Divergence is no obstacle: writes touch active lanes only, and each lane follows one path. A
 * result never shares a row with an operand of its instruction. Functions that are called have a
 * row for each register, because callers write into them. */
#include "exec/decode.h"
#include "ptx/liveness.h"

/* The most rows that are shared. A register that fits in none of them has a row of its own, so that
 * time and memory do not grow with the square of the values that a function holds. */
#define MOST_SHARED 512

typedef struct shared_row {
    ww_slot slot;
    bool wide;
    uint64_t *taken; /* a bit for each point of the function (liveness.h) */
} shared_row;

typedef struct stretch {
    uint32_t first, last; /* points */
} stretch;

typedef struct sharing {
    ww_decoder *decoder;
    ww_code *code;
    size_t words; /* of a row's bits */
    WW_VEC(shared_row) rows;
    uint32_t reg; /* the register that `stretches` belong to */
    WW_VEC(stretch) stretches;
    bool *assigned; /* by register */
} sharing;

static uint64_t part_of(stretch s, size_t word)
{
    uint64_t mask = ~0ull;
    if (word == s.first / 64)
        mask &= ~0ull << s.first % 64;
    if (word == s.last / 64)
        mask &= ~0ull >> (63 - s.last % 64);
    return mask;
}

static bool is_free(const shared_row *row, const sharing *s)
{
    for (size_t i = 0; i < s->stretches.count; i++) {
        stretch it = s->stretches.items[i];
        for (size_t word = it.first / 64; word <= it.last / 64; word++)
            if (row->taken[word] & part_of(it, word))
                return false;
    }
    return true;
}

static void take(shared_row *row, const sharing *s)
{
    for (size_t i = 0; i < s->stretches.count; i++) {
        stretch it = s->stretches.items[i];
        for (size_t word = it.first / 64; word <= it.last / 64; word++)
            row->taken[word] |= part_of(it, word);
    }
}

/* A row that is free over all collected stretches. */
static ww_slot find_row(sharing *s, bool wide)
{
    for (size_t i = 0; i < s->rows.count; i++)
        if (s->rows.items[i].wide == wide && is_free(&s->rows.items[i], s)) {
            take(&s->rows.items[i], s);
            return s->rows.items[i].slot;
        }
    ww_slot slot = ww_decode_new_row(s->decoder, wide);
    if (s->rows.count < MOST_SHARED) {
        shared_row row = {slot, wide, ww_calloc(s->words, sizeof(uint64_t))};
        take(&row, s);
        ww_vec_push(&s->rows, row);
    }
    return slot;
}

/* Assigns a row to the register once all its stretches are collected. */
static void assign_row(sharing *s)
{
    if (!s->stretches.count)
        return;
    ww_row *r = &s->code->rows[s->reg];
    r->offset = (uint32_t)find_row(s, r->wide);
    s->assigned[s->reg] = true;
    s->stretches.count = 0;
}

static void collect(uint32_t reg, uint32_t first, uint32_t last, void *context)
{
    sharing *s = context;
    if (s->code->function->registers[reg].type == WW_TYPE_PRED)
        return;
    if (reg != s->reg)
        assign_row(s);
    s->reg = reg;
    /* It starts before the writing instruction: the result must not overwrite an operand. */
    ww_vec_push(&s->stretches, ((stretch){first & ~1u, last}));
}

/* Registers that are never held are never written and read as 0: one row for each width. */
static void assign_unused(sharing *s)
{
    ww_slot unused[2] = {-1, -1};
    for (uint32_t r = 0; r < s->code->function->register_count; r++) {
        ww_row *row = &s->code->rows[r];
        if (s->assigned[r] || s->code->function->registers[r].type == WW_TYPE_PRED)
            continue;
        if (unused[row->wide] < 0)
            unused[row->wide] = ww_decode_new_row(s->decoder, row->wide);
        row->offset = (uint32_t)unused[row->wide];
    }
}

static void share_rows(ww_decoder *d, ww_code *code)
{
    const ww_function *f = code->function;
    ww_flow *flow = ww_flow_create(f);
    ww_uses *uses = ww_uses_create(flow);
    sharing s = {
        .decoder = d, .code = code, .words = (2 * (size_t)f->instruction_count + 2) / 64 + 1};
    s.assigned = ww_calloc(f->register_count + 1u, sizeof(*s.assigned));
    ww_live_ranges(uses, collect, &s);
    assign_row(&s);
    assign_unused(&s);
    for (size_t i = 0; i < s.rows.count; i++)
        free(s.rows.items[i].taken);
    ww_vec_free(&s.rows);
    ww_vec_free(&s.stretches);
    free(s.assigned);
    ww_uses_destroy(uses);
    ww_flow_destroy(flow);
}

void ww_decode_rows(ww_decoder *d, ww_code *code)
{
    const ww_function *f = code->function;
    code->rows = ww_calloc(f->register_count, sizeof(ww_row));
    for (uint32_t r = 0; r < f->register_count; r++) {
        ww_row *row = &code->rows[r];
        row->wide = ww_type_bits((ww_type)f->registers[r].type) == 64;
        if (f->registers[r].type == WW_TYPE_PRED)
            row->offset = d->kernel->predicate_count++;
        else if (!f->is_entry)
            row->offset = (uint32_t)ww_decode_new_row(d, row->wide);
    }
    if (f->is_entry)
        share_rows(d, code);
}
