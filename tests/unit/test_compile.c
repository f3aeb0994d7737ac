#include "host/compile.h"

#include "base/memory.h"
#include "base/text.h"
#include "host/self_contained.h"
#include "ptx/module.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64]; /* of this run of the test */

static char *in_folder(const char *name)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

static void write_text(const char *name, const char *text)
{
    char *path = in_folder(name);
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_write_file(path, text, strlen(text), errors), WW_OK);
    ww_errors_destroy(errors);
    free(path);
}

static ww_compiler *make_compiler(FILE *log)
{
    char *cache = in_folder("cache");
    ww_compiler_options options = {.cache = cache, .log = log};
    ww_compiler *compiler = ww_compiler_create(&options);
    free(cache);
    return compiler;
}

static char *compile(const char *name, const char *build_options, ww_errors *errors)
{
    char *path = in_folder(name);
    char *ptx = NULL;
    size_t length = 0;
    ww_compiler *compiler = make_compiler(NULL);
    ww_source source = {.path = path, .build_options = build_options};
    int status = ww_compile(compiler, &source, &ptx, &length, errors);
    assert_int_equal(status, ww_errors_status(errors));
    assert_true((status == WW_OK) == (ptx != NULL));
    if (ptx)
        assert_int_equal(strlen(ptx), length);
    ww_compiler_destroy(compiler);
    free(path);
    return ptx;
}

static char *compile_well(const char *name, const char *build_options)
{
    ww_errors *errors = ww_errors_create();
    char *ptx = compile(name, build_options, errors);
    ww_errors_print(errors, stderr);
    assert_non_null(ptx);
    ww_errors_destroy(errors);
    return ptx;
}

static void expect_error(const char *name, const char *build_options, const char *part)
{
    ww_errors *errors = ww_errors_create();
    assert_null(compile(name, build_options, errors));
    assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
    bool found = false;
    for (size_t i = 0; i < ww_errors_count(errors); i++)
        found = found || strstr(ww_errors_line(errors, i), part);
    if (!found)
        ww_errors_print(errors, stderr);
    assert_true(found);
    ww_errors_destroy(errors);
}

static void opencl_becomes_ptx_with_lines(void **state)
{
    (void)state;
    write_text("a.cl", "kernel void scale(global float *a, float f)\n"
                       "{\n"
                       "    a[get_global_id(0)] *= f;\n"
                       "}\n");
    char *ptx = compile_well("a.cl", NULL);
    assert_non_null(strstr(ptx, ".entry scale("));
    assert_non_null(strstr(ptx, ".loc\t1 3 "));
    assert_null(strstr(ptx, ".extern"));
    ww_errors *errors = ww_errors_create();
    ww_module *module = ww_module_parse("a.ptx", ptx, strlen(ptx), errors);
    assert_non_null(module);
    assert_int_equal(ww_module_function(module, "scale")->param_count, 2);
    ww_module_destroy(module);
    ww_errors_destroy(errors);
    free(ptx);
}

static void expect_group_size(const ww_module *module, const char *entry, uint32_t x, uint32_t y,
                              uint32_t z)
{
    const uint32_t *size = ww_module_function(module, entry)->required_group;
    assert_int_equal(size[0], x);
    assert_int_equal(size[1], y);
    assert_int_equal(size[2], z);
}

static void required_group_sizes_reach_the_ptx(void **state)
{
    (void)state;
    static const char text[] = "#define SIZED(n) __attribute__((reqd_work_group_size(n, 4, 1)))\n"
                               "kernel SIZED(8) void ab(global int *a, local int *b) { *a = 1; }\n"
                               "kernel void b(global int *a) { *a = 2; }\n"
                               "SIZED(16) kernel void a(void) {}\n";
    write_text("sized.cl", text);
    write_text("sized.h", text);
    write_text("outside.cl", "#include \"sized.h\"\n");
    static const char *const names[] = {"sized.cl", "sized.cl", "outside.cl"}; /* one is cached */
    for (size_t i = 0; i < 3; i++) {
        char *ptx = compile_well(names[i], NULL);
        ww_errors *errors = ww_errors_create();
        ww_module *module = ww_module_parse("sized.ptx", ptx, strlen(ptx), errors);
        assert_non_null(module);
        expect_group_size(module, "ab", 8, 4, 1);
        expect_group_size(module, "a", 16, 4, 1);
        expect_group_size(module, "b", 0, 0, 0);
        ww_module_destroy(module);
        ww_errors_destroy(errors);
        free(ptx);
    }
}

static void cuda_with_host_code_becomes_ptx(void **state)
{
    (void)state;
    write_text("a.cu", "#include <cuda_runtime.h>\n"
                       "#include <stdio.h>\n"
                       "extern \"C\" __global__ void sum(float *a)\n"
                       "{\n"
                       "    float v = sqrtf(a[threadIdx.x]);\n"
                       "    for (int i = 16; i > 0; i /= 2)\n"
                       "        v += __shfl_down_sync(0xffffffff, v, i);\n"
                       "    if (threadIdx.x % 32 == 0)\n"
                       "        atomicAdd(a, v);\n"
                       "}\n"
                       "int main()\n"
                       "{\n"
                       "    float *p;\n"
                       "    cudaMalloc(&p, 128);\n"
                       "    sum<<<1, 32>>>(p);\n"
                       "    printf(\"%d\\n\", (int)cudaDeviceSynchronize());\n"
                       "}\n");
    char *ptx = compile_well("a.cu", "-arch=sm_80 -O3");
    assert_non_null(strstr(ptx, ".entry sum("));
    assert_non_null(strstr(ptx, "shfl.sync.down.b32"));
    assert_non_null(strstr(ptx, ".add.f32"));
    assert_null(strstr(ptx, ".extern .func"));
    free(ptx);
}

static void options_reach_the_compiler(void **state)
{
    (void)state;
    write_text("o.cl", "#include \"value.h\"\n"
                       "kernel void k(global int *a) { *a = VALUE + OTHER + LETTER; }\n");
    mkdir(folder, 0700);
    char *sub = in_folder("sub dir");
    mkdir(sub, 0700);
    free(sub);
    write_text("sub dir/value.h", "#define VALUE 1000\n");
    char *ptx = compile_well("o.cl", "-D OTHER=200 '-Isub dir' -DLETTER=\"30 + 4\" -cl-mad-enable "
                                     "-cl-nv-verbose -cl-fast-relaxed-math -w -Werror "
                                     "-cl-denorms-are-zero -cl-single-precision-constant "
                                     "-cl-kernel-arg-info -cl-std=CL2.0");
    assert_non_null(strstr(ptx, "1234"));
    free(ptx);
    expect_error("o.cl", "-o x", "'-o' is not a build option");
    expect_error("o.cl", "-DX='1", "a quote in the options has no partner");
    expect_error("o.cl", "", "o.cl:1:10: fatal error: 'value.h' file not found");
}

static void a_changed_include_is_noticed(void **state)
{
    (void)state;
    write_text("i.cl", "#include \"part.h\"\nkernel void k(global int *a) { *a = PART; }\n");
    write_text("part.h", "#define PART 1111\n");
    char *ptx = compile_well("i.cl", NULL);
    assert_non_null(strstr(ptx, "1111"));
    free(ptx);
    write_text("part.h", "#define PART 2222\n");
    ptx = compile_well("i.cl", NULL);
    assert_non_null(strstr(ptx, "2222"));
    free(ptx);
}

static void self_contained_texts_are_recognised(void **state)
{
    (void)state;
    assert_true(ww_is_self_contained("#define A(x) \\\n x\nkernel void k(void) {}\n"));
    assert_false(ww_is_self_contained("#include \"a.h\"\n"));
    assert_false(ww_is_self_contained("#inc\\\nlude \"a.h\"\n"));
    assert_false(ww_is_self_contained("#inclu\\\r\nde \"a.h\"\n"));
    assert_false(ww_is_self_contained("int t = sizeof(__TIME__);"));
    write_text("now.h", "#define VALUE 3333\n");
    write_text("n.cl", "kernel void k(global int *a) { *a = VALUE; }\n");
    char *path = in_folder("now.h");
    char *options = NULL;
    assert_true(asprintf(&options, "-include %s", path) > 0);
    char *ptx = compile_well("n.cl", options);
    assert_non_null(strstr(ptx, "3333"));
    free(ptx);
    write_text("now.h", "#define VALUE 4444\n");
    ptx = compile_well("n.cl", options);
    assert_non_null(strstr(ptx, "4444"));
    free(ptx);
    free(options);
    free(path);
}

static int damage(const char *path, const struct stat *info, int type)
{
    if (type == FTW_F) {
        assert_int_equal(truncate(path, info->st_size / 2), 0);
    }
    return 0;
}

static void a_damaged_cache_is_rebuilt(void **state)
{
    (void)state;
    write_text("d.cl", "kernel void k(global int *a) { *a = get_work_dim(); }\n");
    char *first = compile_well("d.cl", NULL);
    char *cache = in_folder("cache");
    assert_int_equal(ftw(cache, damage, 4), 0);
    char *second = compile_well("d.cl", NULL);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "__ww_launch_state"));
    free(cache);
    free(first);
    free(second);
}

static void errors_are_clangs_own(void **state)
{
    (void)state;
    write_text("e.cl", "kernel void k(global int *a)\n{\n    *a = missing;\n    *a = 1 +;\n}\n");
    expect_error("e.cl", NULL, "e.cl:3:10: error: use of undeclared identifier 'missing'");
    expect_error("e.cl", NULL, "e.cl:4:13: error: expected expression");
    expect_error("e.cl", NULL, "/e.cl' does not compile");
    expect_error("absent.cl", NULL, "cannot read '");
    expect_error("a.c", NULL, "is not a kernel (its name ends in .cl, .cu or .ptx)");
}

static void missing_tools_say_what_to_install(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    ww_compiler *compiler = ww_compiler_create(&(ww_compiler_options){.cache = ""});
    setenv("PATH", path, 1);
    free(path);
    ww_source source = {.path = "k.cl", .text = "kernel void k(void) {}"};
    char *ptx = NULL;
    size_t length = 0;
    assert_int_equal(ww_compile(compiler, &source, &ptx, &length, errors), WW_BAD_INPUT);
    assert_string_equal(ww_errors_line(errors, 0),
                        "'k.cl' needs clang to compile it, and there is none "
                        "(apt install clang-19 libclc-19)");
    ww_compiler_destroy(compiler);
    ww_errors_destroy(errors);
}

static void text_without_a_file_compiles(void **state)
{
    (void)state;
    char *notes = NULL;
    size_t size = 0;
    FILE *log = open_memstream(&notes, &size);
    ww_errors *errors = ww_errors_create();
    ww_compiler *compiler = make_compiler(log);
    ww_source source = {.path = "text.cl",
                        .text = "kernel void k(global long *a)\n"
                                "{\n"
                                "    a[get_global_id(0)] = get_global_offset(0);\n"
                                "#warning take care\n"
                                "}\n",
                        .global_offset = true};
    char *ptx = NULL;
    size_t length = 0;
    assert_int_equal(ww_compile(compiler, &source, &ptx, &length, errors), WW_OK);
    assert_non_null(strstr(ptx, "__ww_launch_state+4"));
    free(ptx);
    ww_compiler_destroy(compiler);
    fclose(log);
    assert_non_null(strstr(notes, "text.cl:4:2: warning: take care"));
    free(notes);
    ww_errors_destroy(errors);
}

/* ---- what the cache spares ---- */

/* A clang that notes each of its runs. */
static char *write_noting_clang(void)
{
    char *path = in_folder("noting-clang"), *notes = in_folder("runs");
    char *script = NULL;
    assert_true(asprintf(&script,
                         "#!/bin/sh\necho run >> %s\n"
                         "exec $(command -v clang-19 || command -v clang) \"$@\"\n",
                         notes) > 0);
    write_text("noting-clang", script);
    assert_int_equal(chmod(path, 0755), 0);
    free(script);
    free(notes);
    return path;
}

static long runs(void)
{
    char *path = in_folder("runs");
    struct stat info;
    long count = stat(path, &info) == 0 ? (long)info.st_size / 4 : 0;
    remove(path);
    free(path);
    return count;
}

static ww_compiler *make_noting_compiler(FILE *log)
{
    char *clang = write_noting_clang(), *cache = in_folder("noting-cache");
    ww_compiler *compiler =
        ww_compiler_create(&(ww_compiler_options){.clang = clang, .cache = cache, .log = log});
    free(clang);
    free(cache);
    return compiler;
}

static void compile_text(ww_compiler *compiler)
{
    ww_errors *errors = ww_errors_create();
    ww_source source = {.path = "k.cl", .text = "kernel void k(global int *a) { *a = 7; }\n"};
    char *ptx;
    size_t length;
    assert_int_equal(ww_compile(compiler, &source, &ptx, &length, errors), WW_OK);
    assert_non_null(strstr(ptx, ".entry k("));
    free(ptx);
    ww_errors_destroy(errors);
}

/* Folders of scratch files cannot be made while this is set. */
static void forbid_scratch(bool forbidden)
{
    if (forbidden)
        setenv("TMPDIR", "/nonexistent", 1);
    else
        unsetenv("TMPDIR");
}

static void a_cached_source_needs_no_clang_and_no_files(void **state)
{
    (void)state;
    ww_compiler *compiler = make_noting_compiler(NULL);
    compile_text(compiler);
    assert_true(runs() > 0);
    forbid_scratch(true);
    compile_text(compiler);
    forbid_scratch(false);
    assert_int_equal(runs(), 0);
    ww_compiler_destroy(compiler);
}

static ww_object_code compile_object(ww_compiler *compiler, const char *text)
{
    ww_errors *errors = ww_errors_create();
    ww_source source = {.path = "o.cl", .text = text};
    ww_object_code object;
    assert_int_equal(ww_compile_object(compiler, &source, &object, errors), WW_OK);
    ww_errors_destroy(errors);
    return object;
}

static char *link_two(ww_compiler *compiler, const char *function)
{
    ww_errors *errors = ww_errors_create();
    ww_source source = {.path = "l.cl", .text = "", .kernel_info = true};
    ww_object_code objects[] = {
        compile_object(compiler, "int f(void);\nkernel void k(global int *a) { *a = f(); }\n"),
        compile_object(compiler, function)};
    char *ptx;
    size_t length;
    assert_int_equal(ww_link_objects(compiler, &source, objects, 2, &ptx, &length, errors), WW_OK);
    assert_int_equal(strlen(ptx), length);
    free(objects[0].bytes);
    free(objects[1].bytes);
    ww_errors_destroy(errors);
    return ptx;
}

static void objects_and_what_is_linked_are_cached(void **state)
{
    (void)state;
    ww_compiler *compiler = make_noting_compiler(NULL);
    char *first = link_two(compiler, "int f(void) { return 41; }\n");
    assert_true(runs() >= 4);
    forbid_scratch(true);
    char *second = link_two(compiler, "int f(void) { return 41; }\n");
    forbid_scratch(false);
    assert_int_equal(runs(), 0);
    assert_string_equal(first, second);
    char *other = link_two(compiler, "int f(void) { return 43; }\n");
    assert_true(runs() > 0);
    assert_null(strstr(first, "43;"));
    assert_non_null(strstr(other, "43;"));
    free(first);
    free(second);
    free(other);
    ww_compiler_destroy(compiler);
}

static void objects_with_warnings_warn_again(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char *notes = NULL;
        size_t size = 0;
        FILE *log = open_memstream(&notes, &size);
        ww_compiler *compiler = make_noting_compiler(log);
        free(compile_object(compiler, "int f(void) { return 5; }\n#warning take care\n").bytes);
        ww_compiler_destroy(compiler);
        fclose(log);
        assert_non_null(strstr(notes, "o.cl:2:2: warning: take care"));
        free(notes);
    }
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl_becomes_ptx_with_lines),
        cmocka_unit_test(required_group_sizes_reach_the_ptx),
        cmocka_unit_test(cuda_with_host_code_becomes_ptx),
        cmocka_unit_test(options_reach_the_compiler),
        cmocka_unit_test(a_changed_include_is_noticed),
        cmocka_unit_test(self_contained_texts_are_recognised),
        cmocka_unit_test(a_damaged_cache_is_rebuilt),
        cmocka_unit_test(errors_are_clangs_own),
        cmocka_unit_test(missing_tools_say_what_to_install),
        cmocka_unit_test(text_without_a_file_compiles),
        cmocka_unit_test(a_cached_source_needs_no_clang_and_no_files),
        cmocka_unit_test(objects_and_what_is_linked_are_cached),
        cmocka_unit_test(objects_with_warnings_warn_again),
    };
    strcpy(folder, "/tmp/ww-test-compile-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
