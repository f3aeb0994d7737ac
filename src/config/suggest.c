#include "config/suggest.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define MOST_SHOWN 3
#define MOST_WORDS 12
#define LONGEST_WORD 24
#define SHORTEST_SPELT 4 /* letters of a word that is compared by spelling */

/* The score of a key for each word of the unknown key that it has ... */
#define SAME 6     /* in its name */
#define LIKE 4     /* almost, or another word for the same */
#define IN_DOC 3   /* in its description */
#define LACKS (-4) /* nowhere */
/* ... and other scores. */
#define SAME_LAST 5 /* the part behind the last dot is the same */
#define SPELLING 8  /* the whole name is spelt alike, less 2 for each letter that is not */
#define LEAST 3     /* of a key that is shown */

typedef struct words {
    char text[MOST_WORDS][LONGEST_WORD];
    size_t count;
} words;

static bool says_nothing(const char *word)
{
    return strcmp(word, "num") == 0 || strcmp(word, "number") == 0 || strcmp(word, "of") == 0 ||
           strcmp(word, "a") == 0 || strcmp(word, "the") == 0;
}

/* Splits a text into words of letters and digits, in lower case. Words beyond the capacity are
 * dropped. */
static words split(const char *text)
{
    words w = {.count = 0};
    while (*text && w.count < MOST_WORDS) {
        size_t length = 0;
        for (; isalnum((unsigned char)*text); text++)
            if (length + 1 < LONGEST_WORD)
                w.text[w.count][length++] = (char)tolower((unsigned char)*text);
        w.text[w.count][length] = 0;
        w.count += length && !says_nothing(w.text[w.count]);
        text += *text != 0;
    }
    return w;
}

static bool mean_the_same(const char *a, const char *b)
{
    static const char *const groups[] = {" size width entries capacity bytes ",
                                         " queue buffer pending ",
                                         " cu cus sm sms cores units ",
                                         " frequency freq clock ",
                                         " policy scheduler order ",
                                         " wave waves wavefront wavefronts warp warps ",
                                         " associativity assoc ways ",
                                         " delay latency ",
                                         " scratchpad shared lds ",
                                         " bandwidth width ",
                                         " ptw walker walkers walk ",
                                         " page pages vm "};
    char first[LONGEST_WORD + 2], second[LONGEST_WORD + 2];
    snprintf(first, sizeof(first), " %s ", a);
    snprintf(second, sizeof(second), " %s ", b);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (strstr(groups[i], first) && strstr(groups[i], second))
            return true;
    return false;
}

/* The shorter one is the start of the other: l1 of l1d, mem of memory, but not by of bypass. */
static bool is_start(const char *a, const char *b)
{
    size_t shorter = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    bool enough = shorter > 2 || (shorter == 2 && isdigit((unsigned char)a[1]));
    return enough && strncmp(a, b, shorter) == 0;
}

static bool are_alike(const char *a, const char *b)
{
    bool spelt_alike = strlen(a) >= SHORTEST_SPELT && ww_nearest_within(a, 1, &b, 1);
    return spelt_alike || is_start(a, b) || mean_the_same(a, b);
}

static int worth_of_word(const char *word, const words *name, const words *doc)
{
    int worth = LACKS;
    for (size_t i = 0; i < name->count; i++) {
        if (strcmp(word, name->text[i]) == 0)
            return SAME;
        if (are_alike(word, name->text[i]))
            worth = LIKE;
    }
    for (size_t i = 0; i < doc->count && worth < IN_DOC; i++)
        if (strcmp(word, doc->text[i]) == 0 || is_start(word, doc->text[i]))
            worth = IN_DOC;
    return worth;
}

static const char *last_part(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? dot + 1 : key;
}

static int worth_of_key(const ww_key *key, const char *unknown, const words *asked)
{
    words name = split(key->key), doc = split(key->doc);
    int worth = asked->count < name.count ? -1 : 0; /* among equals the shorter name */
    for (size_t i = 0; i < asked->count; i++)
        worth += worth_of_word(asked->text[i], &name, &doc);
    if (strcmp(last_part(key->key), last_part(unknown)) == 0)
        worth += SAME_LAST;
    int spelling = SPELLING;
    for (size_t most = 0; spelling > 0 && !ww_nearest_within(unknown, most, &key->key, 1); most++)
        spelling -= 2;
    return worth + spelling;
}

/* The keys with the highest scores, in the schema's order when equal; only those that score about
 * as high as the best. */
static size_t choose(const ww_config *config, const char *unknown, const char *shown[MOST_SHOWN])
{
    words asked = split(unknown);
    int worth[MOST_SHOWN], best = LEAST;
    size_t count = 0;
    for (size_t i = 0; i < ww_config_count(config); i++) {
        const ww_key *key = ww_config_setting(config, i)->key;
        int w = worth_of_key(key, unknown, &asked);
        size_t rank = count;
        while (rank > 0 && w > worth[rank - 1])
            rank--;
        if (w < LEAST || rank == MOST_SHOWN)
            continue;
        count += count < MOST_SHOWN;
        for (size_t j = count - 1; j > rank; j--) {
            worth[j] = worth[j - 1];
            shown[j] = shown[j - 1];
        }
        worth[rank] = w;
        shown[rank] = key->key;
        best = w > best ? w : best;
    }
    while (count > 0 && worth[count - 1] < best - 1)
        count--;
    return count;
}

char *ww_config_suggest(const ww_config *config, const char *unknown)
{
    const char *shown[MOST_SHOWN];
    size_t count = choose(config, unknown, shown);
    switch (count) {
    case 0: return ww_strdup("'warpwalk list keys' shows them all");
    case 1: return ww_format("did you mean '%s'?", shown[0]);
    case 2: return ww_format("did you mean '%s' or '%s'?", shown[0], shown[1]);
    default: return ww_format("did you mean '%s', '%s' or '%s'?", shown[0], shown[1], shown[2]);
    }
}
