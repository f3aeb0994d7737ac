#include "ptx/uniform.h"

#include "ptx/branch_region.h"
#include "ptx/stale.h"
#include "ptx/values.h"

#include <string.h>

typedef struct spreader {
    const ww_flow *flow;
    const ww_function *function;
    ww_values *values;
    ww_branch_region *region;
    ww_stale *stale;
    ww_uniform *out;
    bool generic_is_shared; /* no generic address can lead to local memory */
    bool has_calls;
    bool *varying_value; /* by value */
    bool *varying;       /* by instruction */
    WW_VEC(uint32_t) new_values;
    WW_VEC(uint32_t) new_branches; /* blocks */
} spreader;

static bool makes_private_address(const ww_instruction *i)
{
    return i->form.op == WW_OP_CVTA && !(i->form.flags & WW_FLAG_TO) &&
           (i->form.space == WW_SPACE_LOCAL || i->form.space == WW_SPACE_PARAM);
}

static bool module_makes_private_addresses(const ww_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        const ww_function *function = module->functions[f];
        for (uint32_t i = 0; i < function->instruction_count; i++)
            if (makes_private_address(&function->instructions[i]))
                return true;
    }
    return false;
}

/* Whether a load through a uniform address gives all lanes the same value. */
static bool load_is_shared(const spreader *s, const ww_instruction *i)
{
    const ww_operand *address = &i->operands[i->operand_count - 1];
    if (i->form.flags & WW_FLAG_VOLATILE)
        return false;
    switch ((ww_space)i->form.space) {
    case WW_SPACE_GLOBAL:
    case WW_SPACE_SHARED:
    case WW_SPACE_CONST: return true;
    case WW_SPACE_GENERIC: return s->generic_is_shared;
    case WW_SPACE_PARAM:
        if (address->kind == WW_OPERAND_MEMORY && address->variable)
            return address->variable->space == WW_SPACE_PARAM;
        return s->function->is_entry && !s->has_calls;
    default: return false;
    }
}

static bool reads_varying_special(const ww_operand *o)
{
    if (o->kind == WW_OPERAND_SPECIAL) {
        const char *scope = ww_special_scope((ww_special)o->special);
        return strcmp(scope, "group") != 0 && strcmp(scope, "launch") != 0;
    }
    for (unsigned e = 0; o->kind == WW_OPERAND_VECTOR && e < o->count; e++)
        if (reads_varying_special(&o->elements[e]))
            return true;
    return false;
}

/* Whether an instruction is varying whatever its register operands are. */
static bool is_varying_source(const spreader *s, const ww_instruction *i)
{
    switch ((ww_op)i->form.op) {
    case WW_OP_ATOM:
    case WW_OP_SHFL:
    case WW_OP_VOTE:
    case WW_OP_MATCH:
    case WW_OP_ACTIVEMASK:
    case WW_OP_REDUX:
    case WW_OP_ELECT:
    case WW_OP_CALL:
    case WW_OP_ALLOCA:
    case WW_OP_STACKSAVE: return true;
    case WW_OP_LD:
    case WW_OP_LDU:
        if (!load_is_shared(s, i))
            return true;
        break;
    default: break;
    }
    for (unsigned o = i->result_count; o < i->operand_count; o++)
        if (reads_varying_special(&i->operands[o]))
            return true;
    return false;
}

static void mark_value(spreader *s, uint32_t value)
{
    if (s->varying_value[value])
        return;
    s->varying_value[value] = true;
    ww_vec_push(&s->new_values, value);
}

static void mark_instruction(spreader *s, uint32_t i)
{
    const ww_instruction *in = &s->function->instructions[i];
    bool gives_all_the_same = in->form.op == WW_OP_BAR || in->form.op == WW_OP_BARRIER;
    if (s->varying[i] || (gives_all_the_same && in->guard < 0))
        return;
    s->varying[i] = true;
    for (uint32_t w = 0; w < s->values->written_count[i]; w++)
        mark_value(s, s->values->written_at[i] + w);
    if (ww_instruction_splits(in))
        ww_vec_push(&s->new_branches, s->flow->block_of[i]);
}

static void mark_user(spreader *s, uint32_t user)
{
    uint32_t instructions = s->function->instruction_count;
    if (user < instructions)
        mark_instruction(s, user);
    else
        mark_value(s, user - instructions);
}

static void mark_sources(spreader *s)
{
    for (uint32_t i = 0; i < s->function->instruction_count; i++)
        if (s->flow->blocks[s->flow->block_of[i]].reachable &&
            is_varying_source(s, &s->function->instructions[i]))
            mark_instruction(s, i);
    for (unsigned p = 0; p < s->function->param_count; p++)
        if (s->function->params[p].in_register)
            mark_value(s, (uint32_t)s->function->params[p].reg);
}

/* A value merged where lanes meet is varying, unless all paths from the branch bring the same input
 * and none of them writes it again. */
static void spread_merging(spreader *s, uint32_t block)
{
    const ww_values *v = s->values;
    const ww_block *b = &s->flow->blocks[block];
    for (uint32_t m = v->merged_at[block]; m < v->merged_at[block + 1]; m++) {
        uint32_t first = WW_NO_VALUE;
        bool differ = false;
        for (uint32_t p = 0; p < b->predecessor_count; p++) {
            uint32_t input = v->inputs[v->values[m].input_at + p];
            if (!ww_branch_region_passes(s->region, b->predecessors[p]) || input == WW_NO_VALUE)
                continue;
            differ |= first != WW_NO_VALUE && input != first;
            differ |= v->values[input].kind != WW_VALUE_ENTRY &&
                      ww_branch_region_has(s->region, v->values[input].block);
            first = input;
        }
        if (differ)
            mark_value(s, m);
    }
}

/* Whether a user may read a stale instance of a value that the maker of `level` writes. */
static bool sees_stale(const spreader *s, uint32_t user, uint32_t value, uint32_t level)
{
    const ww_values *v = s->values;
    uint32_t instructions = s->function->instruction_count;
    if (user < instructions)
        return ww_stale_level(s->stale, s->flow->block_of[user]) >= level;
    const ww_ssa_value *m = &v->values[user - instructions];
    if (m->kind != WW_VALUE_MERGED)
        return ww_stale_level(s->stale, m->block) >= level;
    const ww_block *b = &s->flow->blocks[m->block];
    for (uint32_t p = 0; p < b->predecessor_count; p++)
        if (v->inputs[m->input_at + p] == value &&
            ww_stale_level(s->stale, b->predecessors[p]) >= level)
            return true;
    return false;
}

static void spread_stale_value(spreader *s, uint32_t value, uint32_t level)
{
    const ww_values *v = s->values;
    for (uint32_t u = v->user_at[value]; u < v->user_at[value + 1]; u++) {
        if (!sees_stale(s, v->users[u], value, level))
            continue;
        mark_user(s, v->users[u]);
        if (v->values[value].reg < s->function->register_count)
            s->out->reg[v->values[value].reg] = false;
    }
}

/* A block of the region that dominates the meeting is in a loop with the branch: some lanes have
 * executed it again and some have not, so they differ in the values it writes. */
static void spread_stale(spreader *s, uint32_t meeting)
{
    const ww_values *v = s->values;
    uint32_t count = ww_stale_find(s->stale, s->region, meeting);
    for (uint32_t level = 1; level <= count; level++) {
        uint32_t b = s->stale->makers[level - 1];
        for (uint32_t m = v->merged_at[b]; m < v->merged_at[b + 1]; m++)
            spread_stale_value(s, m, level);
        for (uint32_t i = s->flow->blocks[b].first; i <= s->flow->blocks[b].last; i++)
            for (uint32_t w = 0; w < v->written_count[i]; w++)
                spread_stale_value(s, v->written_at[i] + w, level);
    }
}

static void spread_branch(spreader *s, uint32_t block)
{
    ww_branch_region *region = s->region;
    ww_branch_region_find(region, block);
    for (uint32_t i = 0; i < region->count; i++)
        s->out->divergent[region->blocks[i]] = true;
    for (uint32_t i = 0; i < region->merging_count; i++) {
        spread_merging(s, region->merging[i]);
        if (s->flow->blocks[block].loop != WW_NO_BLOCK)
            spread_stale(s, region->merging[i]);
    }
}

static void spread(spreader *s)
{
    const ww_values *v = s->values;
    while (s->new_values.count > 0 || s->new_branches.count > 0) {
        if (s->new_values.count == 0) {
            spread_branch(s, s->new_branches.items[--s->new_branches.count]);
            continue;
        }
        uint32_t value = s->new_values.items[--s->new_values.count];
        for (uint32_t u = v->user_at[value]; u < v->user_at[value + 1]; u++)
            mark_user(s, v->users[u]);
    }
}

static void report(spreader *s)
{
    ww_uniform *out = s->out;
    for (uint32_t i = 0; i < s->function->instruction_count; i++) {
        bool splits = ww_instruction_splits(&s->function->instructions[i]);
        bool reachable = s->flow->blocks[s->flow->block_of[i]].reachable;
        out->instruction[i] = reachable && !s->varying[i];
        out->instruction_count += out->instruction[i];
        out->branch_count += splits;
        out->divergent_count += splits && s->varying[i];
    }
    for (uint32_t v = 0; v < s->values->count; v++)
        if (s->varying_value[v] && s->values->values[v].reg < s->function->register_count)
            out->reg[s->values->values[v].reg] = false;
}

static bool calls_something(const ww_function *f)
{
    for (uint32_t i = 0; i < f->instruction_count; i++)
        if (f->instructions[i].form.op == WW_OP_CALL)
            return true;
    return false;
}

ww_uniform *ww_uniform_create(const ww_uses *uses)
{
    const ww_flow *flow = uses->flow;
    const ww_function *f = flow->function;
    ww_uniform *out = ww_calloc(1, sizeof *out);
    out->instruction = ww_calloc(f->instruction_count + 1u, sizeof *out->instruction);
    out->reg = ww_calloc(f->register_count + 1u, sizeof *out->reg);
    out->divergent = ww_calloc(flow->block_count + 1u, sizeof *out->divergent);
    memset(out->reg, true, f->register_count);
    spreader s = {.flow = flow, .function = f, .out = out};
    s.values = ww_values_create(uses);
    s.region = ww_branch_region_create(flow);
    s.stale = ww_stale_create(flow);
    s.generic_is_shared = !module_makes_private_addresses(f->module);
    s.has_calls = calls_something(f);
    s.varying_value = ww_calloc(s.values->count + 1u, sizeof *s.varying_value);
    s.varying = ww_calloc(f->instruction_count + 1u, sizeof *s.varying);
    mark_sources(&s);
    spread(&s);
    report(&s);
    ww_values_destroy(s.values);
    ww_branch_region_destroy(s.region);
    ww_stale_destroy(s.stale);
    free(s.varying_value);
    free(s.varying);
    ww_vec_free(&s.new_values);
    ww_vec_free(&s.new_branches);
    return out;
}

void ww_uniform_destroy(ww_uniform *uniform)
{
    if (!uniform)
        return;
    free(uniform->instruction);
    free(uniform->reg);
    free(uniform->divergent);
    free(uniform);
}
