/* Building, compiling and linking programs. */
#include "host/build_options.h"
#include "host/self_contained.h"
#include "ocl/gpu.h"
#include "ocl/program.h"
#include "sim/execution.h"

#include <string.h>

#define SOURCE_NAME "<source>.cl" /* what messages call it: it is in no file */

/* ---- the compiler and its log ---- */

typedef struct build {
    ww_compiler *compiler;
    FILE *log;
    char *text;
    size_t length;
    ww_errors *errors;
} build;

static void begin(build *b)
{
    const ww_config *config = ww_cl_gpu_config();
    *b = (build){.errors = ww_errors_create()};
    b->log = open_memstream(&b->text, &b->length);
    if (!b->log)
        ww_out_of_memory(sizeof(FILE));
    b->compiler = ww_compiler_configured(config, b->log);
}

/* Adds the errors to the log, and the log to the program's. NULL: nobody reads it. */
static void end(build *b, cl_program program)
{
    ww_errors_print(b->errors, b->log);
    fclose(b->log);
    if (program) {
        char *whole = ww_format("%s%s", program->log, b->text);
        free(program->log);
        program->log = whole;
    }
    free(b->text);
    ww_errors_destroy(b->errors);
    ww_compiler_destroy(b->compiler);
}

/* ---- options ---- */

/* Options that only the linker or OpenCL itself reads. */
static char *without_own_options(const char *options)
{
    static const char *const own[] = {"-create-library", "-enable-link-options"};
    char *text = ww_strdup(options);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        for (char *at; (at = strstr(text, own[i]));)
            memset(at, ' ', strlen(own[i]));
    return text;
}

static bool are_options(const char *options, ww_errors *errors)
{
    return ww_build_options_check(options, (ww_where){"build options", 0, 0}, errors) == WW_OK;
}

static bool are_linker_options(const char *options)
{
    static const char *const known[] = {"-create-library",       "-enable-link-options",
                                        "-cl-denorms-are-zero",  "-cl-no-signed-zeros",
                                        "-cl-finite-math-only",  "-cl-unsafe-math-optimizations",
                                        "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp"};
    char *copy = ww_strdup(options), *rest = copy, *word;
    bool right = true;
    while ((word = strsep(&rest, " \t\n"))) {
        bool found = !word[0];
        for (size_t i = 0; !found && i < sizeof(known) / sizeof(known[0]); i++)
            found = strcmp(word, known[i]) == 0;
        right = right && found;
    }
    free(copy);
    return right;
}

/* ---- code ---- */

/* Whether the code is to tell of arguments and attributes (host/kernel_info.h) at once. That takes
 * a run of clang, which other programs are spared until they ask. What is linked has no source to
 * ask later. */
static bool tells_of_kernels(cl_program program)
{
    static const char *const words[] = {"__attribute", "image", "sampler", "pipe"};
    const char *text = program->source ? program->source : "";
    bool tells = program->objects.count || program->header_count || !ww_is_self_contained(text) ||
                 strstr(program->all_options, "-cl-kernel-arg-info");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        tells = tells || strstr(text, words[i]) || strstr(program->all_options, words[i]);
    return tells;
}

static ww_source source_of(cl_program program, ww_cl_variant variant, const char *options)
{
    return (ww_source){.path = SOURCE_NAME,
                       .text = program->source ? program->source : "",
                       .build_options = options,
                       .build_options_at = {"build options", 0, 0},
                       .any_folder = true,
                       .global_offset = variant != WW_CL_PLAIN,
                       .edges = variant == WW_CL_EDGES,
                       .kernel_info = tells_of_kernels(program),
                       .headers = program->headers,
                       .header_count = program->header_count};
}

static int make_ptx(cl_program program, ww_cl_variant variant, build *b)
{
    ww_cl_code *code = &program->code[variant];
    char *options = without_own_options(program->all_options);
    ww_source source = source_of(program, variant, options);
    int status;
    if (program->objects.count)
        status = ww_link_objects(b->compiler, &source, program->objects.items,
                                 program->objects.count, &code->ptx, &code->length, b->errors);
    else if (program->source)
        status = ww_compile(b->compiler, &source, &code->ptx, &code->length, b->errors);
    else
        status = ww_fail(b->errors, WW_BAD_INPUT, WW_NOWHERE,
                         "the program's binary has no code for launches like this one");
    free(options);
    return status;
}

static int make_code(cl_program program, ww_cl_variant variant, build *b)
{
    ww_cl_code *code = &program->code[variant];
    int status = code->ptx ? WW_OK : make_ptx(program, variant, b);
    if (status == WW_OK && !code->module) {
        code->module = ww_module_parse(SOURCE_NAME, code->ptx, code->length, b->errors);
        status = code->module ? ww_cl_program_check(code, b->errors) : WW_BAD_INPUT;
    }
    return status;
}

int ww_cl_program_make(cl_program program, ww_cl_variant variant, ww_errors *errors)
{
    build b;
    begin(&b);
    int status = make_code(program, variant, &b);
    for (size_t i = 0; i < ww_errors_count(b.errors); i++)
        ww_fail(errors, status, WW_NOWHERE, "%s", ww_errors_line(b.errors, i));
    end(&b, program);
    return status;
}

char *ww_cl_program_describe(cl_program program)
{
    char *ptx = NULL, *options = without_own_options(program->all_options);
    size_t length;
    build b;
    if (program->source && !program->objects.count) {
        begin(&b);
        ww_source source = source_of(program, WW_CL_PLAIN, options);
        source.kernel_info = true;
        ww_compile(b.compiler, &source, &ptx, &length, b.errors);
        end(&b, NULL);
    }
    free(options);
    return ptx;
}

/* ---- the API ---- */

typedef void(CL_CALLBACK *build_fn)(cl_program, void *);

static void call_built(const ww_cl_callback *c)
{
    ((build_fn)c->function)(c->handle, c->user_data);
}

static void tell_built(cl_program program, build_fn notify, void *user_data)
{
    if (notify)
        ww_cl_call((ww_cl_callback){.call = call_built,
                                    .function = (void (*)(void))notify,
                                    .handle = program,
                                    .user_data = user_data});
}

static cl_int check(cl_program program, cl_uint count, const cl_device_id *devices,
                    const build_fn notify, const void *user_data)
{
    if (!ww_cl_is(program, WW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((count == 0) != (devices == NULL) || (!notify && user_data))
        return CL_INVALID_VALUE;
    if (!ww_cl_are_devices(count, devices))
        return CL_INVALID_DEVICE;
    return program->kernels ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* A binary stays what it is: only what was made from a source is made anew. */
static void prepare(cl_program program, const char *options)
{
    if (!program->source)
        return;
    ww_cl_program_reset(program);
    ww_cl_program_set_options(program, options);
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                  const char *options, build_fn notify, void *user_data)
{
    WW_CL_ENTER;
    build b;
    cl_int status = check(program, count, devices, notify, user_data);
    if (status != CL_SUCCESS)
        return status;
    prepare(program, options);
    begin(&b);
    if (!are_options(program->options, b.errors))
        status = CL_INVALID_BUILD_OPTIONS;
    else if (make_code(program, WW_CL_PLAIN, &b) != WW_OK)
        status = program->source ? CL_BUILD_PROGRAM_FAILURE : CL_INVALID_BINARY;
    end(&b, program);
    program->status = status == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (status == CL_SUCCESS)
        program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    tell_built(program, notify, user_data);
    return status;
}

static cl_int add_headers(cl_program program, cl_uint count, const cl_program *headers,
                          const char **names)
{
    if (count == 0)
        return headers || names ? CL_INVALID_VALUE : CL_SUCCESS;
    if (!headers || !names)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!ww_cl_is(headers[i], WW_CL_PROGRAM) || !headers[i]->source)
            return CL_INVALID_PROGRAM;
        else if (!names[i])
            return CL_INVALID_VALUE;
    program->headers = ww_calloc(count, sizeof(*program->headers));
    for (cl_uint i = 0; i < count; i++)
        program->headers[i] =
            (ww_source_header){ww_strdup(names[i]), ww_strdup(headers[i]->source)};
    program->header_count = count;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                    const char *options, cl_uint header_count,
                                    const cl_program *headers, const char **names, build_fn notify,
                                    void *user_data)
{
    WW_CL_ENTER;
    build b;
    ww_object_code object;
    cl_int status = check(program, count, devices, notify, user_data);
    if (status == CL_SUCCESS && !program->source)
        status = CL_INVALID_OPERATION;
    if (status != CL_SUCCESS)
        return status;
    prepare(program, options);
    status = add_headers(program, header_count, headers, names);
    if (status != CL_SUCCESS)
        return status;
    begin(&b);
    ww_source source = source_of(program, WW_CL_PLAIN, program->all_options);
    if (!are_options(program->options, b.errors))
        status = CL_INVALID_COMPILER_OPTIONS;
    else if (ww_compile_object(b.compiler, &source, &object, b.errors) != WW_OK)
        status = CL_COMPILE_PROGRAM_FAILURE;
    end(&b, program);
    program->status = status == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (status == CL_SUCCESS) {
        program->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        ww_vec_push(&program->objects, object);
    }
    tell_built(program, notify, user_data);
    return status;
}

/* ---- linking ---- */

static bool has_objects(cl_program program)
{
    return program->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
           program->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
}

static cl_int check_inputs(cl_context context, cl_uint count, const cl_program *programs)
{
    if (count == 0 || !programs)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!ww_cl_is(programs[i], WW_CL_PROGRAM))
            return CL_INVALID_PROGRAM;
    for (cl_uint i = 0; i < count; i++)
        if (programs[i]->context != context || !has_objects(programs[i]))
            return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

static void copy_objects(cl_program to, cl_program from)
{
    for (size_t i = 0; i < from->objects.count; i++) {
        const ww_object_code *object = &from->objects.items[i];
        ww_object_code copy = {ww_calloc(object->count + 1, 1), object->count};
        memcpy(copy.bytes, object->bytes, object->count);
        ww_vec_push(&to->objects, copy);
    }
}

static cl_int link_objects(cl_program program)
{
    build b;
    cl_int status = CL_SUCCESS;
    bool library = strstr(program->options, "-create-library") != NULL;
    begin(&b);
    if (!library && make_code(program, WW_CL_PLAIN, &b) != WW_OK)
        status = CL_LINK_PROGRAM_FAILURE;
    end(&b, program);
    program->status = status == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (status == CL_SUCCESS)
        program->type =
            library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return status;
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const char *options, cl_uint input_count,
                                     const cl_program *inputs, build_fn notify, void *user_data,
                                     cl_int *code)
{
    WW_CL_ENTER;
    cl_int status = CL_SUCCESS;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        status = CL_INVALID_CONTEXT;
    else if ((count == 0) != (devices == NULL) || (!notify && user_data))
        status = CL_INVALID_VALUE;
    else if (!ww_cl_are_devices(count, devices))
        status = CL_INVALID_DEVICE;
    else
        status = check_inputs(context, input_count, inputs);
    if (status == CL_SUCCESS && !are_linker_options(options ? options : ""))
        status = CL_INVALID_LINKER_OPTIONS;
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    cl_program program = ww_cl_program_create(context);
    ww_cl_program_set_options(program, options);
    for (cl_uint i = 0; i < input_count; i++)
        copy_objects(program, inputs[i]);
    ww_cl_none(code, link_objects(program));
    tell_built(program, notify, user_data);
    return program;
}
