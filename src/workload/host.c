#include "workload/host_internal.h"

#include <inttypes.h>
#include <stdarg.h>

bool ww_host_ok(const ww_host *host)
{
    return host->status == WW_OK;
}

void ww_host_fail(ww_host *host, int status)
{
    if (host->status == WW_OK)
        host->status = status;
}

ww_errors *ww_host_errors(ww_host *host)
{
    return host->errors;
}

void ww_host_refuse(ww_host *host, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        ww_out_of_memory(strlen(format));
    va_end(args);
    ww_host_fail(host, ww_fail(host->errors, WW_BAD_INPUT, WW_NOWHERE, "--size: %s", text));
    free(text);
}

/* ---- what the user asked for ---- */

/* False, and the run fails, when the workload has no such parameter. */
static bool find_parameter(ww_host *host, const char *name, size_t *index)
{
    const ww_workload *workload = host->choice->workload;
    *index = ww_parameter_index(workload, name);
    if (*index < workload->parameter_count)
        return true;
    ww_host_fail(host, ww_fail(host->errors, WW_FAILED, WW_NOWHERE,
                               "%s: its host side asks for '%s', which is not in its table of "
                               "parameters",
                               workload->name, name));
    return false;
}

uint64_t ww_host_number(ww_host *host, const char *name)
{
    size_t index;
    return find_parameter(host, name, &index) ? host->choice->numbers[index] : 1;
}

const char *ww_host_word(ww_host *host, const char *name)
{
    size_t index;
    return find_parameter(host, name, &index) ? host->choice->words[index] : "";
}

uint64_t ww_host_seed(const ww_host *host)
{
    return host->options->seed;
}

/* ---- memory ---- */

static void set_hints(ww_host *host, const ww_array *array, ww_buffer_hints hints)
{
    ww_hints_record(host->options->hints_given, array->buffer->name, &hints);
    ww_host_fail(host, ww_device_hint(host->device, array->buffer, hints, host->errors));
}

ww_array *ww_host_array(ww_host *host, const char *name, ww_role role, size_t size, uint64_t count)
{
    ww_array *array = ww_calloc(1, sizeof(*array));
    ww_vec_push(&host->arrays, array);
    array->role = role;
    array->stream = ww_hash64(name, strlen(name), ww_host_seed(host));
    if (!ww_host_ok(host))
        return array;
    if (count > (UINT64_MAX >> 8) / size) {
        ww_host_refuse(host, "array '%s' would have %" PRIu64 " elements of %zu bytes", name, count,
                       size);
        return array;
    }
    array->buffer = ww_device_buffer(host->device, name, count * size, host->errors);
    if (!array->buffer) {
        ww_host_fail(host, WW_FAILED);
        return array;
    }
    array->host = array->buffer->host;
    ww_buffer_hints hints = {0};
    ww_hint_list_apply(host->options->hints, name, &hints);
    set_hints(host, array, hints);
    return array;
}

void ww_host_advise(ww_host *host, ww_array *array, ww_buffer_hints hints)
{
    if (!ww_host_ok(host))
        return;
    ww_hint_list_apply(host->options->hints, array->buffer->name, &hints);
    hints.prefetch = array->buffer->hints.prefetch;
    set_hints(host, array, hints);
}

void ww_host_prefetch(ww_host *host, ww_array *array)
{
    if (!ww_host_ok(host))
        return;
    ww_buffer_hints hints = array->buffer->hints;
    hints.prefetch = true;
    ww_hint_list_apply(host->options->hints, array->buffer->name, &hints);
    set_hints(host, array, hints);
}

void *ww_host_alloc(ww_host *host, uint64_t count, size_t size)
{
    void *block = ww_calloc(count, size);
    ww_vec_push(&host->blocks, block);
    return block;
}

uint64_t ww_host_footprint(const ww_host *host)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < host->arrays.count; i++)
        bytes += host->arrays.items[i]->buffer->size;
    return bytes;
}

void ww_host_close(ww_host *host)
{
    for (size_t i = 0; i < host->blocks.count; i++)
        free(host->blocks.items[i]);
    for (size_t i = 0; i < host->arrays.count; i++)
        free(host->arrays.items[i]);
    for (size_t i = 0; i < host->graphs.count; i++)
        ww_graph_close(host->graphs.items[i]);
    ww_vec_free(&host->graphs);
    ww_vec_free(&host->blocks);
    ww_vec_free(&host->arrays);
}

void ww_host_fill_f32(ww_array *array, float low, float high)
{
    float *values = array->host;
    uint64_t count = array->buffer->size / sizeof(float);
    for (uint64_t i = 0; i < count; i++)
        values[i] = ww_random_f32(array, i, low, high);
}

/* ---- launches ---- */

static void complain(ww_host *host, const char *entry, const char *what)
{
    ww_host_fail(host, ww_fail(host->errors, WW_FAILED, WW_NOWHERE, "%s: launch of '%s': %s",
                               host->choice->workload->name, entry, what));
}

/* Puts the arguments into the entry's parameter block; returns the bytes of local memory. */
static uint64_t write_params(ww_host *host, const ww_function *function, const ww_arg *args,
                             uint64_t local_base, uint8_t *params)
{
    uint64_t local = 0;
    for (size_t i = 0; i < function->param_count; i++) {
        const ww_variable *p = &function->params[i];
        uint64_t bits = args[i].bits;
        if (p->size != args[i].size || p->is_pointer != (args[i].kind != WW_ARG_VALUE))
            complain(host, function->name, "an argument does not fit its parameter");
        if (args[i].kind == WW_ARG_ARRAY)
            bits = args[i].array->buffer->address;
        if (args[i].kind == WW_ARG_LOCAL) {
            local = (local + 15) / 16 * 16;
            bits = local_base + local;
            local += args[i].bits;
        }
        memcpy(params + p->offset, &bits, args[i].size);
    }
    return local;
}

static bool set_grid(const ww_range *range, ww_launch *launch)
{
    launch->work_dim = range->dims;
    for (int d = 0; d < 3; d++) {
        uint64_t groups = (range->items[d] + range->group[d] - 1) / range->group[d];
        if (groups > UINT32_MAX)
            return false;
        launch->groups[d] = (uint32_t)groups;
        launch->group[d] = (uint32_t)range->group[d];
    }
    return true;
}

static void launch(ww_host *host, const ww_function *function, ww_range range, const ww_arg *args,
                   uint8_t *params)
{
    uint64_t base = 0;
    ww_launch what = {.entry = function->name, .params = params, .at = WW_NOWHERE};
    if (!set_grid(&range, &what)) {
        ww_host_refuse(host, "%s would need more than %u groups", function->name, UINT32_MAX);
        return;
    }
    ww_host_fail(host, ww_device_dynamic_shared(host->device, host->program, function->name,
                                                what.at, &base, host->errors));
    what.dynamic_shared = write_params(host, function, args, base, params);
    if (ww_host_ok(host))
        ww_host_fail(host, ww_device_launch(host->device, host->program, &what, host->errors));
}

void ww_host_launch_with(ww_host *host, const char *entry, ww_range range, const ww_arg *args,
                         size_t count)
{
    const ww_workload_options *options = host->options;
    if (!ww_host_ok(host))
        return;
    const ww_function *function = ww_module_function(host->module, entry);
    if (!function || function->param_count != count) {
        complain(host, entry, function ? "wrong number of arguments" : "there is no such entry");
        return;
    }
    uint8_t *params = ww_calloc(function->param_bytes + 8, 1);
    launch(host, function, range, args, params);
    free(params);
    size_t index = host->launches++;
    if (ww_host_ok(host) && options->launched &&
        options->launched(options->context, index, function->name, host->errors))
        ww_host_fail(host, WW_FAILED);
}

/* ---- copies ---- */

void ww_host_read(ww_host *host, const ww_array *array, uint64_t first, uint64_t count, size_t size,
                  void *values)
{
    memset(values, 0, count * size);
    if (ww_host_ok(host))
        ww_host_fail(host, ww_device_read(host->device, array->buffer, first * size, values,
                                          count * size, host->errors));
}

void ww_host_write(ww_host *host, ww_array *array, uint64_t first, uint64_t count, size_t size,
                   const void *values)
{
    if (ww_host_ok(host))
        ww_host_fail(host, ww_device_write(host->device, array->buffer, first * size, values,
                                           count * size, host->errors));
}

uint32_t ww_host_read_u32(ww_host *host, const ww_array *array, uint64_t index)
{
    uint32_t value;
    ww_host_read(host, array, index, 1, sizeof(value), &value);
    return value;
}

void ww_host_write_u32(ww_host *host, ww_array *array, uint64_t index, uint32_t value)
{
    ww_host_write(host, array, index, 1, sizeof(value), &value);
}

float ww_host_read_f32(ww_host *host, const ww_array *array, uint64_t index)
{
    float value;
    ww_host_read(host, array, index, 1, sizeof(value), &value);
    return value;
}

void ww_host_write_f32(ww_host *host, ww_array *array, uint64_t index, float value)
{
    ww_host_write(host, array, index, 1, sizeof(value), &value);
}
