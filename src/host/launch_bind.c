/* Binds a launch to its module: finds the entry, sets the grid, checks arguments against
 * parameters. */
#include "host/launch_internal.h"

#include "base/text.h"
#include "host/group_choice.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- entries ---- */

/* "_Z4axpyfPf" and "_Z4axpyIfEvPT_" are `axpy`, "_ZL4axpy" is a static one. */
bool ww_launch_is_mangled(const char *symbol, const char *name)
{
    size_t length = 0;
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    symbol += 2 + (symbol[2] == 'L');
    for (; isdigit((unsigned char)*symbol); symbol++)
        length = length * 10 + (size_t)(*symbol - '0');
    return length == strlen(name) && strncmp(symbol, name, length) == 0;
}

typedef struct entries {
    const char **names;
    size_t count;
    char *list; /* "a, b, c" */
} entries;

static entries list_entries(const ww_module *module)
{
    entries all = {ww_calloc(module->function_count + 1, sizeof(char *)), 0, NULL};
    size_t size = 0;
    FILE *out = open_memstream(&all.list, &size);
    for (uint32_t i = 0; i < module->function_count; i++) {
        const ww_function *function = module->functions[i];
        if (!function->is_entry || !function->has_body)
            continue;
        if (all.count < 10)
            fprintf(out, "%s%s", all.count ? ", " : "", function->name);
        all.names[all.count++] = function->name;
    }
    if (all.count > 10)
        fprintf(out, " and %zu more", all.count - 10);
    fclose(out);
    return all;
}

static int refuse_entry(const ww_launch_part *launch, const entries *all, size_t matches,
                        ww_errors *errors)
{
    const char *near =
        launch->entry && matches == 0 ? ww_nearest(launch->entry, all->names, all->count) : NULL;
    if (all->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, launch->at, "the kernel file has no entries");
    if (!launch->entry)
        return ww_fail(errors, WW_BAD_INPUT, launch->at, "'entry' is missing (the file has %s)",
                       all->list);
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, launch->entry_at,
                       "there is no entry '%s' (did you mean '%s'?)", launch->entry, near);
    return ww_fail(errors, WW_BAD_INPUT, launch->entry_at, "there %s '%s' (the file has %s)",
                   matches ? "are several entries" : "is no entry", launch->entry, all->list);
}

static int bind_entry(const ww_module *module, ww_launch_part *launch, ww_errors *errors)
{
    entries all = list_entries(module);
    const char *found = NULL;
    size_t matches = 0;
    for (size_t i = 0; i < all.count && launch->entry; i++) {
        if (strcmp(all.names[i], launch->entry) == 0) {
            found = all.names[i];
            matches = 1;
            break;
        }
        if (ww_launch_is_mangled(all.names[i], launch->entry)) {
            found = all.names[i];
            matches++;
        }
    }
    if (!launch->entry && all.count == 1) {
        found = all.names[0];
        matches = 1;
    }
    int status = WW_OK;
    if (matches == 1)
        launch->function = ww_module_function(module, found);
    else
        status = refuse_entry(launch, &all, matches, errors);
    free(all.names);
    free(all.list);
    return status;
}

/* ---- grid ---- */

static int check_group(const ww_launch_part *launch, ww_errors *errors)
{
    const ww_function *f = launch->function;
    const uint64_t *g = launch->local;
    const uint32_t *r = f->required_group;
    uint64_t size = g[0] * g[1] * g[2];
    uint64_t most = (uint64_t)f->most_group[0] * (f->most_group[1] ? f->most_group[1] : 1) *
                    (f->most_group[2] ? f->most_group[2] : 1);
    if (size > WW_MOST_GROUP)
        return ww_fail(errors, WW_BAD_INPUT, launch->local_at,
                       "a group has %" PRIu64 " work-items (at most %d)", size, WW_MOST_GROUP);
    if (r[0] && (g[0] != r[0] || g[1] != (r[1] ? r[1] : 1) || g[2] != (r[2] ? r[2] : 1)))
        return ww_fail(errors, WW_BAD_INPUT, launch->local_at,
                       "'local' is [%" PRIu64 ", %" PRIu64 ", %" PRIu64
                       "] but '%s' requires [%u, %u, %u]",
                       g[0], g[1], g[2], f->name, r[0], r[1] ? r[1] : 1, r[2] ? r[2] : 1);
    if (most && size > most)
        return ww_fail(errors, WW_BAD_INPUT, launch->local_at,
                       "a group has %" PRIu64 " work-items but '%s' allows %" PRIu64, size, f->name,
                       most);
    return WW_OK;
}

static int bind_grid(ww_launch_part *launch, ww_errors *errors)
{
    if (!launch->local_dims)
        ww_choose_group(launch->function, launch->dims, WW_MOST_GROUP, launch->global,
                        launch->local);
    for (unsigned d = launch->dims; d < 3; d++)
        launch->global[d] = launch->local[d] = 1;
    int status = check_group(launch, errors);
    for (unsigned d = 0; d < 3; d++) {
        uint64_t groups = launch->global[d];
        if (!launch->in_groups) {
            if (groups % launch->local[d] != 0)
                status |= ww_fail(errors, WW_BAD_INPUT, launch->local_at,
                                  "'global' %" PRIu64 " is not a multiple of 'local' %" PRIu64
                                  " in dimension %u",
                                  groups, launch->local[d], d);
            groups /= launch->local[d];
        }
        if (groups > UINT32_MAX)
            status |= ww_fail(errors, WW_BAD_INPUT, launch->global_at,
                              "%" PRIu64 " groups in dimension %u are too many (at most %u)",
                              groups, d, UINT32_MAX);
        launch->groups[d] = (uint32_t)groups;
        launch->group[d] = (uint32_t)launch->local[d];
    }
    return status;
}

/* ---- arguments ---- */

static const char *describe(const ww_argument *argument)
{
    switch (argument->kind) {
    case WW_ARGUMENT_BUFFER: return "a buffer";
    case WW_ARGUMENT_NULL: return "null";
    case WW_ARGUMENT_VALUE: return ww_element_names[argument->element];
    case WW_ARGUMENT_BYTES: return "bytes";
    default: return "local memory";
    }
}

/* The kind of argument that a parameter takes, in the words of a launch file. */
static void describe_parameter(const ww_variable *p, char *text, size_t size)
{
    bool real = ww_type_is_float((ww_type)p->type);
    unsigned bits = ww_type_bits((ww_type)p->type);
    if (p->is_pointer && p->pointer_space == WW_SPACE_SHARED)
        snprintf(text, size, "local memory, {local: BYTES}");
    else if (p->is_pointer)
        snprintf(text, size, "a buffer");
    else if (p->size * 8 != bits)
        snprintf(text, size, "%" PRIu64 " bytes, {bytes: \"...\"}", p->size);
    else if (real)
        snprintf(text, size, "f%u", bits);
    else
        snprintf(text, size, "i%u or u%u%s", bits, bits, bits == 64 ? ", or a buffer" : "");
}

/* A float parameter takes no integer, an integer parameter no float; untyped parameters (.b32) and
 * aggregates take both. */
static bool fits_type(const ww_argument *argument, const ww_variable *p)
{
    bool aggregate = p->size * 8 != ww_type_bits((ww_type)p->type);
    bool untyped = p->type == WW_TYPE_B8 || p->type == WW_TYPE_B16 || p->type == WW_TYPE_B32 ||
                   p->type == WW_TYPE_B64;
    bool real = ww_type_is_float((ww_type)p->type);
    return aggregate || untyped || real == ww_element_is_float(argument->element);
}

static bool fits(const ww_argument *argument, const ww_variable *p)
{
    bool to_shared = p->is_pointer && p->pointer_space == WW_SPACE_SHARED;
    bool word = p->size == 8 && !ww_type_is_float((ww_type)p->type);
    switch (argument->kind) {
    case WW_ARGUMENT_BUFFER:
    case WW_ARGUMENT_NULL: return word && !to_shared;
    case WW_ARGUMENT_LOCAL: return to_shared;
    case WW_ARGUMENT_VALUE:
        return !p->is_pointer && argument->size == p->size && fits_type(argument, p);
    default: return !p->is_pointer && argument->size == p->size;
    }
}

static int bind_arguments(const ww_launch_part *launch, ww_errors *errors)
{
    const ww_function *function = launch->function;
    int status = WW_OK;
    if (launch->arg_count != function->param_count)
        return ww_fail(errors, WW_BAD_INPUT, launch->at,
                       "'%s' has %u parameter%s and gets %zu argument%s", function->name,
                       function->param_count, function->param_count == 1 ? "" : "s",
                       launch->arg_count, launch->arg_count == 1 ? "" : "s");
    for (size_t i = 0; i < launch->arg_count; i++) {
        const ww_argument *argument = &launch->args[i];
        const ww_variable *parameter = &function->params[i];
        char wanted[64];
        if (fits(argument, parameter))
            continue;
        describe_parameter(parameter, wanted, sizeof(wanted));
        bool sized = argument->kind == WW_ARGUMENT_VALUE || argument->kind == WW_ARGUMENT_BYTES;
        char size[48] = "";
        if (sized && argument->size != parameter->size)
            snprintf(size, sizeof(size), " of %" PRIu64 " byte%s", argument->size,
                     argument->size == 1 ? "" : "s");
        status |= ww_fail(errors, WW_BAD_INPUT, argument->at,
                          "argument %zu of '%s' is %s%s (%s is needed)", i + 1, function->name,
                          describe(argument), size, wanted);
    }
    return status;
}

int ww_launch_bind(const ww_launch_file *file, ww_launch_part *launch, ww_errors *errors)
{
    int status = bind_entry(file->module, launch, errors);
    if (status != WW_OK)
        return status;
    return bind_grid(launch, errors) | bind_arguments(launch, errors);
}

/* ---- running ---- */

/* Puts the arguments into a parameter block; the dynamic shared memory starts at `base`. Returns
 * how many bytes of it there are. */
static uint64_t write_params(const ww_launch_part *launch, const ww_buffer *const *buffers,
                             uint64_t base, uint8_t *params)
{
    uint64_t shared = launch->shared;
    for (size_t i = 0; i < launch->arg_count; i++) {
        const ww_argument *argument = &launch->args[i];
        const ww_variable *parameter = &launch->function->params[i];
        uint64_t pointer = 0;
        if (argument->kind == WW_ARGUMENT_BUFFER)
            pointer = buffers[argument->buffer]->address;
        if (argument->kind == WW_ARGUMENT_LOCAL) {
            pointer = ww_local_argument_at(base + shared, argument->size);
            shared = pointer + argument->size - base;
        }
        const void *value = argument->bytes ? (const void *)argument->bytes : &pointer;
        memcpy(params + parameter->offset, value, parameter->size);
    }
    return shared;
}

int ww_launch_start(const ww_launch_part *launch, const ww_buffer *const *buffers,
                    ww_device *device, ww_device_program *program, ww_errors *errors)
{
    const ww_function *function = launch->function;
    uint64_t base = 0;
    int status =
        ww_device_dynamic_shared(device, program, function->name, launch->at, &base, errors);
    if (status != WW_OK)
        return status;
    uint8_t *params = ww_calloc(function->param_bytes + 1, 1);
    ww_launch what = {.entry = function->name,
                      .work_dim = launch->dims,
                      .params = params,
                      .dynamic_shared = write_params(launch, buffers, base, params),
                      .at = launch->at};
    for (int d = 0; d < 3; d++) {
        what.groups[d] = launch->groups[d];
        what.group[d] = launch->group[d];
        what.global_offset[d] = (uint32_t)launch->offset[d];
    }
    status = ww_device_launch(device, program, &what, errors);
    free(params);
    return status;
}
