#include "host/build_options.h"

#include <string.h>

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

static const rule *find_rule(const char *word)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const char *text = rules[i].text;
        size_t length = strlen(text);
        bool prefix = text[length - 1] == '*';
        if (prefix ? strncmp(word, text, length - 1) == 0 : strcmp(word, text) == 0)
            return &rules[i];
    }
    return NULL;
}

static void add_include(ww_words *words, const char *path, const char *folder)
{
    const char *base = path[0] == '/' || !folder ? "" : folder;
    char *whole = ww_format("%s%s%s", base, base[0] ? "/" : "", path);
    ww_words_add(words, "-I");
    ww_words_add(words, whole);
    free(whole);
}

static bool takes_value(const char *word)
{
    static const char *const words[] = {"-D",       "-U",      "-include",   "-imacros",
                                        "-isystem", "-iquote", "-idirafter", "-Xclang"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Handles given[at] and returns how many words it took; 0 after an error. */
static size_t add_option(ww_words *words, const ww_words *given, size_t i, const char *folder,
                         ww_where at, ww_errors *errors)
{
    const char *word = given->items[i];
    const char *next = i + 1 < given->count ? given->items[i + 1] : NULL;
    const rule *found = find_rule(word);
    if (word[0] != '-' || (found && found->treatment == REFUSE)) {
        ww_fail(errors, WW_BAD_INPUT, at,
                "'%s' is not a build option for a kernel (such as -DNAME=VALUE, -Ifolder, "
                "-cl-fast-relaxed-math)",
                word);
        return 0;
    }
    if (found)
        return found->treatment == DROP_WITH_VALUE && next ? 2 : 1;
    if (strcmp(word, "-I") == 0 && next) {
        add_include(words, next, folder);
        return 2;
    }
    if (strncmp(word, "-I", 2) == 0 && word[2]) {
        add_include(words, word + 2, folder);
        return 1;
    }
    if (strcmp(word, "-use_fast_math") == 0 || strcmp(word, "--use_fast_math") == 0)
        word = "-ffast-math";
    ww_words_add(words, word);
    if (!takes_value(word) || !next)
        return 1;
    ww_words_add(words, next);
    return 2;
}

int ww_build_options_add(ww_words *words, const char *text, const char *folder, ww_where at,
                         ww_errors *errors)
{
    ww_words given = {0};
    int status = ww_words_split(&given, text, at, errors);
    for (size_t i = 0; status == WW_OK && i < given.count;) {
        size_t taken = add_option(words, &given, i, folder, at, errors);
        status = taken ? WW_OK : WW_BAD_INPUT;
        i += taken;
    }
    ww_words_free(&given);
    return status;
}
