#include "host/library_symbols.h"

#include "base/map.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define LONGEST_NAME 99

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool starts_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* Where the next symbol starts: those of OpenCL C functions have none of these inside, but can end
 * with one underscore. */
static bool is_symbol_end(const char *at, const char *end)
{
    bool joined = starts_with(at, end, "__Z") || starts_with(at, end, "___");
    return at == end || !is_word(*at) || starts_with(at, end, "_Z") ||
           (starts_with(at, end, "__") && !joined) || starts_with(at, end, "llvm.");
}

static bool read_symbol(const char *start, const char *end, ww_library_symbol *symbol)
{
    const char *at = start + 2;
    size_t length = 0;
    for (; at < end && isdigit((unsigned char)*at) && length <= LONGEST_NAME; at++)
        length = length * 10 + (size_t)(*at - '0');
    if (length == 0 || length > LONGEST_NAME || (size_t)(end - at) < length)
        return false;
    symbol->text = start;
    symbol->name = at;
    symbol->name_length = length;
    for (size_t i = 0; i < length; i++)
        if (!is_word(*at++))
            return false;
    while (!is_symbol_end(at, end))
        at++;
    symbol->length = (size_t)(at - start);
    return true;
}

bool ww_library_symbol_next(const char *bytes, size_t count, size_t *at, ww_library_symbol *symbol)
{
    const char *end = bytes + count, *start = bytes + *at;
    while ((start = memmem(start, (size_t)(end - start), "_Z", 2))) {
        if (read_symbol(start, end, symbol)) {
            *at = (size_t)(symbol->text - bytes) + symbol->length;
            return true;
        }
        start += 2;
    }
    return false;
}

static ww_map *map_names(const char *names)
{
    ww_map *map = ww_map_create();
    uintptr_t number = 0;
    for (const char *end; (end = strchr(names, '\n')); names = end + 1)
        ww_map_add(map, names, (size_t)(end - names), (void *)++number);
    return map;
}

void ww_library_names_mark(const char *names, const char *text, bool *used)
{
    ww_map *map = map_names(names);
    while (*text) {
        size_t length = 0;
        while (is_word(text[length]))
            length++;
        uintptr_t number = length ? (uintptr_t)ww_map_get(map, text, length) : 0;
        if (number)
            used[number - 1] = true;
        text += length ? length : 1;
    }
    ww_map_destroy(map);
}

/* The next ".func ... NAME" from `at` on; NULL at the end. */
static const char *find_function(const char *at, const char **name, size_t *length)
{
    static const char start[] = "\n.func ";
    at = strstr(at, start);
    if (!at)
        return NULL;
    const char *end = at + 1 + strcspn(at + 1, "\n");
    while (end > at && !is_word(end[-1])) /* "name(" or "name" */
        end--;
    for (*name = end; is_word((*name)[-1]);)
        --*name;
    *length = (size_t)(end - *name);
    return end;
}

static bool has_body(const char *after_name)
{
    return after_name[strcspn(after_name, ";{")] == '{';
}

static bool is_defined(const char *ptx, const char *wanted, size_t wanted_length)
{
    const char *name;
    size_t length;
    for (const char *at = ptx; (at = find_function(at, &name, &length));)
        if (length == wanted_length && memcmp(name, wanted, length) == 0 && has_body(at))
            return true;
    return false;
}

static bool is_printf(const char *name, size_t length)
{
    return length == 6 && memcmp(name, "printf", 6) == 0;
}

bool ww_ptx_lacks_functions(const char *ptx)
{
    const char *name;
    size_t length;
    for (const char *at = ptx; (at = find_function(at, &name, &length));)
        if (!has_body(at) && !is_printf(name, length) && !is_defined(ptx, name, length))
            return true;
    return false;
}
