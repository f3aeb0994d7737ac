#include "host/launch_internal.h"

#include "base/json.h"
#include "base/text.h"
#include "host/host_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char *const root_keys[] = {"kernel",  "build_options", "parameters", "buffers",
                                        "symbols", "launches",      "dump",       "check"};

/* ---- helpers ---- */

const char *ww_launch_path(const ww_launch_file *file, const char *path)
{
    return path[0] == '/' ? path : ww_arena_printf(file->arena, "%s%s", file->folder, path);
}

int ww_launch_buffer(const ww_launch_file *file, const char *name, ww_where at, size_t *index,
                     ww_errors *errors)
{
    size_t count = file->buffers.count;
    const char **names = ww_calloc(count + 1, sizeof(*names));
    for (size_t i = 0; i < count; i++) {
        names[i] = file->buffers.items[i].name;
        if (strcmp(names[i], name) == 0) {
            *index = i;
            free(names);
            return WW_OK;
        }
    }
    const char *near = ww_nearest(name, names, count);
    ww_fail(errors, WW_BAD_INPUT, at, "there is no buffer '%s'%s%s%s", name,
            near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    free(names);
    return WW_BAD_INPUT;
}

int ww_launch_check_size(const char *path, ww_where at, uint64_t bytes, ww_errors *errors)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return ww_fail(errors, WW_BAD_INPUT, at, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return ww_fail(errors, WW_BAD_INPUT, at, "'%s' is not a file", path);
    if ((uint64_t)info.st_size != bytes)
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "'%s' has %" PRIu64 " bytes (the buffer has %" PRIu64 ")", path,
                       (uint64_t)info.st_size, bytes);
    return WW_OK;
}

int ww_launch_elements(ww_launch_file *file, ww_element element, const ww_yaml *list,
                       const char *what, uint64_t count, uint8_t **values, ww_errors *errors)
{
    int status = WW_OK;
    if (list->count == 0 || (count > 0 && list->count != count))
        return ww_fail(errors, WW_BAD_INPUT, list->at,
                       "%s has %zu elements (%" PRIu64 " %s needed)", what, list->count,
                       count ? count : 1, count > 1 ? "are" : "or more are");
    unsigned bytes = ww_element_bytes(element);
    *values = ww_arena_alloc(file->arena, list->count, bytes);
    for (size_t i = 0; i < list->count; i++)
        status |= ww_element_parse(element, list->items[i], what, *values + i * bytes, errors);
    return status;
}

/* ---- loading ---- */

static int read_kernel(ww_launch_file *file, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *kernel = NULL;
    const char *path = NULL;
    int status = ww_yaml_need(root, "kernel", &kernel, errors);
    if (status == WW_OK)
        status = ww_yaml_text(kernel, "'kernel'", &path, errors);
    if (status == WW_OK) {
        file->kernel = ww_launch_path(file, path);
        file->kernel_at = kernel->at;
    }
    const ww_yaml *options = ww_yaml_get(root, "build_options");
    if (options) {
        status |= ww_yaml_text(options, "'build_options'", &file->build_options, errors);
        file->build_options_at = options->at;
    }
    return status;
}

static int read_parts(ww_launch_file *file, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *launches = NULL;
    const ww_yaml *buffers = ww_yaml_get(root, "buffers");
    const ww_yaml *symbols = ww_yaml_get(root, "symbols");
    const ww_yaml *dump = ww_yaml_get(root, "dump");
    const ww_yaml *check = ww_yaml_get(root, "check");
    int status =
        ww_yaml_expect_keys(root, root_keys, sizeof(root_keys) / sizeof(root_keys[0]), errors);
    status |= read_kernel(file, root, errors);
    if (buffers)
        status |= ww_launch_read_buffers(file, buffers, errors);
    if (symbols)
        status |= ww_launch_read_symbols(file, symbols, errors);
    int need = ww_yaml_need(root, "launches", &launches, errors);
    status |= need;
    if (need == WW_OK)
        status |= ww_launch_read_launches(file, launches, errors);
    if (dump)
        status |= ww_launch_read_dumps(file, dump, errors);
    if (check)
        status |= ww_launch_read_checks(file, check, errors);
    return status;
}

static bool has_global_offset(const ww_launch_file *file)
{
    for (size_t i = 0; i < file->launches.count; i++)
        for (int d = 0; d < 3; d++)
            if (file->launches.items[i].offset[d])
                return true;
    return false;
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path);
    size_t part = strlen(end);
    return length >= part && strcmp(path + length - part, end) == 0;
}

static int load_module(ww_launch_file *file, ww_compiler *compiler, ww_errors *errors)
{
    ww_source source = {.path = file->kernel,
                        .build_options = file->build_options,
                        .build_options_at = file->build_options_at,
                        .folder = file->folder[0] ? file->folder : ".",
                        .global_offset = has_global_offset(file),
                        .at = file->kernel_at};
    size_t length = 0;
    if (source.global_offset && !ends_in(file->kernel, ".cl"))
        return ww_fail(errors, WW_BAD_INPUT, file->kernel_at,
                       "a global_offset needs an OpenCL C kernel (.cl)");
    int status = ww_compile(compiler, &source, &file->ptx, &length, errors);
    if (status != WW_OK)
        return status;
    const char *name = ends_in(file->kernel, ".ptx")
                           ? file->kernel
                           : ww_arena_printf(file->arena, "%s (PTX)", file->kernel);
    file->module = ww_module_parse(name, file->ptx, length, errors);
    return file->module ? WW_OK : WW_BAD_INPUT;
}

static int load(ww_launch_file *file, const char *path, const ww_launch_setting *setting,
                ww_compiler *compiler, ww_errors *errors)
{
    const char *slash = strrchr(path, '/');
    file->path = ww_arena_strdup(file->arena, path);
    file->folder = ww_arena_strndup(file->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
    if (setting->dump_folder)
        file->dump_folder = ww_arena_strdup(file->arena, setting->dump_folder);
    file->no_dump = setting->no_dump;
    file->document = ww_yaml_read(path, WW_NOWHERE, errors);
    if (!file->document)
        return WW_BAD_INPUT;
    const ww_yaml *root = ww_yaml_root(file->document);
    int status = ww_yaml_expect(root, WW_YAML_MAPPING, "a launch file", errors);
    if (status == WW_OK)
        status = ww_launch_evaluate(file, &root, setting->size, setting->config, errors);
    if (status != WW_OK)
        return status;
    status = read_parts(file, root, errors);
    if (!file->kernel)
        return status;
    status |= load_module(file, compiler, errors);
    for (size_t i = 0; status == WW_OK && i < file->buffers.count; i++)
        if (file->buffers.items[i].symbol)
            status |= ww_launch_bind_symbol(file, &file->buffers.items[i], errors);
    for (size_t i = 0; file->module && i < file->launches.count; i++)
        if (file->launches.items[i].sound)
            status |= ww_launch_bind(file, &file->launches.items[i], errors);
    return status;
}

ww_launch_file *ww_launch_file_load(const char *path, const ww_launch_setting *setting,
                                    ww_compiler *compiler, ww_errors *errors)
{
    ww_launch_file *file = ww_calloc(1, sizeof(*file));
    file->arena = ww_arena_create();
    if (load(file, path, setting, compiler, errors) == WW_OK)
        return file;
    ww_launch_file_destroy(file);
    return NULL;
}

void ww_launch_file_destroy(ww_launch_file *file)
{
    if (!file)
        return;
    ww_module_destroy(file->module);
    ww_yaml_destroy(file->document);
    ww_vec_free(&file->parameters);
    ww_vec_free(&file->buffers);
    ww_vec_free(&file->launches);
    ww_vec_free(&file->dumps);
    ww_vec_free(&file->checks);
    ww_arena_destroy(file->arena);
    free(file->ptx);
    free(file);
}

size_t ww_launch_file_launches(const ww_launch_file *file)
{
    return file->launches.count;
}

bool ww_launch_file_depends(const ww_launch_file *file)
{
    return file->has_expressions || file->parameters.count > 0;
}

bool ww_launch_file_has_dumps(const ww_launch_file *file)
{
    return file->has_dumps;
}

/* The double that it becomes may be another number. */
static bool is_beyond_double(const ww_launch_parameter *parameter)
{
    return parameter->is_whole && fabs(parameter->value) >= 0x1p53;
}

json_t *ww_launch_file_parameters(const ww_launch_file *file)
{
    json_t *values = file->parameters.count ? json_object() : NULL;
    for (size_t i = 0; i < file->parameters.count; i++) {
        const ww_launch_parameter *parameter = &file->parameters.items[i];
        json_object_set_new(values, parameter->name,
                            is_beyond_double(parameter) ? json_integer(parameter->whole)
                                                        : ww_json_real(parameter->value));
    }
    return values;
}

static void add_content(ww_hash128 *identity, const char *path)
{
    ww_errors *ignored = ww_errors_create(); /* a run reports them */
    char *bytes = NULL;
    size_t count = 0;
    if (ww_read_file(path, WW_NOWHERE, &bytes, &count, ignored) == WW_OK)
        ww_hash128_add(identity, bytes, count);
    free(bytes);
    ww_errors_destroy(ignored);
}

void ww_launch_file_identify(const ww_launch_file *file, ww_hash128 *identity)
{
    add_content(identity, file->path);
    ww_hash128_add_text(identity, file->ptx);
    for (size_t i = 0; i < file->parameters.count; i++) {
        const ww_launch_parameter *parameter = &file->parameters.items[i];
        ww_hash128_add(identity, &parameter->value, sizeof(parameter->value));
        if (is_beyond_double(parameter))
            ww_hash128_add(identity, &parameter->whole, sizeof(parameter->whole));
    }
    for (size_t i = 0; i < file->buffers.count; i++)
        if (file->buffers.items[i].fill == WW_FILL_FILE)
            add_content(identity, file->buffers.items[i].file);
}

/* ---- running ---- */

/* What the fills touch must fit into host memory; untouched zeros cost nothing. */
static int check_memory(const ww_launch_file *file, ww_errors *errors)
{
    uint64_t needed = 0;
    for (size_t i = 0; i < file->buffers.count; i++) {
        const ww_buffer_part *part = &file->buffers.items[i];
        if (part->fill != WW_FILL_ZERO)
            needed += part->count * ww_element_bytes(part->element);
    }
    return ww_check_host_memory(needed, errors);
}

static int make_buffers(const ww_launch_file *file, ww_device *device,
                        const ww_launch_file_options *options, const ww_buffer **buffers,
                        ww_errors *errors)
{
    int status = check_memory(file, errors);
    for (size_t i = 0; status == WW_OK && i < file->buffers.count; i++) {
        const ww_buffer_part *part = &file->buffers.items[i];
        if (part->symbol)
            continue;
        uint64_t bytes = part->count * ww_element_bytes(part->element);
        buffers[i] = ww_device_buffer(device, part->name, bytes, errors);
        status = buffers[i] ? ww_launch_fill(part, buffers[i], options->seed, errors) : WW_FAILED;
        if (status == WW_OK && !part->keep)
            status = ww_device_written(device, buffers[i], errors);
        if (status == WW_OK)
            status = ww_launch_hint(part, buffers[i], device, options, errors);
    }
    return status;
}

static int run_launches(const ww_launch_file *file, ww_device *device,
                        const ww_launch_file_options *options, ww_buffer *own,
                        const ww_buffer **buffers, ww_errors *errors)
{
    ww_device_program *program = ww_device_load(device, file->module, errors);
    int status = program ? WW_OK : ww_errors_status(errors);
    if (status == WW_OK)
        status = ww_launch_set_symbols(file, device, program, options, own, buffers, errors);
    for (size_t i = 0; status == WW_OK && i < file->launches.count; i++) {
        const ww_launch_part *launch = &file->launches.items[i];
        status = ww_launch_start(launch, buffers, device, program, errors);
        if (status == WW_OK && options->launched &&
            options->launched(options->context, i, launch->function->name, errors))
            status = WW_FAILED;
    }
    return status == WW_OK ? ww_device_finish(device, errors) : status;
}

static int take_results(const ww_launch_file *file, ww_device *device,
                        const ww_launch_file_options *options, const ww_buffer *const *buffers,
                        ww_verdict *verdict, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; !options->no_dump && i < file->dumps.count; i++) {
        const ww_buffer *buffer = buffers[file->dumps.items[i].buffer];
        status |= ww_device_readable(device, buffer, errors);
        status |= ww_launch_dump(file, &file->dumps.items[i], buffer, errors);
    }
    for (size_t i = 0; options->verify && i < file->checks.count; i++) {
        const ww_result_part *check = &file->checks.items[i];
        const ww_buffer *buffer = buffers[check->buffer];
        status |= ww_device_readable(device, buffer, errors);
        int wrong = ww_launch_check(check, &file->buffers.items[check->buffer], buffer, errors);
        *verdict = wrong || *verdict == WW_WRONG ? WW_WRONG : WW_VERIFIED;
        status |= wrong;
    }
    return status ? WW_FAILED : WW_OK;
}

int ww_launch_file_run(const ww_launch_file *file, ww_device *device,
                       const ww_launch_file_options *options, ww_verdict *verdict,
                       ww_errors *errors)
{
    const ww_buffer **buffers = ww_calloc(file->buffers.count + 1, sizeof(ww_buffer *));
    ww_buffer *own = ww_calloc(file->buffers.count + 1, sizeof(ww_buffer));
    *verdict = WW_NOT_VERIFIED;
    int status = ww_launch_check_hints(file, options, errors);
    if (status == WW_OK)
        status = make_buffers(file, device, options, buffers, errors);
    if (status == WW_OK)
        status = run_launches(file, device, options, own, buffers, errors);
    if (status == WW_OK)
        status = take_results(file, device, options, buffers, verdict, errors);
    free(buffers);
    free(own);
    return status;
}
