#include "ptx/module.h"

#include <string.h>

void ww_module_destroy(ww_module *module)
{
    if (module)
        ww_arena_destroy(module->arena);
}

ww_function *ww_module_function(const ww_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i]->name, name) == 0)
            return module->functions[i];
    return NULL;
}

ww_where ww_instruction_location(const ww_module *m, const ww_instruction *i)
{
    if (i && i->source_file >= 0 && (uint32_t)i->source_file < m->file_count &&
        m->files[i->source_file])
        return (ww_where){m->files[i->source_file], i->source_line, 0};
    return (ww_where){m->path, i ? i->line : 0, 0};
}

const char *ww_special_name(ww_special special)
{
    static const char *const names[] = {
#define NAME(e, n, v) n,
        WW_SPECIALS(NAME)};
    return names[special];
}

const char *ww_special_scope(ww_special special)
{
    static const char *const LANE = "lane", *const WARP = "warp", *const GROUP = "group",
                             *const LAUNCH = "launch", *const CLOCK = "clock";
    const char *const scopes[] = {
#define SCOPE(e, n, v) v,
        WW_SPECIALS(SCOPE)};
    return scopes[special];
}

static void visit_operand(const ww_operand *operand, ww_visit_register *visit, void *context)
{
    if (operand->kind == WW_OPERAND_REGISTER ||
        (operand->kind == WW_OPERAND_MEMORY && operand->reg >= 0))
        visit(operand->reg, context);
    for (unsigned e = 0; operand->kind == WW_OPERAND_VECTOR && e < operand->count; e++)
        visit_operand(&operand->elements[e], visit, context);
}

void ww_instruction_reads(const ww_instruction *i, ww_visit_register *visit, void *context)
{
    if (i->guard >= 0)
        visit(i->guard, context);
    for (unsigned n = i->result_count; n < i->operand_count; n++)
        visit_operand(&i->operands[n], visit, context);
    if (!i->call)
        return;
    visit_operand(&i->call->target, visit, context);
    for (unsigned n = 0; n < i->call->arg_count; n++)
        visit_operand(&i->call->args[n], visit, context);
}

void ww_instruction_writes(const ww_instruction *i, ww_visit_register *visit, void *context)
{
    for (unsigned n = 0; n < i->result_count; n++)
        visit_operand(&i->operands[n], visit, context);
    for (unsigned n = 0; i->call && n < i->call->return_count; n++)
        visit_operand(&i->call->returns[n], visit, context);
}
