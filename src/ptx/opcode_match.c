/* Finds the form of an opcode in the table. */
#include "ptx/opcodes.h"

#include "base/text.h"

#include <string.h>

#define MOST_GROUPS 16

/* One group of a pattern: the letter, its alternatives, and how often it may occur. */
typedef struct group {
    char letter;
    const char *words;
    unsigned length;
    bool optional;
    bool repeated;
} group;

static unsigned split_pattern(const char *pattern, group *groups)
{
    unsigned count = 0;
    while (*pattern) {
        size_t length = strcspn(pattern, " ");
        group *g = &groups[count++];
        *g = (group){pattern[0], pattern + 2, (unsigned)length - 2, false, false};
        char last = pattern[length - 1];
        g->repeated = last == '*';
        g->optional = last == '?' || last == '*';
        g->length -= g->optional;
        pattern += length;
        pattern += *pattern == ' ';
    }
    return count;
}

static bool group_has(const group *g, ww_word word)
{
    const char *at = g->words, *end = g->words + g->length;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        size_t length = (size_t)((bar ? bar : end) - at);
        if (length == word.length && memcmp(at, word.text, length) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

static unsigned index_of(const char *const *names, unsigned count, ww_word word)
{
    for (unsigned i = 1; i < count; i++)
        if (strlen(names[i]) == word.length && memcmp(names[i], word.text, word.length) == 0)
            return i;
    return 0;
}

#define NAME(e, n) n,
static const char *const type_names[] = {WW_TYPES(NAME)};
static const char *const round_names[] = {WW_ROUNDS(NAME)};
static const char *const compare_names[] = {WW_COMPARES(NAME)};
static const char *const variant_names[] = {WW_VARIANTS(NAME)};
static const char *const combine_names[] = {WW_COMBINES(NAME)};
static const char *const space_names[] = {WW_SPACES(NAME)};

static const struct {
    const char *name;
    uint32_t flag;
} flag_names[] = {
    {"ftz", WW_FLAG_FTZ},
    {"sat", WW_FLAG_SAT},
    {"approx", WW_FLAG_APPROX},
    {"full", WW_FLAG_FULL},
    {"cc", WW_FLAG_CC},
    {"wrap", WW_FLAG_WRAP},
    {"clamp", WW_FLAG_CLAMP},
    {"NaN", WW_FLAG_NAN},
    {"shiftamt", WW_FLAG_SHIFTAMT},
    {"xorsign", WW_FLAG_XORSIGN},
    {"relu", WW_FLAG_RELU},
    {"sync", WW_FLAG_SYNC},
    {"uni", WW_FLAG_UNI},
    {"volatile", WW_FLAG_VOLATILE},
    {"to", WW_FLAG_TO},
    {"nc", WW_FLAG_NONCOHERENT},
    {"warp", WW_FLAG_WARP},
    {"noftz", WW_FLAG_NOFTZ},
    {"subgroup", WW_FLAG_SUBGROUP},
};

static uint32_t flag_of(ww_word word)
{
    for (unsigned i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++)
        if (strlen(flag_names[i].name) == word.length &&
            memcmp(flag_names[i].name, word.text, word.length) == 0)
            return flag_names[i].flag;
    return 0;
}

#define COUNT(names) ((unsigned)(sizeof(names) / sizeof((names)[0])))

static void apply(ww_form *form, char letter, ww_word word)
{
    const char *colons = memchr(word.text, ':', word.length);
    ww_word head = {word.text, colons ? (unsigned)(colons - word.text) : word.length};
    switch (letter) {
    case 't': form->type = (uint8_t)index_of(type_names, COUNT(type_names), word); break;
    case 's': form->type2 = (uint8_t)index_of(type_names, COUNT(type_names), word); break;
    case 'r': form->round = (uint8_t)index_of(round_names, COUNT(round_names), word); break;
    case 'c': form->compare = (uint8_t)index_of(compare_names, COUNT(compare_names), word); break;
    case 'v': form->variant = (uint8_t)index_of(variant_names, COUNT(variant_names), word); break;
    case 'o': form->combine = (uint8_t)index_of(combine_names, COUNT(combine_names), word); break;
    case 'm': form->space = (uint8_t)index_of(space_names, COUNT(space_names), head); break;
    case 'f': form->flags |= flag_of(word); break;
    case 'x': form->vector = (uint8_t)(word.text[1] - '0'); break;
    default: break;
    }
}

/* Returns the number of suffixes that matched before one did not fit; `count` when all did but a
 * required group stayed empty; count + 1 when the form is complete. */
static unsigned match_one(const ww_opcode *row, const ww_word *suffixes, unsigned count,
                          ww_form *form)
{
    group groups[MOST_GROUPS];
    bool used[MOST_GROUPS] = {false};
    unsigned group_count = split_pattern(row->pattern, groups);
    *form = (ww_form){.op = (uint8_t)row->op, .vector = 1};
    for (unsigned w = 0; w < count; w++) {
        unsigned g = 0;
        while (g < group_count &&
               ((used[g] && !groups[g].repeated) || !group_has(&groups[g], suffixes[w])))
            g++;
        if (g == group_count)
            return w;
        used[g] = true;
        apply(form, groups[g].letter, suffixes[w]);
    }
    for (unsigned g = 0; g < group_count; g++)
        if (!used[g] && !groups[g].optional)
            return count;
    return count + 1;
}

static void explain_unknown(ww_word name, char *why, size_t why_size)
{
    const char *names[WW_OP_COUNT];
    char word[40];
    for (unsigned i = 1; i < WW_OP_COUNT; i++)
        names[i - 1] = ww_op_name((ww_op)i);
    snprintf(word, sizeof(word), "%.*s", (int)name.length, name.text);
    static const struct {
        const char *opcode, *what;
    } missing[] = {
        {"tex", "images, textures and samplers"},  {"tld4", "images, textures and samplers"},
        {"txq", "images, textures and samplers"},  {"suld", "images, textures and samplers"},
        {"sust", "images, textures and samplers"}, {"sured", "images, textures and samplers"},
        {"suq", "images, textures and samplers"},  {"mma", "tensor-core instructions"},
        {"wmma", "tensor-core instructions"},      {"wgmma", "tensor-core instructions"},
        {"ldmatrix", "tensor-core instructions"},  {"stmatrix", "tensor-core instructions"},
        {"movmatrix", "tensor-core instructions"}, {"tcgen05", "tensor-core instructions"},
    };
    for (unsigned i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
        if (strcmp(word, missing[i].opcode) == 0) {
            snprintf(why, why_size, "opcode '%s': %s are not supported", word, missing[i].what);
            return;
        }
    const char *nearest = ww_nearest(word, names, WW_OP_COUNT - 1);
    if (nearest)
        snprintf(why, why_size, "unknown opcode '%s' (did you mean '%s'?)", word, nearest);
    else
        snprintf(why, why_size, "unknown opcode '%s' (docs/ptx.md lists what is supported)", word);
}

/* The words of a group as `.rn/.rz`. */
static void write_words(FILE *out, const group *g)
{
    fputs(g->optional ? "{." : ".", out);
    for (unsigned i = 0; i < g->length; i++)
        if (g->words[i] == '|')
            fputs("/.", out);
        else
            fputc(g->words[i], out);
    fputs(g->repeated ? "}*" : g->optional ? "}" : "", out);
}

static const char *write_pattern(const ww_opcode *opcode, bool with_hints, char *text, size_t size)
{
    group groups[MOST_GROUPS];
    unsigned count = split_pattern(opcode->pattern, groups);
    FILE *out = fmemopen(text, size, "w");
    for (unsigned g = 0; out && g < count; g++)
        if (with_hints || groups[g].letter != 'i' || !groups[g].repeated)
            write_words(out, &groups[g]);
    if (out)
        fclose(out);
    text[out && count ? size - 1 : 0] = 0;
    return text;
}

const char *ww_opcode_pattern(const ww_opcode *opcode, char *text, size_t size)
{
    return write_pattern(opcode, true, text, size);
}

const ww_opcode *ww_opcode_match(ww_word name, const ww_word *suffixes, unsigned count,
                                 ww_form *form, char *why, size_t why_size)
{
    const ww_opcode *nearest = NULL;
    unsigned furthest = 0;
    for (unsigned i = 0; i < ww_opcode_count; i++) {
        const char *op = ww_op_name(ww_opcodes[i].op);
        if (strlen(op) != name.length || memcmp(op, name.text, name.length) != 0)
            continue;
        unsigned reached = match_one(&ww_opcodes[i], suffixes, count, form);
        if (reached == count + 1)
            return &ww_opcodes[i];
        if (!nearest || reached > furthest) {
            nearest = &ww_opcodes[i];
            furthest = reached;
        }
    }
    if (!nearest) {
        explain_unknown(name, why, why_size);
        return NULL;
    }
    char forms[512];
    write_pattern(nearest, false, forms, sizeof(forms));
    if (furthest < count)
        snprintf(why, why_size, "'%.*s' does not take '.%.*s' here (nearest form: %.*s%s)",
                 (int)name.length, name.text, (int)suffixes[furthest].length,
                 suffixes[furthest].text, (int)name.length, name.text, forms);
    else
        snprintf(why, why_size, "'%.*s' needs more suffixes (nearest form: %.*s%s)",
                 (int)name.length, name.text, (int)name.length, name.text, forms);
    return NULL;
}

bool ww_opcode_supported(const char *opcode)
{
    ww_word words[MOST_GROUPS + 1];
    unsigned count = 0;
    while (*opcode && count <= MOST_GROUPS) {
        size_t length = strcspn(opcode, ".");
        words[count++] = (ww_word){opcode, (unsigned)length};
        opcode += length;
        opcode += *opcode == '.';
    }
    ww_form form;
    char why[64];
    return count && ww_opcode_match(words[0], words + 1, count - 1, &form, why, sizeof(why));
}
