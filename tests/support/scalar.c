#include "support/scalar_state.h"

#include <string.h>

#define MOST_INSTRUCTIONS (1ull << 28) /* of an item */

bool scalar_can_run(const ww_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->uop_count; i++)
        if (kernel->uops[i].kind == WW_UOP_WARP_BARRIER || kernel->uops[i].kind == WW_UOP_CLOCK)
            return false;
    return !kernel->uses_warp_width;
}

int scalar_fault(const scalar_group *g, const scalar_item *item, const char *what)
{
    const ww_instruction *i = g->kernel->instructions[item->pc];
    return ww_fail(g->errors, WW_FAILED,
                   (ww_where){g->kernel->entry->module->path, i ? i->line : 0, 0},
                   "group (%u,%u,%u), work-item %u: %s (%s)", g->id[0], g->id[1], g->id[2],
                   item->number, what, i ? i->text : "the end of the body");
}

/* ---- barriers ---- */

static void deliver(const scalar_group *g, scalar_item *item, const scalar_barrier *b)
{
    const ww_uop *u = &g->kernel->uops[item->pc - 1];
    item->state = SCALAR_RUNS;
    if (u->variant != WW_VARIANT_RED)
        return;
    if (u->combine == WW_COMBINE_POPC)
        scalar_set(item, u->d, false, b->yes);
    else
        item->top->predicates[u->d] =
            u->combine == WW_COMBINE_AND ? b->yes == b->arrived : b->yes > 0;
}

static void release(scalar_group *g, unsigned id)
{
    for (uint32_t i = 0; i < g->item_count; i++)
        if (g->items[i].state == SCALAR_WAITS && g->items[i].barrier == id)
            deliver(g, &g->items[i], &g->barriers[id]);
    g->barriers[id] = (scalar_barrier){0};
}

static int arrive(scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t id = scalar_get(g, item, u->a, false);
    if (id >= SCALAR_BARRIERS)
        return scalar_fault(g, item, "a barrier that does not exist");
    scalar_barrier *b = &g->barriers[id];
    b->arrived++;
    b->yes += u->variant == WW_VARIANT_RED && scalar_predicate(item, u);
    if (!(u->flags & WW_UOP_NO_BASE))
        b->expected = (uint32_t)scalar_get(g, item, u->b, false);
    item->pc++;
    if (u->variant != WW_VARIANT_ARRIVE) {
        item->state = SCALAR_WAITS;
        item->barrier = (unsigned)id;
    }
    if (b->expected && b->arrived >= b->expected)
        release(g, (unsigned)id);
    return WW_OK;
}

static uint32_t count_items(const scalar_group *g, scalar_item_state state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->item_count; i++)
        count += g->items[i].state == state;
    return count;
}

/* All items wait or have ended: barriers that all living items have reached are over. */
static bool release_complete(scalar_group *g)
{
    uint32_t alive = g->item_count - count_items(g, SCALAR_ENDED);
    bool any = false;
    for (unsigned id = 0; id < SCALAR_BARRIERS; id++)
        if (g->barriers[id].arrived && !g->barriers[id].expected &&
            g->barriers[id].arrived >= alive) {
            release(g, id);
            any = true;
        }
    return any;
}

/* ---- one item ---- */

static const ww_code *function_at(const ww_kernel *k, uint64_t address)
{
    for (uint32_t c = 0; c < k->code_count; c++)
        if (ww_function_address(k->codes[c].function) == address)
            return &k->codes[c];
    return NULL;
}

static int call_indirect(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    const ww_code *code = function_at(g->kernel, scalar_get(g, item, u->a, true));
    return code ? scalar_call(g, item, code) : scalar_fault(g, item, "a call of no function");
}

static int branch_index(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    uint64_t index = scalar_get(g, item, u->a, false);
    if (index >= (uint64_t)u->b)
        return scalar_fault(g, item, "a branch index past the list");
    item->pc = g->kernel->targets[(uint64_t)u->imm + index];
    return WW_OK;
}

static int step(scalar_group *g, scalar_item *item)
{
    const ww_uop *u = &g->kernel->uops[item->pc];
    int status = WW_OK;
    if (++item->executed > MOST_INSTRUCTIONS)
        return scalar_fault(g, item, "never ends");
    if (item->top->predicates[u->guard] == u->guard_negated) {
        item->pc++;
        return WW_OK;
    }
    switch (u->kind) {
    case WW_UOP_BRANCH: item->pc = u->target; break;
    case WW_UOP_BRANCH_INDEX: return branch_index(g, item, u);
    case WW_UOP_CALL: return scalar_call(g, item, &g->kernel->codes[u->imm]);
    case WW_UOP_CALL_INDIRECT: return call_indirect(g, item, u);
    case WW_UOP_RETURN: scalar_return(g, item); break;
    case WW_UOP_EXIT: item->state = SCALAR_ENDED; break;
    case WW_UOP_TRAP: return scalar_fault(g, item, "trap");
    case WW_UOP_BARRIER: return arrive(g, item, u);
    case WW_UOP_LOAD:
    case WW_UOP_STORE:
    case WW_UOP_ATOMIC:
    case WW_UOP_ASYNC_COPY:
        status = scalar_access(g, item, u);
        item->pc += status == WW_OK;
        break;
    default:
        scalar_compute(g, item, u);
        item->pc++;
        break;
    }
    return status;
}

/* ---- groups and launches ---- */

static int run_items(scalar_group *g)
{
    int status = WW_OK;
    for (uint32_t i = 0; i < g->item_count && status == WW_OK; i++)
        while (g->items[i].state == SCALAR_RUNS && status == WW_OK)
            status = step(g, &g->items[i]);
    return status;
}

static int run_group(scalar_group *g)
{
    for (;;) {
        int status = run_items(g);
        if (status != WW_OK || count_items(g, SCALAR_ENDED) == g->item_count)
            return status;
        if (!count_items(g, SCALAR_RUNS) && !release_complete(g))
            return ww_fail(g->errors, WW_FAILED, WW_NOWHERE, "a barrier is never complete");
    }
}

static void start_items(scalar_group *g)
{
    memset(g->shared, 0, g->shared_bytes);
    memset(g->barriers, 0, sizeof(g->barriers));
    for (uint32_t i = 0; i < g->item_count; i++) {
        scalar_item *item = &g->items[i];
        *item = (scalar_item){.number = i, .pc = g->kernel->codes[0].first};
        item->local = ww_calloc(g->kernel->local_bytes + 1, 1);
        item->top = scalar_activate(g, item, &g->kernel->codes[0], NULL);
    }
}

static void end_items(scalar_group *g)
{
    for (uint32_t i = 0; i < g->item_count; i++) {
        while (g->items[i].top)
            scalar_drop(&g->items[i]);
        free(g->items[i].local);
    }
}

static uint64_t special_of_launch(const scalar_group *g, ww_special special)
{
    const ww_launch *l = g->launch;
    switch (special) {
    case WW_SPECIAL_NTID_X: return l->group[0];
    case WW_SPECIAL_NTID_Y: return l->group[1];
    case WW_SPECIAL_NTID_Z: return l->group[2];
    case WW_SPECIAL_NCTAID_X: return l->groups[0];
    case WW_SPECIAL_NCTAID_Y: return l->groups[1];
    case WW_SPECIAL_NCTAID_Z: return l->groups[2];
    case WW_SPECIAL_NWARPID:
    case WW_SPECIAL_SUBGROUP_COUNT: return g->item_count;
    case WW_SPECIAL_NSMID: return 1;
    case WW_SPECIAL_DYNAMIC_SMEM_SIZE: return l->dynamic_shared;
    case WW_SPECIAL_TOTAL_SMEM_SIZE: return g->shared_bytes;
    case WW_SPECIAL_WARP_SZ:
    case WW_SPECIAL_SUBGROUP_WIDTH: return 1;
    default: return 0;
    }
}

static uint64_t constant_value(const scalar_group *g, const ww_constant *c)
{
    uint64_t value = 0;
    if (c->source == WW_CONSTANT_VALUE)
        return c->bits;
    if (c->source == WW_CONSTANT_SPECIAL)
        return special_of_launch(g, (ww_special)c->bits);
    memcpy(&value, g->launch->params + c->bits, c->size);
    if (c->is_signed && c->size < 8 && value >> (c->size * 8 - 1))
        value |= ~0ull << (c->size * 8);
    return value;
}

static uint8_t *fill_constants(const scalar_group *g)
{
    uint64_t bytes = 0;
    for (uint32_t n = 0; n < g->kernel->constant_count; n++)
        bytes += g->kernel->constants[n].wide ? 8 * SCALAR_LANES : 4 * SCALAR_LANES;
    uint8_t *rows = ww_calloc_rows(bytes + 64);
    for (uint32_t n = 0; n < g->kernel->constant_count; n++) {
        const ww_constant *c = &g->kernel->constants[n];
        uint64_t value = constant_value(g, c);
        memcpy(rows + c->offset, &value, c->wide ? 8 : 4);
    }
    return rows;
}

int scalar_run(const ww_kernel *kernel, ww_memory *memory, const ww_launch *launch,
               ww_errors *errors)
{
    scalar_group g = {.kernel = kernel, .memory = memory, .launch = launch, .errors = errors};
    const uint32_t *groups = launch->groups;
    int status = WW_OK;
    g.item_count = launch->group[0] * launch->group[1] * launch->group[2];
    g.shared_bytes = launch->dynamic_shared ? kernel->dynamic_shared_offset + launch->dynamic_shared
                                            : kernel->static_shared;
    g.shared = ww_calloc(g.shared_bytes + 1, 1);
    g.items = ww_calloc(g.item_count, sizeof(scalar_item));
    g.constants = fill_constants(&g);
    for (g.id[2] = 0; g.id[2] < groups[2] && status == WW_OK; g.id[2]++)
        for (g.id[1] = 0; g.id[1] < groups[1] && status == WW_OK; g.id[1]++)
            for (g.id[0] = 0; g.id[0] < groups[0] && status == WW_OK; g.id[0]++) {
                start_items(&g);
                status = run_group(&g);
                end_items(&g);
            }
    free(g.constants);
    free(g.items);
    free(g.shared);
    return status;
}
