#include "host/build_options.h"

#include "base/safe_path.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

typedef enum treatment { DROP, DROP_WITH_VALUE, REFUSE } treatment;

typedef struct rule {
    const char *text; /* with a final '*': anything that starts so */
    treatment treatment;
} rule;

static const rule rules[] = {
    {"-cl-nv-*", DROP},
    {"-nv-*", DROP},
    {"-cl-intel-*", DROP},
    {"-cl-amd-*", DROP},
    {"-cl-no-subgroup-ifp", DROP}, /* a promise about the program */
    {"-fno-bin-*", DROP},
    {"-fbin-*", DROP},
    {"-save-temps*", DROP},
    {"-g", DROP},
    {"-G", DROP},
    {"-s", DROP_WITH_VALUE},
    {"-lineinfo", DROP},
    {"--generate-line-info", DROP},
    {"-arch=*", DROP},
    {"-arch", DROP_WITH_VALUE},
    {"-code=*", DROP},
    {"-gencode=*", DROP},
    {"-gencode", DROP_WITH_VALUE},
    {"--offload-arch=*", DROP},
    {"-m64", DROP},
    {"--gpu-architecture=*", DROP},
    {"--generate-code=*", DROP},
    {"-maxrregcount=*", DROP},
    {"--maxrregcount=*", DROP},
    {"-rdc=*", DROP},
    {"--relocatable-device-code=*", DROP},
    {"--expt-*", DROP},
    {"-expt-*", DROP},
    {"--extended-lambda", DROP},
    {"-Xcompiler", DROP_WITH_VALUE},
    {"-Xptxas", DROP_WITH_VALUE},
    {"-Xptxas=*", DROP},
    {"-Xlinker", DROP_WITH_VALUE},
    {"-ccbin", DROP_WITH_VALUE},
    {"-l*", DROP},
    {"-L*", DROP},
    {"-o*", REFUSE},
    {"-c", REFUSE},
    {"-S", REFUSE},
    {"-E", REFUSE},
    {"-M*", REFUSE},
    {"-x", REFUSE},
    {"-target", REFUSE},
    {"--target=*", REFUSE},
    {"-march=*", REFUSE},
    {"-emit-*", REFUSE},
    {"-###", REFUSE},
};

/* Options that a file may use: none runs a program, loads a library or names a file. A '*' stands
 * for letters, digits and some signs. */
/* clang-format off */
static const char *const harmless[] = {
    "-cl-std=*", "-std=*", "-w", "-W*", "-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Ofast",
    "-cl-denorms-are-zero", "-cl-fast-relaxed-math", "-cl-finite-math-only",
    "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-kernel-arg-info", "-cl-mad-enable",
    "-cl-no-signed-zeros", "-cl-opt-disable", "-cl-single-precision-constant",
    "-cl-strict-aliasing", "-cl-uniform-work-group-size", "-cl-unsafe-math-optimizations",
    "-use_fast_math", "--use_fast_math", "-ffast-math", "-fno-fast-math", "-ffp-contract=*",
    "-fassociative-math", "-fno-associative-math", "-ffinite-math-only", "-fno-finite-math-only",
    "-fmath-errno", "-fno-math-errno", "-freciprocal-math", "-fno-reciprocal-math",
    "-frounding-math", "-fno-rounding-math", "-fsigned-zeros", "-fno-signed-zeros",
    "-fno-trapping-math", "-funsafe-math-optimizations", "-fno-unsafe-math-optimizations",
    "-fcuda-flush-denormals-to-zero", "-fgpu-flush-denormals-to-zero",
    "-fcuda-approx-transcendentals", "-fgpu-approx-transcendentals",
    "-funroll-loops", "-fno-unroll-loops", "-finline-functions", "-fno-inline",
    "-fno-inline-functions", "-fvectorize", "-fno-vectorize", "-fslp-vectorize",
    "-fno-slp-vectorize", "-fstrict-aliasing", "-fno-strict-aliasing", "-fwrapv", "-fno-wrapv",
    "-fsigned-char", "-funsigned-char", "-fexceptions", "-fno-exceptions", "-frtti", "-fno-rtti",
    "-ffreestanding", "-fno-builtin", "-fpermissive", "-ftemplate-depth=*",
    "-fconstexpr-depth=*", "-fconstexpr-steps=*",
};
/* clang-format on */

#define ALLOWED                                                                               \
    "-DNAME=VALUE, -UNAME, -Ifolder and -include file inside of the file's own folder, -O2, " \
    "-W..., "                                                                                 \
    "-std=..., -cl-... and -f... of code generation"

/* What follows the pattern in the word, "" when it has no '*'; NULL: it does not match. */
static const char *match(const char *pattern, const char *word)
{
    size_t length = strlen(pattern);
    if (pattern[length - 1] != '*')
        return strcmp(word, pattern) == 0 ? "" : NULL;
    return strncmp(word, pattern, length - 1) == 0 ? word + length - 1 : NULL;
}

static const rule *find_rule(const char *word)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (match(rules[i].text, word))
            return &rules[i];
    return NULL;
}

static bool is_plain(const char *text)
{
    while (isalnum((unsigned char)*text) || (*text && strchr("+-_=.", *text)))
        text++;
    return !*text;
}

static bool is_harmless(const char *word)
{
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
        const char *rest = match(harmless[i], word);
        if (rest)
            return is_plain(rest);
    }
    return false;
}

/* State shared by all option handlers. */
typedef struct reader {
    ww_words *words; /* clang's */
    const char *folder;
    bool typed, any_folder;
    ww_where at;
    ww_errors *errors;
} reader;

static size_t refuse(const reader *r, const char *word, const char *allowed)
{
    ww_fail(r->errors, WW_BAD_INPUT, r->at, "'%.200s' is not a build option for a kernel (%s)",
            word, allowed);
    return 0;
}

/* The path relative to the folder; the caller frees it. */
static char *seen_from(const char *folder, const char *path)
{
    bool here = !folder || strcmp(folder, ".") == 0;
    const char *base = path[0] == '/' || here ? "" : folder;
    char *whole = ww_format("%s%s%s", base, base[0] ? "/" : "", path);
    char *argument = ww_path_argument(whole);
    free(whole);
    return argument;
}

static bool is_kind(const char *path, bool folder)
{
    struct stat info;
    return stat(path, &info) == 0 && (folder ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode));
}

/* Adds -I or -include with its value. The path in a file's option must exist inside of the file's
 * folder. */
static size_t add_path(const reader *r, const char *option, const char *value, size_t taken)
{
    bool folder = strcmp(option, "-I") == 0;
    char *path = seen_from(r->folder, value);
    bool allowed = r->typed || r->any_folder ||
                   (is_kind(path, folder) && ww_path_is_inside(path, r->folder ? r->folder : ""));
    if (allowed) {
        ww_words_add(r->words, option);
        ww_words_add(r->words, path);
    } else {
        ww_fail(r->errors, WW_BAD_INPUT, r->at,
                "build option '%s %.200s': no such %s inside of '%s' (a file's options stay inside "
                "of its folder)",
                option, value, folder ? "folder" : "file", r->folder ? r->folder : ".");
    }
    free(path);
    return allowed ? taken : 0;
}

/* Adds -D or -U with its value as one word, so that the value cannot become another option. */
static size_t add_macro(const reader *r, const char *option, const char *value, size_t taken)
{
    if (!isalpha((unsigned char)value[0]) && value[0] != '_')
        return refuse(r, value, "a macro's name begins with a letter or '_'");
    char *word = ww_format("%s%s", option, value);
    ww_words_add(r->words, word);
    free(word);
    return taken;
}

/* The value of an option that is written behind it or as the next word; NULL: the word is another
 * option, or there is no value. */
static const char *value_of(const char *option, const char *word, const char *next, bool joined,
                            size_t *taken)
{
    size_t length = strlen(option);
    *taken = strcmp(word, option) == 0 ? 2 : 1;
    if (*taken == 2)
        return next;
    return joined && strncmp(word, option, length) == 0 ? word + length : NULL;
}

static bool takes_value(const char *word)
{
    static const char *const words[] = {"-include", "-imacros",   "-isystem",
                                        "-iquote",  "-idirafter", "-Xclang"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static size_t pass_on(const reader *r, const char *word, const char *next)
{
    bool fast = strcmp(word, "-use_fast_math") == 0 || strcmp(word, "--use_fast_math") == 0;
    ww_words_add(r->words, fast ? "-ffast-math" : word);
    if (!takes_value(word) || !next)
        return 1;
    ww_words_add(r->words, next);
    return 2;
}

/* Handles an option and returns how many words it consumed; 0 after an error. */
static size_t add_option(const reader *r, const char *word, const char *next)
{
    size_t taken;
    const char *value;
    const rule *found = find_rule(word);
    if (word[0] != '-' || (found && found->treatment == REFUSE))
        return refuse(r, word, ALLOWED);
    if (found)
        return found->treatment == DROP_WITH_VALUE && next ? 2 : 1;
    if ((value = value_of("-D", word, next, true, &taken)))
        return add_macro(r, "-D", value, taken);
    if ((value = value_of("-U", word, next, true, &taken)))
        return add_macro(r, "-U", value, taken);
    if ((value = value_of("-I", word, next, true, &taken)))
        return add_path(r, "-I", value, taken);
    if (!r->typed && (value = value_of("-include", word, next, false, &taken)))
        return add_path(r, "-include", value, taken);
    if (!r->typed && !is_harmless(word))
        return refuse(r, word, ALLOWED);
    return pass_on(r, word, next);
}

int ww_build_options_add(ww_words *words, const char *text, const char *folder,
                         ww_options_origin origin, ww_where at, ww_errors *errors)
{
    ww_words given = {0};
    reader r = {words, folder, origin.typed, origin.any_folder, at, errors};
    int status = ww_words_split(&given, text, at, errors);
    for (size_t i = 0; status == WW_OK && i < given.count;) {
        const char *next = i + 1 < given.count ? given.items[i + 1] : NULL;
        size_t taken = add_option(&r, given.items[i], next);
        status = taken ? WW_OK : WW_BAD_INPUT;
        i += taken;
    }
    ww_words_free(&given);
    return status;
}

int ww_build_options_check(const char *text, ww_where at, ww_errors *errors)
{
    ww_words words = {0};
    int status = ww_build_options_add(&words, text, NULL, (ww_options_origin){.any_folder = true},
                                      at, errors);
    ww_words_free(&words);
    return status;
}
