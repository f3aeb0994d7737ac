/* An entry and all it can call, decoded into one array of micro-ops. */
#include "exec/compute.h"
#include "exec/decode.h"

#include "ptx/flow.h"

#include <string.h>

/* Stack of a lane for a kernel with recursion, in addition to the frames of one chain of calls. */
#define RECURSION_BYTES (64u * 1024)
#define MOST_LOCAL_BYTES (1u << 26)
#define FRAME_ALIGN 16u
#define MOST_FUNCTIONS 2000u /* that one kernel can reach */

static void add_reachable(ww_decoder *d, const ww_function *f)
{
    ww_kernel *k = d->kernel;
    if (!f->has_body || k->code_of[f->index] != UINT16_MAX)
        return;
    k->code_of[f->index] = (uint16_t)k->code_count;
    k->codes[k->code_count].function = f;
    k->codes[k->code_count].local_bytes =
        (uint32_t)((f->local_bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN);
    k->code_count++;
}

static void add_address_taken(ww_decoder *d)
{
    const ww_module *m = d->module;
    for (uint32_t v = 0; v < m->variable_count; v++)
        for (size_t r = 0; r < m->variables[v]->relocation_count; r++)
            if (m->variables[v]->relocations[r].function)
                add_reachable(d, m->variables[v]->relocations[r].function);
    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t n = 0; n < m->functions[f]->instruction_count; n++) {
            const ww_instruction *i = &m->functions[f]->instructions[n];
            for (unsigned o = 0; o < i->operand_count; o++)
                if (i->operands[o].kind == WW_OPERAND_ADDRESS && i->operands[o].function)
                    add_reachable(d, i->operands[o].function);
        }
}

static void find_functions(ww_decoder *d)
{
    add_reachable(d, d->kernel->entry);
    for (uint32_t c = 0; c < d->kernel->code_count && c < MOST_FUNCTIONS; c++) {
        const ww_function *f = d->kernel->codes[c].function;
        for (uint32_t n = 0; n < f->instruction_count; n++) {
            const ww_call *call = f->instructions[n].call;
            if (call && call->target.kind == WW_OPERAND_FUNCTION)
                add_reachable(d, call->target.function);
            else if (call)
                add_address_taken(d);
        }
    }
}

/* Whether code `from` calls code `to`; an indirect call may reach any function but the entry. */
static bool calls(const ww_kernel *k, uint32_t from, uint32_t to)
{
    const ww_function *f = k->codes[from].function;
    for (uint32_t n = 0; n < f->instruction_count; n++) {
        const ww_call *call = f->instructions[n].call;
        if (call && (call->target.kind == WW_OPERAND_REGISTER
                         ? to != 0
                         : call->target.function == k->codes[to].function))
            return true;
    }
    return false;
}

typedef struct call_graph {
    bool *edge;      /* [from * count + to] */
    uint64_t *depth; /* bytes of the longest chain from each, without recursion */
    uint8_t *state;  /* 0 new, 1 on the path, 2 done */
} call_graph;

static uint64_t longest_chain(ww_kernel *k, call_graph *g, uint32_t from)
{
    uint64_t longest = 0;
    if (g->state[from] == 1)
        return 0;
    if (g->state[from] == 2)
        return g->depth[from];
    g->state[from] = 1;
    for (uint32_t to = 0; to < k->code_count; to++)
        if (g->edge[from * k->code_count + to]) {
            uint64_t below = longest_chain(k, g, to);
            longest = below > longest ? below : longest;
        }
    g->state[from] = 2;
    return g->depth[from] = longest + k->codes[from].local_bytes;
}

static void close_transitively(bool *edge, uint32_t count)
{
    for (uint32_t via = 0; via < count; via++)
        for (uint32_t from = 0; from < count; from++)
            for (uint32_t to = 0; edge[from * count + via] && to < count; to++)
                edge[from * count + to] |= edge[via * count + to];
}

static void lay_out_local(ww_kernel *k)
{
    uint32_t n = k->code_count;
    call_graph g = {ww_calloc((size_t)n * n, 1), ww_calloc(n, sizeof(uint64_t)), ww_calloc(n, 1)};
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++)
            g.edge[from * n + to] = calls(k, from, to);
    k->local_bytes = longest_chain(k, &g, 0);
    close_transitively(g.edge, n);
    bool recursion = false;
    for (uint32_t c = 0; c < n; c++)
        recursion |= k->codes[c].recursive = g.edge[c * n + c];
    if (recursion)
        k->local_bytes += RECURSION_BYTES;
    free(g.edge);
    free(g.depth);
    free(g.state);
}

static void add_shared(ww_decoder *d, const ww_variable *v)
{
    for (size_t i = 0; i < d->shared.count; i++)
        if (d->shared.items[i].variable == v)
            return;
    ww_kernel *k = d->kernel;
    ww_shared_offset entry = {v, 0};
    if (!v->external && v->size) {
        entry.offset = (k->static_shared + v->align - 1) / v->align * v->align;
        k->static_shared = entry.offset + v->size;
    }
    ww_vec_push(&d->shared, entry);
}

static void add_shared_operand(ww_decoder *d, const ww_operand *o)
{
    if (o->variable && o->variable->space == WW_SPACE_SHARED)
        add_shared(d, o->variable);
}

/* Allocates static variables in order of first use, then the dynamic part. */
static void lay_out_shared(ww_decoder *d)
{
    for (uint32_t c = 0; c < d->kernel->code_count; c++) {
        const ww_function *f = d->kernel->codes[c].function;
        for (uint32_t n = 0; n < f->instruction_count; n++)
            for (unsigned o = 0; o < f->instructions[n].operand_count; o++)
                add_shared_operand(d, &f->instructions[n].operands[o]);
    }
    d->kernel->dynamic_shared_offset = (d->kernel->static_shared + 15) / 16 * 16;
    for (size_t i = 0; i < d->shared.count; i++) {
        const ww_variable *v = d->shared.items[i].variable;
        if (v->external || !v->size)
            d->shared.items[i].offset = d->kernel->dynamic_shared_offset;
    }
}

static bool decode_instruction(ww_decoder *d, ww_uop *u)
{
    switch (d->instruction->form.op) {
    case WW_OP_MOV:
    case WW_OP_CVTA:
    case WW_OP_ISSPACEP: return ww_decode_move(d, u);
    case WW_OP_LD:
    case WW_OP_LDU:
    case WW_OP_ST:
    case WW_OP_ATOM:
    case WW_OP_RED:
    case WW_OP_PREFETCH:
    case WW_OP_PREFETCHU:
    case WW_OP_DISCARD:
    case WW_OP_CP_ASYNC: return ww_decode_memory(d, u);
    case WW_OP_BRA:
    case WW_OP_BRX:
    case WW_OP_CALL:
    case WW_OP_RET:
    case WW_OP_EXIT:
    case WW_OP_TRAP: return ww_decode_control(d, u);
    case WW_OP_MEMBAR:
    case WW_OP_FENCE:
    case WW_OP_BAR:
    case WW_OP_BARRIER:
    case WW_OP_SHFL:
    case WW_OP_VOTE:
    case WW_OP_MATCH:
    case WW_OP_ACTIVEMASK:
    case WW_OP_REDUX:
    case WW_OP_ELECT: return ww_decode_across(d, u);
    case WW_OP_NANOSLEEP:
    case WW_OP_PMEVENT:
    case WW_OP_BRKPT:
        u->kind = WW_UOP_NOTHING;
        u->category = WW_CATEGORY_SYNCHRONISATION;
        return true;
    default: return ww_decode_arithmetic(d, u);
    }
}

/* Writes to each register, in the order of the text. */
typedef struct ww_writes {
    uint32_t block; /* of the current instruction, + 1 */
    uint32_t *count;
    uint32_t *last; /* block + 1 */
} ww_writes;

static void count_write(int32_t reg, void *context)
{
    ((ww_writes *)context)->count[reg]++;
}

static void note_write(int32_t reg, void *context)
{
    ((ww_writes *)context)->last[reg] = ((ww_writes *)context)->block;
}

/* Marks stores of values that several instructions write, none of them in the store's block: the
 * compiler may have merged a store before an early return with such a store (barrier.c). */
static void mark_merged_stores(ww_decoder *d, const ww_code *code, const ww_flow *flow)
{
    const ww_function *f = code->function;
    ww_writes writes = {0, ww_calloc(f->register_count, 4), ww_calloc(f->register_count, 4)};
    for (uint32_t n = 0; n < f->instruction_count; n++)
        ww_instruction_writes(&f->instructions[n], count_write, &writes);
    for (uint32_t n = 0; n < f->instruction_count; n++) {
        const ww_instruction *i = &f->instructions[n];
        writes.block = flow->block_of[n] + 1;
        if (i->form.op == WW_OP_ST && i->operands[1].kind == WW_OPERAND_REGISTER &&
            writes.count[i->operands[1].reg] > 1 && writes.last[i->operands[1].reg] != writes.block)
            d->uops.items[code->first + n].flags |= WW_UOP_MERGED;
        ww_instruction_writes(i, note_write, &writes);
    }
    free(writes.count);
    free(writes.last);
}

static void decode_function(ww_decoder *d, ww_code *code)
{
    const ww_function *f = code->function;
    ww_flow *flow = ww_flow_create(f);
    d->code = code;
    for (uint32_t n = 0; n < f->instruction_count; n++) {
        const ww_instruction *i = d->instruction = &f->instructions[n];
        ww_uop u = {.guard = WW_PREDICATE_ALWAYS, .reconverge = WW_NO_PC};
        if (i->guard >= 0) {
            u.guard = (uint16_t)code->rows[i->guard].offset;
            u.guard_negated = i->guard_negated;
        }
        decode_instruction(d, &u);
        if (u.kind == WW_UOP_BRANCH || u.kind == WW_UOP_BRANCH_INDEX) {
            uint32_t at = ww_flow_reconvergence(flow, n);
            u.reconverge = at == WW_NO_RECONVERGENCE ? WW_NO_PC : code->first + at;
        }
        ww_vec_push(&d->uops, u);
        ww_vec_push(&d->instructions, i);
    }
    d->instruction = NULL;
    mark_merged_stores(d, code, flow);
    ww_flow_destroy(flow);
    ww_uop end = {.guard = WW_PREDICATE_ALWAYS,
                  .reconverge = WW_NO_PC,
                  .category = WW_CATEGORY_CONTROL,
                  .kind = f->is_entry ? WW_UOP_EXIT : WW_UOP_RETURN};
    ww_vec_push(&d->uops, end);
    ww_vec_push(&d->instructions, NULL);
}

/* Fills the rows of values known now; each launch fills the rows that depend on it. */
static void fill_constants(ww_decoder *d)
{
    ww_kernel *k = d->kernel;
    unsigned lanes = d->blocks * 16;
    k->constant_rows = ww_calloc_rows(d->constant_bytes);
    for (uint32_t c = 0; c < k->constant_count; c++) {
        const ww_constant *constant = &k->constants[c];
        uint8_t *row = k->constant_rows + constant->offset;
        for (unsigned lane = 0; lane < lanes; lane++)
            if (constant->source != WW_CONSTANT_VALUE)
                break;
            else if (constant->wide)
                ((uint64_t *)(void *)row)[lane] = constant->bits;
            else
                ((uint32_t *)(void *)row)[lane] = (uint32_t)constant->bits;
    }
}

static void check_limits(ww_decoder *d)
{
    ww_kernel *k = d->kernel;
    if (k->predicate_count > UINT16_MAX)
        ww_decode_error(d, "'%s' has more than %d predicates", k->entry->name, UINT16_MAX);
    if (k->local_bytes > MOST_LOCAL_BYTES)
        ww_decode_error(d, "'%s' needs %llu bytes of local memory a lane (at most %u)",
                        k->entry->name, (unsigned long long)k->local_bytes, MOST_LOCAL_BYTES);
    if (k->register_bytes > (1u << 30) || d->constant_bytes > (1u << 30))
        ww_decode_error(d, "'%s' has too many registers", k->entry->name);
}

/* What is known when all functions are decoded. */
static void finish_uop(const ww_kernel *k, ww_uop *u)
{
    if (u->kind == WW_UOP_CALL)
        u->target = k->codes[u->imm].first;
    if (ww_uop_only_computes(u))
        u->flags |= WW_UOP_ONLY_COMPUTES;
}

static void decode_all(ww_decoder *d)
{
    ww_kernel *k = d->kernel;
    find_functions(d);
    if (k->code_count > MOST_FUNCTIONS) {
        ww_decode_error(d, "'%s' can call more than %u functions", k->entry->name, MOST_FUNCTIONS);
        return;
    }
    lay_out_local(k);
    lay_out_shared(d);
    uint32_t first = 0;
    for (uint32_t c = 0; c < k->code_count; c++) {
        k->codes[c].first = first;
        k->codes[c].count = k->codes[c].function->instruction_count + 1;
        first += k->codes[c].count;
        ww_decode_rows(d, &k->codes[c]);
    }
    k->value_bytes = k->register_bytes;
    check_limits(d);
    if (ww_errors_count(d->errors))
        return;
    for (uint32_t c = 0; c < k->code_count; c++)
        decode_function(d, &k->codes[c]);
    for (size_t u = 0; u < d->uops.count; u++)
        finish_uop(k, &d->uops.items[u]);
    check_limits(d);
}

ww_kernel *ww_kernel_create(const ww_function *entry, ww_lane_level level, unsigned blocks,
                            bool loads_arguments, ww_address_of *address_of, const void *context,
                            ww_errors *errors)
{
    ww_kernel *k = ww_calloc(1, sizeof(*k));
    ww_decoder d = {.kernel = k,
                    .module = entry->module,
                    .level = level,
                    .blocks = blocks,
                    .loads_arguments = loads_arguments,
                    .address_of = address_of,
                    .context = context,
                    .errors = ww_errors_create(),
                    .sink = {-1, -1}};
    k->entry = entry;
    k->predicate_count = WW_PREDICATE_FIRST;
    k->codes = ww_calloc(entry->module->function_count, sizeof(ww_code));
    k->code_of = ww_calloc(entry->module->function_count, sizeof(uint16_t));
    memset(k->code_of, 0xff, entry->module->function_count * sizeof(uint16_t));
    for (unsigned s = 0; s < WW_SPECIAL_COUNT; s++)
        k->special_slots[s] = -1;
    decode_all(&d);
    k->uops = d.uops.items;
    k->uop_count = (uint32_t)d.uops.count;
    k->instructions = d.instructions.items;
    k->lists = d.lists.items;
    k->targets = d.targets.items;
    k->constants = d.constants.items;
    k->constant_count = (uint32_t)d.constants.count;
    ww_vec_free(&d.shared);
    bool failed = ww_errors_count(d.errors) > 0;
    for (size_t i = 0; i < ww_errors_count(d.errors); i++)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s", ww_errors_line(d.errors, i));
    ww_errors_destroy(d.errors);
    if (!failed) {
        fill_constants(&d);
        return k;
    }
    ww_kernel_destroy(k);
    return NULL;
}

void ww_kernel_destroy(ww_kernel *k)
{
    if (!k)
        return;
    for (uint32_t c = 0; c < k->code_count; c++)
        free(k->codes[c].rows);
    free(k->codes);
    free(k->code_of);
    free(k->uops);
    free((void *)k->instructions);
    free(k->lists);
    free(k->targets);
    free(k->constants);
    free(k->constant_rows);
    free(k);
}
