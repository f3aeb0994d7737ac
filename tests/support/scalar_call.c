/* Calls of one work-item: every call has registers of its own. */
#include "support/scalar_state.h"

#include <string.h>

static uint32_t special_of_item(const scalar_group *g, const scalar_item *item, ww_special special)
{
    const uint32_t *size = g->launch->group;
    switch (special) {
    case WW_SPECIAL_TID_X: return item->number % size[0];
    case WW_SPECIAL_TID_Y: return item->number / size[0] % size[1];
    case WW_SPECIAL_TID_Z: return item->number / (size[0] * size[1]);
    case WW_SPECIAL_CTAID_X: return g->id[0];
    case WW_SPECIAL_CTAID_Y: return g->id[1];
    case WW_SPECIAL_CTAID_Z: return g->id[2];
    case WW_SPECIAL_SUBGROUP_ID: return item->number;
    case WW_SPECIAL_SUBGROUP_SIZE: return 1;
    default: return 0;
    }
}

scalar_activation *scalar_activate(const scalar_group *g, const scalar_item *item,
                                   const ww_code *code, scalar_activation *caller)
{
    const ww_kernel *k = g->kernel;
    scalar_activation *a = ww_calloc(1, sizeof(*a));
    a->code = code;
    a->caller = caller;
    a->call_pc = item->pc;
    a->frame = caller ? caller->frame + caller->code->local_bytes : 0;
    a->rows = ww_calloc_rows(k->register_bytes + 64);
    a->predicates = ww_calloc(k->predicate_count, sizeof(bool));
    a->predicates[WW_PREDICATE_ALWAYS] = true;
    for (unsigned s = 0; s < WW_SPECIAL_COUNT; s++)
        if (k->special_slots[s] >= 0)
            *(uint32_t *)(void *)(a->rows + k->special_slots[s]) =
                special_of_item(g, item, (ww_special)s);
    return a;
}

void scalar_drop(scalar_item *item)
{
    scalar_activation *a = item->top;
    item->top = a->caller;
    free(a->rows);
    free(a->predicates);
    free(a);
}

static uint8_t *place(const scalar_item *item, const scalar_activation *a,
                      const ww_variable *variable, int32_t reg)
{
    return variable ? item->local + a->frame + variable->offset
                    : a->rows + a->code->rows[reg].offset;
}

/* What a call passes, seen from the outside. */
static uint8_t *outer_place(const scalar_item *item, const scalar_activation *a,
                            const ww_operand *operand)
{
    return place(item, a, operand->kind == WW_OPERAND_ADDRESS ? operand->variable : NULL,
                 operand->reg);
}

static uint8_t *inner_place(const scalar_item *item, const scalar_activation *a,
                            const ww_variable *variable)
{
    return place(item, a, variable->in_register ? NULL : variable, variable->reg);
}

int scalar_call(const scalar_group *g, scalar_item *item, const ww_code *callee)
{
    const ww_call *call = g->kernel->instructions[item->pc]->call;
    scalar_activation *a = scalar_activate(g, item, callee, item->top);
    if (a->frame + callee->local_bytes > g->kernel->local_bytes) {
        item->top = a;
        return scalar_fault(g, item, "the stack overflows");
    }
    for (unsigned i = 0; i < call->arg_count; i++) {
        const ww_variable *param = &callee->function->params[i];
        const ww_operand *arg = &call->args[i];
        const void *from = arg->kind == WW_OPERAND_VALUE ? (const void *)&arg->bits
                                                         : outer_place(item, a->caller, arg);
        memcpy(inner_place(item, a, param), from, param->size);
    }
    item->top = a;
    item->pc = callee->first;
    return WW_OK;
}

void scalar_return(const scalar_group *g, scalar_item *item)
{
    scalar_activation *a = item->top;
    const ww_call *call = g->kernel->instructions[a->call_pc]->call;
    for (unsigned i = 0; i < call->return_count; i++) {
        const ww_variable *value = &a->code->function->returns[i];
        memcpy(outer_place(item, a->caller, &call->returns[i]), inner_place(item, a, value),
               value->size);
    }
    item->pc = a->call_pc + 1;
    scalar_drop(item);
}
