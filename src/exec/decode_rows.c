/* Which row each register has. Registers of an entry that are not held at the same time share rows: compilers
 * give every value a register of its own, and rows that are used again stay in the host's caches.
 *
 * Lanes go different ways, but a register is held or not for each lane by itself, and writes touch active lanes only. A
 * result never shares a row with an operand of its instruction. Functions that are called keep a row for each
 * register: callers write into them. */
#include "exec/decode.h"
#include "ptx/liveness.h"

/* Rows that are shared. A register that finds no place in them has a row of its own, so that the time and memory of a
 * function that holds thousands of values do not grow with their square. */
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
    uint32_t reg; /* whose stretches are collected */
    WW_VEC(stretch) stretches;
    bool *placed; /* by register */
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

/* A row for the register whose stretches are known. */
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

/* All stretches of a register are known. */
static void place(sharing *s)
{
    if (!s->stretches.count)
        return;
    ww_row *r = &s->code->rows[s->reg];
    r->offset = (uint32_t)find_row(s, r->wide);
    s->placed[s->reg] = true;
    s->stretches.count = 0;
}

static void collect(uint32_t reg, uint32_t first, uint32_t last, void *context)
{
    sharing *s = context;
    if (s->code->function->registers[reg].type == WW_TYPE_PRED)
        return;
    if (reg != s->reg)
        place(s);
    s->reg = reg;
    /* from before the instruction that writes it: it may not overwrite an operand */
    ww_vec_push(&s->stretches, ((stretch){first & ~1u, last}));
}

/* What is never held is never written: it reads as 0, in a row of its own kind. */
static void place_others(sharing *s)
{
    ww_slot nobodys[2] = {-1, -1};
    for (uint32_t r = 0; r < s->code->function->register_count; r++) {
        ww_row *row = &s->code->rows[r];
        if (s->placed[r] || s->code->function->registers[r].type == WW_TYPE_PRED)
            continue;
        if (nobodys[row->wide] < 0)
            nobodys[row->wide] = ww_decode_new_row(s->decoder, row->wide);
        row->offset = (uint32_t)nobodys[row->wide];
    }
}

static void share_rows(ww_decoder *d, ww_code *code)
{
    const ww_function *f = code->function;
    ww_flow *flow = ww_flow_create(f);
    ww_uses *uses = ww_uses_create(flow);
    sharing s = {
        .decoder = d, .code = code, .words = (2 * (size_t)f->instruction_count + 2) / 64 + 1};
    s.placed = ww_calloc(f->register_count + 1u, sizeof(*s.placed));
    ww_live_ranges(uses, collect, &s);
    place(&s);
    place_others(&s);
    for (size_t i = 0; i < s.rows.count; i++)
        free(s.rows.items[i].taken);
    ww_vec_free(&s.rows);
    ww_vec_free(&s.stretches);
    free(s.placed);
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
