/* Faults of the simulated program: one line each, with kernel, lane and location. */
#include "exec/warp.h"

#include <string.h>

static const char *source_of(const ww_executor *x, const ww_instruction *i)
{
    const ww_module *m = x->kernel->entry->module;
    if (!i || i->source_file < 0 || (uint32_t)i->source_file >= m->file_count)
        return NULL;
    return m->files[i->source_file];
}

const char *ww_pc_location(const ww_executor *x, uint32_t pc, char *text, size_t size)
{
    const ww_instruction *i = pc < x->kernel->uop_count ? x->kernel->instructions[pc] : NULL;
    const char *source = source_of(x, i);
    if (source)
        snprintf(text, size, "%s:%d", source, i->source_line);
    else if (i)
        snprintf(text, size, "PTX line %d", i->line);
    else
        snprintf(text, size, "the end of the body");
    return text;
}

static void lane_name(const ww_executor *x, const ww_warp *w, int lane, char *text, size_t size)
{
    const ww_group *g = w->group;
    if (lane < 0) {
        snprintf(text, size, "group (%u,%u,%u), warp %u", g->id[0], g->id[1], g->id[2], w->index);
        return;
    }
    uint32_t item = w->index * x->width + (uint32_t)lane;
    uint32_t sx = x->group_size[0], sy = x->group_size[1];
    snprintf(text, size, "group (%u,%u,%u), work-item (%u,%u,%u), warp %u lane %d", g->id[0],
             g->id[1], g->id[2], item % sx, item / sx % sy, item / sx / sy, w->index, lane);
}

static int report(ww_executor *x, const ww_warp *w, uint32_t pc, int lane, const char *format,
                  va_list args)
{
    char what[512], lane_text[160], statement[224] = "";
    vsnprintf(what, sizeof(what), format, args);
    lane_name(x, w, lane, lane_text, sizeof(lane_text));
    const ww_instruction *i = pc < x->kernel->uop_count ? x->kernel->instructions[pc] : NULL;
    const char *source = source_of(x, i);
    ww_where at = {x->kernel->entry->module->path, i ? i->line : 0, 0};
    if (source)
        at = (ww_where){source, i->source_line, 0};
    if (i && source)
        snprintf(statement, sizeof(statement), " (PTX line %d: %s)", i->line, i->text);
    else if (i)
        snprintf(statement, sizeof(statement), " (%s)", i->text);
    return ww_fail(x->errors, WW_FAILED, at, "kernel '%s', %s: %s%s", x->kernel->entry->name,
                   lane_text, what, statement);
}

int ww_fault_at(ww_executor *x, const ww_warp *w, uint32_t pc, int lane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int status = report(x, w, pc, lane, format, args);
    va_end(args);
    return status;
}

int ww_fault(ww_executor *x, const ww_warp *w, int lane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    uint32_t pc = w->current == WW_NO_SPLIT ? WW_NO_PC : w->splits[w->current].pc;
    int status = report(x, w, pc, lane, format, args);
    va_end(args);
    return status;
}
