/* Host code in CUDA C: what is removed around an offset, and what never is. */
#include "host/host_code.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define DEVICE "__attribute__((device)) "
#define GLOBAL "__attribute__((global)) "

/* '@' marks the offset; `want` is what is left, blanks folded; NULL: nothing can be removed. */
static const struct {
    const char *text, *want;
    bool whole;
} cases[] = {
    {"void f() { a(); @b(c, {1}); d(); }", "void f() { a(); d(); }", false},
    {"void f() { a(); @b(c); d(); }", "", true},
    {"void f() { for (int i = 0; i < 3; i++) { @x(i); k<<<1, 2>>>(i); } }",
     "void f() { for (int i = 0; i < 3; i++) { k<<<1, 2>>>(i); } }", false},
    {"void f() { for (int i = @x; i < 3; i++) { y(); } z(); }", "void f() { z(); }", false},
    {"void f() { int a[] = {1, 2}; @T b = {3}; c(); }", "void f() { int a[] = {1, 2}; c(); }",
     false},
    {"void f() { auto l = [&](int x) { return @y; }; z(); }",
     "void f() { auto l = [&](int x) { }; z(); }", false},
    {"void f() { struct S { int a; } s = {@q}; z(); }",
     "void f() { struct S { int a; } s = { }; z(); }", false},
    {"int a; void f(@T x) { a(); } int b;", "int a; int b;", false},
    {"int a; @T g = h(1); int b;", "int a; int b;", false},
    {"using namespace @thrust; int b;", "int b;", false},
    {"namespace n { int a; void f() { @x(); y(); } }", "namespace n { int a; void f() { y(); } }",
     false},
    {"extern \"C\" { @T f(int); int b; }", "extern \"C\" { int b; }", false},
    {"struct S { int a; @T b; }; int c;", "int c;", false},
    {"typedef struct { int a; @T b; } S; int c;", "int c;", false},
    {"struct S { int a; S(@T x) { a = x; } int b; };", "struct S { int a; int b; };", false},
    {"struct S { public: @T f(); int b; };", "struct S { public: int b; };", false},
    {"struct S { virtual @T f(); int b; }; int c;", "int c;", false},
    {"template <class T> void f(T x) { @y(); z(); }", "template <class T> void f(T x) { z(); }",
     false},
    {"struct __attribute__((aligned(8))) S { @T a; }; int b;", "int b;", false},
    {"void f() { s(\"};\", '}', R\"x(}\")x\"); @b(); c(); }",
     "void f() { s(\"};\", '}', R\"x(}\")x\"); c(); }", false},
    {"void f() { a(); @}\nint b;", "int b;", false},
    {"void f() {\n# 3 \"x.cu\"\n @b\n# 4 \"x.cu\"\n(c); d(); }",
     "void f() { # 3 \"x.cu\" # 4 \"x.cu\" d(); }", false},
    {GLOBAL "void k(@T *p) { }", NULL, false},
    {GLOBAL "void k(int *p) { @x(); }", NULL, false},
    {"template <class T> " DEVICE "T f() { if (a) { @x(); } }", NULL, true},
    {"struct S { " DEVICE "int f() { return @x; } };", NULL, false},
    {"__attribute__((constant)) @T c[4];", NULL, false},
    {"void f() { auto l = [=] " DEVICE "(int i) { return @x; }; }", NULL, false},
    {"void f() { go(1, [=] " DEVICE "(int i) { if (i) { return @x; } }); }", NULL, true},
    {"void f() { @go(1, [=] " DEVICE "(int i) { return x; }); y(); }", "void f() { y(); }", false},
    {"@", NULL, false},
};

static char *folded(const char *text)
{
    char *result = ww_calloc(strlen(text) + 2, 1), *to = result;
    for (; *text; text++)
        if (!strchr(" \n", *text))
            *to++ = *text;
        else if (to > result && to[-1] != ' ')
            *to++ = ' ';
    if (to > result && to[-1] == ' ')
        to[-1] = 0;
    return result;
}

static void removal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = ww_strdup(cases[i].text);
        char *mark = strchr(text, '@');
        memmove(mark, mark + 1, strlen(mark));
        size_t length = strlen(text);
        ww_host_code *code = ww_host_code_read(text);
        bool removed = ww_host_code_remove(code, (size_t)(mark - text), cases[i].whole);
        ww_host_code_destroy(code);
        char *left = folded(text);
        if (removed != (cases[i].want != NULL) || (removed && strcmp(left, cases[i].want) != 0))
            fail_msg("'%s' becomes '%s'", cases[i].text, left);
        assert_int_equal(strlen(text), length);
        free(left);
        free(text);
    }
}

/* Any offset of any text, well formed or not: no crash, the same length. */
static void every_offset(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t cut = 0; cut <= strlen(cases[i].text); cut++)
            for (size_t offset = 0; offset < cut; offset += 3) {
                char *text = strndup(cases[i].text, cut);
                ww_host_code *code = ww_host_code_read(text);
                ww_host_code_remove(code, offset, offset % 2);
                ww_host_code_remove(code, cut - 1 - offset, false);
                ww_host_code_destroy(code);
                assert_int_equal(strlen(text), cut);
                free(text);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(removal), cmocka_unit_test(every_offset)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
