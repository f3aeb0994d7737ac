#include "host/self_contained.h"

#include "base/memory.h"

#include <string.h>

/* A copy without spliced lines: a backslash at the end of a line can split any word. */
static char *without_splices(const char *text)
{
    char *copy = ww_calloc(strlen(text) + 1, 1);
    char *to = copy;
    while (*text) {
        size_t splice = strncmp(text, "\\\n", 2) == 0 ? 2 : strncmp(text, "\\\r\n", 3) == 0 ? 3 : 0;
        if (splice)
            text += splice;
        else
            *to++ = *text++;
    }
    return copy;
}

bool ww_is_self_contained(const char *text)
{
    static const char *const words[] = {"include",  "import",   "__has_",
                                        "__DATE__", "__TIME__", "__TIMESTAMP__"};
    char *plain = without_splices(text);
    bool found = false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        found = found || strstr(plain, words[i]);
    free(plain);
    return !found;
}
