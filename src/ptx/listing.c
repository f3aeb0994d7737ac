#include "ptx/listing.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_WIDTH 32 /* of a branch, before its notes */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_block_name(const ww_flow *flow, uint32_t block, FILE *out)
{
    if (block == flow->block_count)
        fputs(" exit", out);
    else
        fprintf(out, " %u", block);
}

static void write_variable(const ww_variable *v, bool with_offset, FILE *out)
{
    fputs("    ", out);
    if (with_offset)
        fprintf(out, "%5" PRIu64 "  ", v->offset);
    fprintf(out, ".%-6s  %6" PRIu64 " bytes  align %-3u .%-4s %s%s\n",
            ww_space_name((ww_space)v->space), v->size, v->align, ww_type_name((ww_type)v->type),
            v->name, v->external ? "  (size given at launch)" : "");
}

static void write_parameter(const ww_variable *v, const char *what, FILE *out)
{
    fprintf(out, "    %-6s", what);
    if (v->in_register)
        fputs("    in a register", out);
    else
        fprintf(out, " %5" PRIu64 "  %5" PRIu64 " bytes", v->offset, v->size);
    fprintf(out, "  .%-4s", ww_type_name((ww_type)v->type));
    if (v->is_pointer)
        fprintf(out, " .ptr .%-7s", ww_space_name((ww_space)v->pointer_space));
    else
        fprintf(out, " %13s", "");
    fprintf(out, " %s\n", v->name);
}

static void write_parameters(const ww_function *f, FILE *out)
{
    if (f->param_count + f->return_count == 0)
        return;
    fputs("  parameters (offset, size)\n", out);
    for (unsigned p = 0; p < f->param_count; p++)
        write_parameter(&f->params[p], "in", out);
    for (unsigned r = 0; r < f->return_count; r++)
        write_parameter(&f->returns[r], "out", out);
}

static void write_needs(const ww_function_analysis *a, FILE *out)
{
    const ww_function *f = a->function;
    const ww_register_need *own = &a->liveness->most;
    fprintf(out, "  registers   vector %u  scalar %u  predicates %u  (32-bit units", a->need.vector,
            a->need.scalar, a->need.predicates);
    if (memcmp(own, &a->need, sizeof *own) != 0)
        fprintf(out, "; without callees %u, %u, %u", own->vector, own->scalar, own->predicates);
    fputs(")\n", out);
    fprintf(out, "  memory      shared %" PRIu64 " bytes  local %" PRIu64 " bytes a lane",
            f->shared_bytes, a->local_bytes);
    fputs(a->recursive ? "  (recursive: more with every round)\n" : "\n", out);
    if (a->calls_indirectly)
        fputs("  calls       through pointers: any function whose address is taken\n", out);
    if (f->required_group[0])
        fprintf(out, "  group       must be %u x %u x %u\n", f->required_group[0],
                f->required_group[1], f->required_group[2]);
    if (f->required_subgroup)
        fprintf(out, "  sub-group   must have %u lanes\n", f->required_subgroup);
    if (f->most_group[0])
        fprintf(out, "  group       at most %u x %u x %u\n", f->most_group[0], f->most_group[1],
                f->most_group[2]);
}

static void write_counts(const ww_function_analysis *a, FILE *out)
{
    fprintf(out, "  code        instructions %u (uniform %u)  branches %u (divergent %u)  ",
            a->function->instruction_count, a->uniform->instruction_count, a->uniform->branch_count,
            a->uniform->divergent_count);
    fprintf(out, "blocks %u  loops %u\n", a->flow->block_count, a->flow->loop_count);
    if (a->flow->irreducible_entries)
        fprintf(out, "  irreducible loops are entered elsewhere than at the top (edges: %u)\n",
                a->flow->irreducible_entries);
    if (a->flow->endless_loops)
        fprintf(out, "  endless     loops that nothing leaves: %u\n", a->flow->endless_loops);
}

static void write_edges(const ww_flow *flow, const char *mark, const uint32_t *blocks,
                        uint32_t count, FILE *out)
{
    if (count == 0)
        return;
    fprintf(out, "  %s", mark);
    for (uint32_t i = 0; i < count; i++)
        write_block_name(flow, blocks[i], out);
}

static void write_block_head(const ww_function_analysis *a, uint32_t b, FILE *out)
{
    const ww_block *block = &a->flow->blocks[b];
    fprintf(out, "\n  block %u", b);
    write_edges(a->flow, "from", block->predecessors, block->predecessor_count, out);
    write_edges(a->flow, "to", block->successors, block->successor_count, out);
    if (block->loop != WW_NO_BLOCK)
        fprintf(out, block->loop == b ? "  loop top, depth %u" : "  in loop, depth %u",
                block->loop_depth);
    if (block->loop == b && a->flow->irreducible[b])
        fputs("  irreducible", out);
    if (a->uniform->divergent[b])
        fputs("  divergent", out);
    if (!block->reachable)
        fputs("  unreachable", out);
    fputc('\n', out);
}

static void write_side(const char *name, const ww_path *path, FILE *out)
{
    if (!path->exists)
        return;
    fprintf(out, "  %s %u", name, path->shortest);
    if (path->longest != path->shortest)
        fprintf(out, "-%u", path->longest);
    fprintf(out, " (PC %+" PRId64 ")", path->inferred);
}

static void write_branch_notes(const ww_function_analysis *a, uint32_t i, FILE *out)
{
    uint32_t meet = ww_flow_reconvergence(a->flow, i);
    if (meet == WW_NO_RECONVERGENCE)
        fputs("  meets nowhere", out);
    else
        fprintf(out, "  meets %u", meet);
    const ww_branch_paths *paths = ww_paths_find(a->paths, i);
    if (!paths)
        return;
    write_side("taken", &paths->taken, out);
    write_side("falls", &paths->fall_through, out);
}

static bool has_source_lines(const ww_function *f)
{
    for (uint32_t i = 0; i < f->instruction_count; i++)
        if (f->instructions[i].source_file >= 0)
            return true;
    return false;
}

static void write_source(const ww_module *m, const ww_instruction *in, FILE *out)
{
    char location[64] = "";
    const char *file = in->source_file >= 0 && (uint32_t)in->source_file < m->file_count
                           ? m->files[in->source_file]
                           : NULL;
    if (file)
        snprintf(location, sizeof location, "%.40s:%d", base_name(file), in->source_line);
    fprintf(out, " %-18s", location);
}

static void write_instruction(const ww_function_analysis *a, uint32_t i, bool sources, FILE *out)
{
    const ww_instruction *in = &a->function->instructions[i];
    fprintf(out, "  %6u %c %6d", i, a->uniform->instruction[i] ? 'u' : ' ', in->line);
    if (sources)
        write_source(a->function->module, in, out);
    bool noted = in->form.op == WW_OP_BRA || ww_instruction_splits(in);
    fprintf(out, "  %-*s", noted ? TEXT_WIDTH : 0, in->text);
    if (in->form.op == WW_OP_BRA)
        fprintf(out, "  to %u", in->operands[0].target);
    if (ww_instruction_splits(in))
        write_branch_notes(a, i, out);
    fputc('\n', out);
}

static void write_function(const ww_function_analysis *a, FILE *out)
{
    const ww_function *f = a->function;
    fprintf(out, "\n%s %s  (line %d)\n", f->is_entry ? "entry" : "function", f->name, f->line);
    write_parameters(f, out);
    write_needs(a, out);
    write_counts(a, out);
    for (uint32_t v = 0; v < f->variable_count; v++) {
        if (v == 0)
            fputs("  variables (offset)\n", out);
        write_variable(f->variables[v], true, out);
    }
    bool sources = has_source_lines(f);
    for (uint32_t b = 0; b < a->flow->block_count; b++) {
        write_block_head(a, b, out);
        for (uint32_t i = a->flow->blocks[b].first; i <= a->flow->blocks[b].last; i++)
            write_instruction(a, i, sources, out);
    }
}

static void write_module(const ww_module *m, FILE *out)
{
    fprintf(out, "%s: PTX %u.%u for %s\n", m->path, m->version / 10, m->version % 10,
            m->target ? m->target : "any target");
    for (uint32_t v = 0; v < m->variable_count; v++) {
        if (v == 0)
            fputs("  variables\n", out);
        write_variable(m->variables[v], false, out);
    }
    for (uint32_t f = 0; f < m->function_count; f++)
        if (!m->functions[f]->has_body)
            fprintf(out, "  %s is declared but has no body here\n", m->functions[f]->name);
}

void ww_listing_write(const ww_analysis *analysis, const char *only, FILE *out)
{
    const ww_module *m = analysis->module;
    write_module(m, out);
    for (uint32_t f = 0; f < m->function_count; f++)
        if (m->functions[f]->has_body && (!only || strcmp(only, m->functions[f]->name) == 0))
            write_function(&analysis->functions[f], out);
    fputs(
        "\nu: the same in all lanes.  meets: where split lanes come together again.  taken, falls: "
        "instructions\nuntil there, fewest-most, and as inferred from program counters.\n",
        out);
}
