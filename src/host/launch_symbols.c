/* The symbols of a launch file: variables of the kernel file that the host sets and reads. */
#include "host/launch_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static bool is_settable(const ww_variable *v)
{
    return (v->space == WW_SPACE_GLOBAL || v->space == WW_SPACE_CONST) && !v->external && v->size;
}

static int refuse(const ww_launch_file *file, const ww_buffer_part *symbol, ww_errors *errors)
{
    const ww_module *module = file->module;
    const char **names = ww_calloc(module->variable_count + 1, sizeof(*names));
    size_t count = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (is_settable(module->variables[i]))
            names[count++] = module->variables[i]->name;
    const char *near = ww_nearest(symbol->name, names, count);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, symbol->at, "there is no variable '%s' (did you mean '%s'?)",
                symbol->name, near);
    else
        ww_fail(errors, WW_BAD_INPUT, symbol->at,
                "there is no variable '%s' (the kernel file has %zu that can be set%s%s)",
                symbol->name, count, count ? "; the first is " : "", count ? names[0] : "");
    free(names);
    return WW_BAD_INPUT;
}

int ww_launch_bind_symbol(const ww_launch_file *file, ww_buffer_part *symbol, ww_errors *errors)
{
    for (uint32_t i = 0; i < file->module->variable_count; i++) {
        const ww_variable *v = file->module->variables[i];
        bool exact = strcmp(v->name, symbol->name) == 0;
        bool mangled = !symbol->variable && ww_launch_is_mangled(v->name, symbol->name);
        if (is_settable(v) && (exact || mangled))
            symbol->variable = v;
    }
    uint64_t bytes = symbol->count * ww_element_bytes(symbol->element);
    if (!symbol->variable)
        return refuse(file, symbol, errors);
    if (bytes != symbol->variable->size)
        return ww_fail(errors, WW_BAD_INPUT, symbol->at,
                       "symbol '%s' has %" PRIu64 " bytes here (the variable has %" PRIu64 ")",
                       symbol->name, bytes, symbol->variable->size);
    return WW_OK;
}

int ww_launch_set_symbols(const ww_launch_file *file, ww_device *device, ww_device_program *program,
                          const ww_launch_file_options *options, ww_buffer *own,
                          const ww_buffer **buffers, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; status == WW_OK && i < file->buffers.count; i++) {
        const ww_buffer_part *part = &file->buffers.items[i];
        if (!part->symbol)
            continue;
        own[i] = *ww_device_variable(device, program, part->variable->index);
        own[i].size = part->variable->size;
        buffers[i] = &own[i];
        if (!part->keep && part->fill == WW_FILL_ZERO)
            memset(own[i].host, 0, own[i].size);
        else if (!part->keep)
            status = ww_launch_fill(part, &own[i], options->seed, errors);
        if (!part->keep)
            ww_memory_host_wrote(device->memory, &own[i]);
        if (status == WW_OK)
            status = ww_launch_hint(part, &own[i], device, options, errors);
    }
    return status;
}
