/* Parts of the library: which functions a source names, and that a part makes the same code as the
 * whole. */
#include "base/text.h"
#include "host/compile.h"
#include "host/library_symbols.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char folder[64]; /* of this run of the test */

static char *in_folder(const char *name)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

/* ---- symbols ---- */

static void symbols_are_found_without_what_separates_them(void **state)
{
    (void)state;
    static const char bytes[] = "x\0_Z3sinDv2_f_Z6islessDv2_DhS__Z5clampjjj__clc_log_Z3cosfllvm.fma"
                                "_ZL4helpv_Z9bad name_Z8get_lastv";
    static const char *const wanted[] = {"_Z3sinDv2_f",  "sin",     "_Z6islessDv2_DhS_", "isless",
                                         "_Z5clampjjj",  "clamp",   "_Z3cosf",           "cos",
                                         "_Z8get_lastv", "get_last"};
    ww_library_symbol symbol;
    size_t at = 0, count = 0;
    while (ww_library_symbol_next(bytes, sizeof(bytes) - 1, &at, &symbol)) {
        assert_true(count < sizeof(wanted) / sizeof(wanted[0]));
        assert_int_equal(symbol.length, strlen(wanted[count]));
        assert_memory_equal(symbol.text, wanted[count++], symbol.length);
        assert_int_equal(symbol.name_length, strlen(wanted[count]));
        assert_memory_equal(symbol.name, wanted[count++], symbol.name_length);
    }
    assert_int_equal(count, sizeof(wanted) / sizeof(wanted[0]));
}

static void names_are_whole_words(void **state)
{
    (void)state;
    bool used[4] = {false};
    ww_library_names_mark("sin\ncos\nmax\nmin\n", "x = sin (y); cosine = maximum; z=max(1,2)",
                          used);
    assert_true(used[0] && used[2]);
    assert_false(used[1] || used[3]);
}

static void lacking_functions_are_noticed(void **state)
{
    (void)state;
    assert_false(ww_ptx_lacks_functions("//\n.func (.param .b32 r) f\n(\n.param .b32 p\n)\n;\n"
                                        ".func  (.param .b32 r) f(\n.param .b32 p\n)\n{\n}\n"));
    assert_true(ww_ptx_lacks_functions("//\n.func (.param .b32 r) f\n(\n.param .b32 p\n)\n;\n"
                                       ".func  (.param .b32 r) ff(\n.param .b32 p\n)\n{\n}\n"));
    assert_false(ww_ptx_lacks_functions("//\n.func (.param .b32 r) printf\n(\n)\n;\n"));
    assert_false(ww_ptx_lacks_functions("//\n.entry k(\n)\n{\n}\n"));
}

/* ---- parts ---- */

/* A clang that notes its words. */
static void write_noting_clang(void)
{
    char *path = in_folder("clang"), *words = in_folder("words"), *script = NULL;
    ww_errors *errors = ww_errors_create();
    assert_true(asprintf(&script,
                         "#!/bin/sh\necho \"$@\" > %s\n"
                         "exec $(command -v clang-19 || command -v clang) \"$@\"\n",
                         words) > 0);
    assert_int_equal(ww_write_file(path, script, strlen(script), errors), WW_OK);
    assert_int_equal(chmod(path, 0755), 0);
    ww_errors_destroy(errors);
    free(script);
    free(words);
    free(path);
}

static bool last_run_had(const char *word)
{
    char *path = in_folder("words"), *words = NULL;
    size_t count;
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_read_file(path, WW_NOWHERE, &words, &count, errors), WW_OK);
    bool had = strstr(words, word) != NULL;
    ww_errors_destroy(errors);
    free(words);
    free(path);
    return had;
}

/* With a cache of that name, or none. */
static char *compile(const char *cache_name, const char *text, int number)
{
    char *clang = in_folder("clang"), *cache = in_folder(cache_name ? cache_name : "");
    char *numbered = NULL, *ptx = NULL;
    size_t length;
    ww_errors *errors = ww_errors_create();
    ww_compiler *compiler = ww_compiler_create(
        &(ww_compiler_options){.clang = clang, .cache = cache_name ? cache : ""});
    assert_true(asprintf(&numbered, "#define N %d\n%s", number, text) > 0);
    ww_source source = {.path = "k.cl", .text = numbered};
    assert_int_equal(ww_compile(compiler, &source, &ptx, &length, errors), WW_OK);
    ww_compiler_destroy(compiler);
    ww_errors_destroy(errors);
    free(numbered);
    free(cache);
    free(clang);
    return ptx;
}

/* The second and the third source of a kind are linked with a part. */
static void expect_parts(const char *cache, const char *text, const char *last_word)
{
    for (int i = 1; i <= 3; i++) {
        char *cached = compile(cache, text, i);
        assert_true(last_run_had(i == 1 ? "builtins.bc" : last_word));
        char *whole = compile(NULL, text, i);
        assert_true(last_run_had("builtins.bc"));
        assert_string_equal(cached, whole);
        free(cached);
        free(whole);
    }
}

static void parts_make_the_same_code(void **state)
{
    (void)state;
    write_noting_clang();
    expect_parts("small", "kernel void k(global int *a) { a[get_global_id(0)] = N; }\n",
                 "library.bc");
    expect_parts(
        "large",
        "kernel void k(global float4 *a, global half2 *h, local int *l, global char *c)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    a[i] = sin(a[i]) + pow(a[i], (float4)(N)) + convert_float4_rtp(convert_int4(a[i]));\n"
        "    h[i] = fma(h[i], h[i], (half2)(N));\n"
        "    l[get_local_id(0)] = isless(a[i].x, 3.0f) + sub_group_reduce_add(i);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    c[i] = add_sat(c[i], (char)l[0]);\n"
        "    printf(\"%d\\n\", N);\n"
        "}\n",
        "library.bc");
}

/* A word that the preprocessor makes is in no text: the whole library is used after all. */
static void a_part_that_is_too_small_is_not_used(void **state)
{
    (void)state;
    expect_parts("pasted",
                 "#define NAME(a, b) a##b\n"
                 "kernel void k(global float *a) { *a = NAME(si, n)(*a) + N; }\n",
                 "builtins.bc");
    expect_parts("spliced", "kernel void k(global float *a) { *a = si\\\nn(*a) + N; }\n",
                 "builtins.bc");
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
        cmocka_unit_test(symbols_are_found_without_what_separates_them),
        cmocka_unit_test(names_are_whole_words),
        cmocka_unit_test(lacking_functions_are_noticed),
        cmocka_unit_test(parts_make_the_same_code),
        cmocka_unit_test(a_part_that_is_too_small_is_not_used),
    };
    strcpy(folder, "/tmp/ww-test-parts-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
