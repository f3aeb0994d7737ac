/* Programs: creation, references, queries. */
#include "ocl/program.h"

#include "ocl/gpu.h"

#include <string.h>

/* ---- code ---- */

static WW_VEC(ww_cl_code) kept; /* loaded code of programs that are gone */

static void free_code(ww_cl_code *code)
{
    ww_analysis_destroy(code->analysis);
    code->analysis = NULL;
    if (code->loaded)
        ww_device_trim(ww_cl_gpu_device(), code->loaded);
    if (code->loaded && !code->borrowed) {
        ww_vec_push(&kept, *code);
    } else {
        ww_module_destroy(code->module);
        free(code->ptx);
    }
    *code = (ww_cl_code){0};
}

/* Variables keep their values from launch to launch: only code without any is used again. */
static bool has_state(const ww_module *module)
{
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (module->variables[i]->space == WW_SPACE_GLOBAL)
            return true;
    return false;
}

/* Kernels already use the new module's functions: only what the device made is taken over. The old
 * code stays in the list, because the device's program uses its module. */
static ww_device_program *find_kept(const ww_cl_code *code)
{
    for (size_t i = 0; i < kept.count; i++) {
        const ww_cl_code *old = &kept.items[i];
        if (old->length == code->length && memcmp(old->ptx, code->ptx, code->length) == 0)
            return has_state(old->module) ? NULL : old->loaded;
    }
    return NULL;
}

ww_device_program *ww_cl_program_load(cl_program program, ww_cl_variant variant)
{
    ww_cl_code *code = &program->code[variant];
    ww_errors *errors = ww_errors_create();
    int status = code->module ? WW_OK : ww_cl_program_make(program, variant, errors);
    if (status == WW_OK && !code->loaded) {
        code->loaded = find_kept(code);
        code->borrowed = code->loaded != NULL;
    }
    if (status == WW_OK && !code->loaded)
        code->loaded = ww_device_load(ww_cl_gpu_device(), code->module, errors);
    ww_cl_report(program->context, errors);
    ww_errors_destroy(errors);
    return status == WW_OK ? code->loaded : NULL;
}

const ww_module *ww_cl_program_module(cl_program program)
{
    return program->status == CL_BUILD_SUCCESS ? program->code[WW_CL_PLAIN].module : NULL;
}

const ww_register_need *ww_cl_program_need(cl_program program, const ww_function *function)
{
    ww_cl_code *code = &program->code[WW_CL_PLAIN];
    if (!code->analysis)
        code->analysis = ww_analysis_create(code->module);
    return &code->analysis->functions[function->index].need;
}

bool ww_cl_program_takes_edges(cl_program program)
{
    const char *standard = NULL, *at = program->all_options;
    while ((at = strstr(at, "-cl-std=CL"))) /* the last one counts */
        standard = at++;
    bool new = standard &&strncmp(standard, "-cl-std=CL1", 11) != 0;
    return new && !strstr(program->all_options, "-cl-uniform-work-group-size");
}

size_t ww_cl_program_variable_bytes(cl_program program)
{
    const ww_module *module = ww_cl_program_module(program);
    size_t bytes = 0;
    for (uint32_t i = 0; module && i < module->variable_count; i++)
        if (module->variables[i]->space == WW_SPACE_GLOBAL)
            bytes += module->variables[i]->size;
    return bytes;
}

const ww_buffer *ww_cl_program_part_state(cl_program program, ww_device_program *loaded)
{
    const ww_module *module = program->code[WW_CL_EDGES].module;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i]->name, "__ww_launch_part") == 0)
            return ww_device_variable(ww_cl_gpu_device(), loaded, i);
    return NULL;
}

void ww_cl_program_reset(cl_program program)
{
    for (int i = 0; i < WW_CL_VARIANTS; i++)
        free_code(&program->code[i]);
    for (size_t i = 0; i < program->objects.count; i++)
        free(program->objects.items[i].bytes);
    ww_vec_free(&program->objects);
    for (size_t i = 0; i < program->header_count; i++) {
        free((char *)(uintptr_t)program->headers[i].name);
        free((char *)(uintptr_t)program->headers[i].text);
    }
    free(program->headers);
    program->headers = NULL;
    program->header_count = 0;
    free(program->log);
    program->log = ww_strdup("");
    program->type = CL_PROGRAM_BINARY_TYPE_NONE;
    program->status = CL_BUILD_NONE;
}

void ww_cl_program_set_options(cl_program program, const char *options)
{
    const char *added = ww_cl_gpu_build_options();
    free(program->options);
    free(program->all_options);
    program->options = ww_strdup(options ? options : "");
    program->all_options = ww_format("%s%s%s", program->options, added[0] ? " " : "", added);
}

void ww_cl_program_clear(cl_program program)
{
    ww_cl_program_reset(program);
    free(program->source);
    free(program->options);
    free(program->all_options);
    free(program->log);
    ww_cl_drop(program->context);
}

/* ---- creation ---- */

cl_program ww_cl_program_create(cl_context context)
{
    cl_program program = ww_cl_create(WW_CL_PROGRAM, sizeof(*program));
    program->context = context;
    program->status = CL_BUILD_NONE;
    program->type = CL_PROGRAM_BINARY_TYPE_NONE;
    program->options = ww_strdup("");
    program->all_options = ww_strdup("");
    program->log = ww_strdup("");
    ww_cl_use(context);
    return program;
}

static size_t length_of(const char *text, const size_t *lengths, cl_uint index)
{
    return lengths && lengths[index] ? lengths[index] : strlen(text);
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **texts, const size_t *lengths,
                                                 cl_int *code)
{
    WW_CL_ENTER;
    size_t whole = 0;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return ww_cl_none(code, CL_INVALID_CONTEXT);
    if (count == 0 || !texts)
        return ww_cl_none(code, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        if (!texts[i])
            return ww_cl_none(code, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        whole += length_of(texts[i], lengths, i);
    cl_program program = ww_cl_program_create(context);
    program->source = ww_calloc(whole + 1, 1);
    size_t at = 0;
    for (cl_uint i = 0; i < count; i++) {
        size_t length = length_of(texts[i], lengths, i);
        memcpy(program->source + at, texts[i], length);
        at += length;
    }
    ww_cl_none(code, CL_SUCCESS);
    return program;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                 const cl_device_id *devices, const size_t *lengths,
                                                 const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *code)
{
    WW_CL_ENTER;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return ww_cl_none(code, CL_INVALID_CONTEXT);
    if (count == 0 || !devices || !lengths || !binaries)
        return ww_cl_none(code, CL_INVALID_VALUE);
    if (!ww_cl_are_devices(count, devices))
        return ww_cl_none(code, CL_INVALID_DEVICE);
    cl_program program = ww_cl_program_create(context);
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++) {
        bool given = lengths[i] && binaries[i];
        bool right = given && (i > 0 || ww_cl_binary_read(program, binaries[i], lengths[i]));
        cl_int one = !given ? CL_INVALID_VALUE : right ? CL_SUCCESS : CL_INVALID_BINARY;
        if (binary_status)
            binary_status[i] = one;
        status = status == CL_SUCCESS ? one : status;
    }
    if (status != CL_SUCCESS) {
        ww_cl_release(program, WW_CL_PROGRAM, CL_INVALID_PROGRAM);
        return ww_cl_none(code, status);
    }
    ww_cl_none(code, CL_SUCCESS);
    return program;
}

cl_int CL_API_CALL clRetainProgram(cl_program program)
{
    WW_CL_ENTER;
    return ww_cl_retain(program, WW_CL_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL clReleaseProgram(cl_program program)
{
    WW_CL_ENTER;
    return ww_cl_release(program, WW_CL_PROGRAM, CL_INVALID_PROGRAM);
}

/* ---- queries ---- */

static bool is_kernel(const ww_function *function)
{
    return function->is_entry && function->has_body;
}

static cl_int give_kernel_count(cl_program program, const ww_cl_answer *answer)
{
    const ww_module *module = ww_cl_program_module(program);
    size_t count = 0;
    if (!module)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    for (uint32_t i = 0; i < module->function_count; i++)
        count += is_kernel(module->functions[i]);
    return ww_cl_give_size(answer, count);
}

static cl_int give_kernel_names(cl_program program, const ww_cl_answer *answer)
{
    const ww_module *module = ww_cl_program_module(program);
    char *text = NULL;
    size_t length = 0, count = 0;
    if (!module)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    FILE *out = open_memstream(&text, &length);
    for (uint32_t i = 0; i < module->function_count; i++)
        if (is_kernel(module->functions[i]))
            fprintf(out, "%s%s", count++ ? ";" : "", module->functions[i]->name);
    fclose(out);
    cl_int status = ww_cl_give_text(answer, text);
    free(text);
    return status;
}

static cl_int give_binary_size(cl_program program, const ww_cl_answer *answer)
{
    size_t size;
    free(ww_cl_binary_write(program, &size));
    return ww_cl_give_size(answer, size);
}

/* The value is an array of pointers, one for each device, to where binaries go. */
static cl_int give_binaries(cl_program program, const ww_cl_answer *answer)
{
    size_t size;
    if (answer->value && answer->room < sizeof(void *))
        return CL_INVALID_VALUE;
    if (answer->value && *(unsigned char **)answer->value) {
        char *binary = ww_cl_binary_write(program, &size);
        memcpy(*(unsigned char **)answer->value, binary, size);
        free(binary);
    }
    if (answer->size)
        *answer->size = sizeof(void *);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info name, size_t room,
                                    void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(program, WW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: return ww_cl_give_uint(&answer, program->object.references);
    case CL_PROGRAM_CONTEXT: return ww_cl_give_handle(&answer, program->context);
    case CL_PROGRAM_NUM_DEVICES: return ww_cl_give_uint(&answer, 1);
    case CL_PROGRAM_DEVICES: return ww_cl_give_handle(&answer, ww_cl_device());
    case CL_PROGRAM_SOURCE: return ww_cl_give_text(&answer, program->source ? program->source : "");
    case CL_PROGRAM_IL: return ww_cl_give(&answer, NULL, 0);
    case CL_PROGRAM_BINARY_SIZES: return give_binary_size(program, &answer);
    case CL_PROGRAM_BINARIES: return give_binaries(program, &answer);
    case CL_PROGRAM_NUM_KERNELS: return give_kernel_count(program, &answer);
    case CL_PROGRAM_KERNEL_NAMES: return give_kernel_names(program, &answer);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: return ww_cl_give_bool(&answer, false);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info name, size_t room, void *value,
                                         size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(program, WW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (!ww_cl_is(device, WW_CL_DEVICE))
        return CL_INVALID_DEVICE;
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: return ww_cl_give_uint(&answer, (cl_uint)program->status);
    case CL_PROGRAM_BUILD_OPTIONS: return ww_cl_give_text(&answer, program->options);
    case CL_PROGRAM_BUILD_LOG: return ww_cl_give_text(&answer, program->log);
    case CL_PROGRAM_BINARY_TYPE: return ww_cl_give_uint(&answer, program->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return ww_cl_give_size(&answer, ww_cl_program_variable_bytes(program));
    default: return CL_INVALID_VALUE;
    }
}

/* ---- what 3.0 makes optional ---- */

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                             cl_int *code)
{
    WW_CL_ENTER;
    (void)il;
    (void)length;
    return ww_cl_none(code,
                      ww_cl_is(context, WW_CL_CONTEXT) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT);
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count,
                                                         const cl_device_id *devices,
                                                         const char *names, cl_int *code)
{
    WW_CL_ENTER;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return ww_cl_none(code, CL_INVALID_CONTEXT);
    if (count && devices && !ww_cl_are_devices(count, devices))
        return ww_cl_none(code, CL_INVALID_DEVICE);
    (void)names; /* there are no built-in kernels */
    return ww_cl_none(code, CL_INVALID_VALUE);
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK *function)(cl_program, void *),
                                               void *user_data)
{
    WW_CL_ENTER;
    (void)function;
    (void)user_data;
    return ww_cl_is(program, WW_CL_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint id, size_t size,
                                                      const void *value)
{
    WW_CL_ENTER;
    (void)id;
    (void)size;
    (void)value;
    return ww_cl_is(program, WW_CL_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}
