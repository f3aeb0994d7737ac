#include "base/json.h"
#include "ptx/listing.h"

#include <string.h>

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *block_name(const ww_flow *flow, uint32_t block)
{
    return block == flow->block_count ? json_string("exit") : number(block);
}

static json_t *variable(const ww_variable *v)
{
    return json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:b}", "name", ww_json_text(v->name), "space",
                     ww_space_name((ww_space)v->space), "type", ww_type_name((ww_type)v->type),
                     "offset", number(v->offset), "bytes", number(v->size), "align",
                     number(v->align), "external", v->external);
}

static json_t *parameter(const ww_variable *v)
{
    json_t *p = variable(v);
    json_object_set_new(p, "in_register", json_boolean(v->in_register));
    json_object_set_new(p, "pointer_space",
                        v->is_pointer ? json_string(ww_space_name((ww_space)v->pointer_space))
                                      : json_null());
    return p;
}

static json_t *parameters(const ww_variable *list, unsigned count)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(array, parameter(&list[i]));
    return array;
}

static json_t *variables(ww_variable *const *list, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, variable(list[i]));
    return array;
}

static json_t *need(const ww_register_need *n)
{
    return json_pack("{s:o, s:o, s:o}", "vector", number(n->vector), "scalar", number(n->scalar),
                     "predicates", number(n->predicates));
}

static json_t *group(const uint32_t size[3])
{
    return size[0] ? json_pack("[o, o, o]", number(size[0]), number(size[1]), number(size[2]))
                   : json_null();
}

static json_t *block_names(const ww_flow *flow, const uint32_t *blocks, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, block_name(flow, blocks[i]));
    return array;
}

static json_t *block(const ww_function_analysis *a, uint32_t b)
{
    const ww_flow *flow = a->flow;
    const ww_block *k = &flow->blocks[b];
    json_t *object = json_object();
    json_object_set_new(object, "first", number(k->first));
    json_object_set_new(object, "last", number(k->last));
    json_object_set_new(object, "predecessors",
                        block_names(flow, k->predecessors, k->predecessor_count));
    json_object_set_new(object, "successors", block_names(flow, k->successors, k->successor_count));
    json_object_set_new(object, "dominator",
                        k->dominator == WW_NO_BLOCK ? json_null() : number(k->dominator));
    json_object_set_new(object, "post_dominator", block_name(flow, k->post_dominator));
    json_object_set_new(object, "loop", k->loop == WW_NO_BLOCK ? json_null() : number(k->loop));
    json_object_set_new(object, "loop_depth", number(k->loop_depth));
    json_object_set_new(object, "divergent", json_boolean(a->uniform->divergent[b]));
    json_object_set_new(object, "reachable", json_boolean(k->reachable));
    return object;
}

static json_t *source(const ww_module *m, const ww_instruction *in)
{
    if (in->source_file < 0 || (uint32_t)in->source_file >= m->file_count ||
        !m->files[in->source_file])
        return json_null();
    return json_pack("{s:o, s:i}", "file", ww_json_text(m->files[in->source_file]), "line",
                     in->source_line);
}

static json_t *instruction(const ww_function_analysis *a, uint32_t i)
{
    const ww_instruction *in = &a->function->instructions[i];
    return json_pack("{s:o, s:o, s:i, s:o, s:o, s:b, s:o}", "index", number(i), "block",
                     number(a->flow->block_of[i]), "line", in->line, "source",
                     source(a->function->module, in), "text", ww_json_text(in->text), "uniform",
                     a->uniform->instruction[i], "held", need(&a->liveness->at[i]));
}

static json_t *side(const ww_path *path)
{
    if (!path->exists)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "shortest", number(path->shortest), "longest",
                     number(path->longest), "inferred", json_integer((json_int_t)path->inferred));
}

static json_t *branch(const ww_function_analysis *a, uint32_t i)
{
    uint32_t meet = ww_flow_reconvergence(a->flow, i);
    const ww_branch_paths *paths = ww_paths_find(a->paths, i);
    return json_pack("{s:o, s:b, s:o, s:o, s:o}", "instruction", number(i), "divergent",
                     !a->uniform->instruction[i], "reconvergence",
                     meet == WW_NO_RECONVERGENCE ? json_null() : number(meet), "taken",
                     paths ? side(&paths->taken) : json_null(), "fall_through",
                     paths ? side(&paths->fall_through) : json_null());
}

static void add_code(json_t *object, const ww_function_analysis *a)
{
    json_t *blocks = json_array(), *instructions = json_array(), *branches = json_array();
    for (uint32_t b = 0; b < a->flow->block_count; b++)
        json_array_append_new(blocks, block(a, b));
    for (uint32_t i = 0; i < a->function->instruction_count; i++) {
        json_array_append_new(instructions, instruction(a, i));
        if (ww_instruction_splits(&a->function->instructions[i]))
            json_array_append_new(branches, branch(a, i));
    }
    json_object_set_new(object, "blocks", blocks);
    json_object_set_new(object, "instructions", instructions);
    json_object_set_new(object, "branches", branches);
}

static json_t *function(const ww_function_analysis *a)
{
    const ww_function *f = a->function;
    json_t *object = json_object();
    json_object_set_new(object, "name", ww_json_text(f->name));
    json_object_set_new(object, "kind", json_string(f->is_entry ? "entry" : "function"));
    json_object_set_new(object, "line", json_integer(f->line));
    json_object_set_new(object, "parameters", parameters(f->params, f->param_count));
    json_object_set_new(object, "returns", parameters(f->returns, f->return_count));
    json_object_set_new(object, "registers", need(&a->need));
    json_object_set_new(object, "registers_without_callees", need(&a->liveness->most));
    json_object_set_new(object, "parameter_bytes", number(f->param_bytes));
    json_object_set_new(object, "shared_bytes", number(f->shared_bytes));
    json_object_set_new(object, "local_bytes", number(a->local_bytes));
    json_object_set_new(object, "recursive", json_boolean(a->recursive));
    json_object_set_new(object, "calls_indirectly", json_boolean(a->calls_indirectly));
    json_object_set_new(object, "required_group", group(f->required_group));
    if (f->required_subgroup)
        json_object_set_new(object, "required_subgroup", number(f->required_subgroup));
    json_object_set_new(object, "most_group", group(f->most_group));
    json_object_set_new(object, "uniform_instructions", number(a->uniform->instruction_count));
    json_object_set_new(object, "loops", number(a->flow->loop_count));
    json_object_set_new(object, "irreducible_entries", number(a->flow->irreducible_entries));
    json_object_set_new(object, "endless_loops", number(a->flow->endless_loops));
    json_object_set_new(object, "variables", variables(f->variables, f->variable_count));
    add_code(object, a);
    return object;
}

json_t *ww_listing_json(const ww_analysis *analysis, const char *only)
{
    const ww_module *m = analysis->module;
    json_t *object = json_object();
    json_t *functions = json_array(), *declared = json_array();
    json_object_set_new(object, "path", ww_json_text(m->path));
    json_object_set_new(object, "ptx_version", ww_json_real(m->version / 10.0));
    json_object_set_new(object, "target", m->target ? ww_json_text(m->target) : json_null());
    json_object_set_new(object, "variables", variables(m->variables, m->variable_count));
    for (uint32_t f = 0; f < m->function_count; f++) {
        const ww_function *one = m->functions[f];
        if (!one->has_body)
            json_array_append_new(declared, ww_json_text(one->name));
        else if (!only || strcmp(only, one->name) == 0)
            json_array_append_new(functions, function(&analysis->functions[f]));
    }
    json_object_set_new(object, "declared", declared);
    json_object_set_new(object, "functions", functions);
    return object;
}
