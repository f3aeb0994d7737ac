#include "ptx/analysis.h"

#include "ptx/graph.h"

static void analyse_function(ww_function_analysis *a, const ww_function *f)
{
    a->function = f;
    if (!f->has_body)
        return;
    a->flow = ww_flow_create(f);
    ww_uses *uses = ww_uses_create(a->flow);
    a->uniform = ww_uniform_create(uses);
    a->liveness = ww_liveness_create(uses, a->uniform->reg);
    a->paths = ww_paths_create(a->flow);
    ww_uses_destroy(uses);
    a->need = a->liveness->most;
    a->local_bytes = f->local_bytes;
}

static void note_address(bool *taken, const ww_operand *o)
{
    if (o->kind == WW_OPERAND_ADDRESS && o->function)
        taken[o->function->index] = true;
    for (unsigned e = 0; o->kind == WW_OPERAND_VECTOR && e < o->count; e++)
        note_address(taken, &o->elements[e]);
}

static bool *find_taken(const ww_module *m)
{
    bool *taken = ww_calloc(m->function_count + 1u, sizeof *taken);
    for (uint32_t v = 0; v < m->variable_count; v++)
        for (size_t r = 0; r < m->variables[v]->relocation_count; r++)
            if (m->variables[v]->relocations[r].function)
                taken[m->variables[v]->relocations[r].function->index] = true;
    for (uint32_t f = 0; f < m->function_count; f++) {
        const ww_function *function = m->functions[f];
        for (uint32_t i = 0; i < function->instruction_count; i++)
            for (unsigned o = 0; o < function->instructions[i].operand_count; o++)
                note_address(taken, &function->instructions[i].operands[o]);
    }
    return taken;
}

typedef WW_VEC(ww_edge) edge_list;

/* Edges from caller to callee. One more node stands for indirect calls: it has edges from functions
 * that make them and to all functions whose address is taken. */
static ww_graph *call_graph(ww_analysis *a)
{
    const ww_module *m = a->module;
    uint32_t anyone = m->function_count;
    edge_list edges = {0};
    bool *taken = find_taken(m);
    for (uint32_t f = 0; f < m->function_count; f++) {
        const ww_function *function = m->functions[f];
        if (taken[f])
            ww_vec_push(&edges, ((ww_edge){anyone, f}));
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const ww_call *call = function->instructions[i].call;
            if (call && call->target.kind == WW_OPERAND_FUNCTION)
                ww_vec_push(&edges, ((ww_edge){f, call->target.function->index}));
            else if (call)
                ww_vec_push(&edges, ((ww_edge){f, anyone}));
        }
    }
    free(taken);
    ww_graph *g = ww_graph_create(anyone + 1, edges.items, (uint32_t)edges.count);
    ww_vec_free(&edges);
    return g;
}

static void raise_u32(uint32_t *most, uint32_t value)
{
    *most = value > *most ? value : *most;
}

/* Adds the callee's need to what the caller holds at the call. */
static void add_callee(ww_function_analysis *caller, const ww_register_need *held,
                       const ww_function_analysis *callee)
{
    raise_u32(&caller->need.vector, held->vector + callee->need.vector);
    raise_u32(&caller->need.scalar, held->scalar + callee->need.scalar);
    raise_u32(&caller->need.predicates, held->predicates + callee->need.predicates);
    uint64_t local = caller->function->local_bytes + callee->local_bytes;
    caller->local_bytes = local > caller->local_bytes ? local : caller->local_bytes;
    caller->recursive |= callee->recursive;
    caller->calls_indirectly |= callee->calls_indirectly;
}

/* `anyone` has the largest need of all functions that an indirect call can reach. */
static void add_callees(ww_analysis *a, uint32_t f, const ww_loops *loops,
                        const ww_function_analysis *anyone)
{
    ww_function_analysis *caller = &a->functions[f];
    const ww_function *function = caller->function;
    uint32_t part = loops->outermost[f];
    caller->recursive |= part != WW_NO_NODE;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const ww_call *call = function->instructions[i].call;
        if (!call)
            continue;
        bool direct = call->target.kind == WW_OPERAND_FUNCTION;
        uint32_t to = direct ? call->target.function->index : a->module->function_count;
        caller->calls_indirectly |= !direct;
        if (part == WW_NO_NODE || loops->outermost[to] != part)
            add_callee(caller, &caller->liveness->at[i], direct ? &a->functions[to] : anyone);
    }
}

static void raise_anyone(ww_function_analysis *anyone, const ww_function_analysis *f)
{
    raise_u32(&anyone->need.vector, f->need.vector);
    raise_u32(&anyone->need.scalar, f->need.scalar);
    raise_u32(&anyone->need.predicates, f->need.predicates);
    if (f->local_bytes > anyone->local_bytes)
        anyone->local_bytes = f->local_bytes;
    anyone->recursive |= f->recursive;
}

/* Functions in order of completion of a search: callees before callers, except in recursion. */
static void add_calls(ww_analysis *a)
{
    uint32_t anyone_at = a->module->function_count;
    ww_graph *calls = call_graph(a);
    ww_dfs *dfs = ww_dfs_create(calls, 0, true);
    ww_loops *loops = ww_loops_create(calls, dfs);
    ww_function_analysis anyone = {0};
    for (uint32_t i = 0; i < dfs->count; i++) {
        uint32_t f = dfs->finished[i];
        if (f != anyone_at) {
            add_callees(a, f, loops, &anyone);
            continue;
        }
        for (uint32_t e = calls->next_at[f]; e < calls->next_at[f + 1]; e++)
            raise_anyone(&anyone, &a->functions[calls->next[e]]);
    }
    ww_loops_destroy(loops);
    ww_dfs_destroy(dfs);
    ww_graph_destroy(calls);
}

ww_analysis *ww_analysis_create(const ww_module *module)
{
    ww_analysis *a = ww_calloc(1, sizeof *a);
    a->module = module;
    a->function_count = module->function_count;
    a->functions = ww_calloc(module->function_count + 1u, sizeof *a->functions);
    for (uint32_t f = 0; f < module->function_count; f++)
        analyse_function(&a->functions[f], module->functions[f]);
    add_calls(a);
    return a;
}

void ww_analysis_destroy(ww_analysis *analysis)
{
    if (!analysis)
        return;
    for (uint32_t f = 0; f < analysis->function_count; f++) {
        ww_function_analysis *a = &analysis->functions[f];
        ww_flow_destroy(a->flow);
        ww_uniform_destroy(a->uniform);
        ww_liveness_destroy(a->liveness);
        ww_paths_destroy(a->paths);
    }
    free(analysis->functions);
    free(analysis);
}
