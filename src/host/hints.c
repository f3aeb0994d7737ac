#include "host/hints.h"

#include "base/json.h"
#include "base/memory.h"

#include <string.h>

#define MOST_VALUES 3

/* The first value is the default, and the last one of two is what the name alone means. */
typedef struct hint_kind {
    const char *name;
    const char *values[MOST_VALUES];
    size_t count;
} hint_kind;

enum { PREFERRED, ACCESSED_BY, READ_MOSTLY, PREFETCH, HINT_COUNT };

static const hint_kind kinds[HINT_COUNT] = {
    [PREFERRED] = {"preferred", {"none", "host", "gpu"}, 3}, /* as ww_preferred */
    [ACCESSED_BY] = {"accessed_by", {"none", "gpu"}, 2},
    [READ_MOSTLY] = {"read_mostly", {"false", "true"}, 2},
    [PREFETCH] = {"prefetch", {"false", "true"}, 2},
};

static void set_value(ww_buffer_hints *hints, size_t kind, size_t value)
{
    switch (kind) {
    case PREFERRED: hints->preferred = (ww_preferred)value; break;
    case ACCESSED_BY: hints->accessed_by = value; break;
    case READ_MOSTLY: hints->read_mostly = value; break;
    default: hints->prefetch = value; break;
    }
}

static size_t value_of(const ww_buffer_hints *hints, size_t kind)
{
    switch (kind) {
    case PREFERRED: return hints->preferred;
    case ACCESSED_BY: return hints->accessed_by;
    case READ_MOSTLY: return hints->read_mostly;
    default: return hints->prefetch;
    }
}

/* "a, b, c", which the caller frees. */
static char *join(const char *const *names, size_t count)
{
    char *all = ww_strdup(count ? names[0] : "none");
    for (size_t i = 1; i < count; i++) {
        char *longer = ww_format("%s, %s", all, names[i]);
        free(all);
        all = longer;
    }
    return all;
}

static int fail_choice(const char *what, const char *word, const char *const *names, size_t count,
                       ww_where at, ww_errors *errors)
{
    char *choices = join(names, count);
    ww_fail(errors, WW_BAD_INPUT, at, "%s '%.60s' (one of: %s)", what, word, choices);
    free(choices);
    return WW_BAD_INPUT;
}

/* `prefix`: in front of the message. */
static int find_kind(const char *prefix, const char *name, ww_where at, size_t *kind,
                     ww_errors *errors)
{
    const char *names[HINT_COUNT];
    for (*kind = 0; *kind < HINT_COUNT; ++*kind) {
        names[*kind] = kinds[*kind].name;
        if (strcmp(name, names[*kind]) == 0)
            return WW_OK;
    }
    char *what = ww_format("%sunknown hint", prefix);
    fail_choice(what, name, names, HINT_COUNT, at, errors);
    free(what);
    return WW_BAD_INPUT;
}

static int find_value(const char *prefix, size_t kind, const char *word, ww_where at, size_t *value,
                      ww_errors *errors)
{
    const hint_kind *k = &kinds[kind];
    for (*value = 0; *value < k->count; ++*value)
        if (strcmp(word, k->values[*value]) == 0)
            return WW_OK;
    char *what = ww_format("%s'%s' is", prefix, k->name);
    fail_choice(what, word, k->values, k->count, at, errors);
    free(what);
    return WW_BAD_INPUT;
}

/* ---- in files and results ---- */

static int read_hint(const ww_yaml *key, const ww_yaml *item, ww_buffer_hints *hints,
                     ww_errors *errors)
{
    size_t kind, value;
    const char *word = NULL;
    int status = find_kind("", key->text, key->at, &kind, errors);
    if (status == WW_OK)
        status = ww_yaml_text(item, "a hint", &word, errors);
    if (status == WW_OK)
        status = find_value("", kind, word, item->at, &value, errors);
    if (status == WW_OK)
        set_value(hints, kind, value);
    return status;
}

int ww_hints_read(const ww_yaml *node, ww_buffer_hints *hints, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, "'hints'", errors);
    for (size_t i = 0; node->kind == WW_YAML_MAPPING && i < node->count; i++)
        status |= read_hint(node->keys[i], node->items[i], hints, errors);
    return status;
}

void ww_hints_record(json_t *object, const char *buffer, const ww_buffer_hints *hints)
{
    json_t *known = json_object_get(object, buffer);
    json_t *own = known ? json_incref(known) : json_object();
    for (size_t kind = 0; kind < HINT_COUNT; kind++) {
        size_t value = value_of(hints, kind);
        bool is_word = kind == PREFERRED || kind == ACCESSED_BY;
        if (value)
            json_object_set_new(own, kinds[kind].name,
                                is_word ? json_string(kinds[kind].values[value]) : json_true());
    }
    if (json_object_size(own))
        json_object_set(object, buffer, own);
    json_decref(own);
}

/* ---- lists ---- */

typedef struct hint {
    char *buffer;
    size_t kind, value;
} hint;

struct ww_hint_list {
    WW_VEC(hint) hints; /* in order */
};

ww_hint_list *ww_hint_list_create(void)
{
    return ww_calloc(1, sizeof(ww_hint_list));
}

static void shorten(ww_hint_list *list, size_t count)
{
    while (list->hints.count > count)
        free(list->hints.items[--list->hints.count].buffer);
}

void ww_hint_list_destroy(ww_hint_list *list)
{
    if (!list)
        return;
    shorten(list, 0);
    ww_vec_free(&list->hints);
    free(list);
}

/* "preferred:host" or "prefetch" */
static int add_hint(ww_hint_list *list, const char *buffer, char *text, ww_errors *errors)
{
    hint h = {0};
    char *colon = strchr(text, ':');
    if (colon)
        *colon = '\0';
    if (find_kind("--hint: ", text, WW_NOWHERE, &h.kind, errors))
        return WW_BAD_INPUT;
    const hint_kind *kind = &kinds[h.kind];
    const char *alone = kind->count == 2 ? kind->values[1] : "";
    if (find_value("--hint: ", h.kind, colon ? colon + 1 : alone, WW_NOWHERE, &h.value, errors))
        return WW_BAD_INPUT;
    h.buffer = ww_strdup(buffer);
    ww_vec_push(&list->hints, h);
    return WW_OK;
}

/* "a=preferred:host,prefetch" */
static int add_item(ww_hint_list *list, char *item, ww_errors *errors)
{
    char *rest = strchr(item, '=');
    int status = WW_OK;
    if (!rest || rest == item)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--hint: '%.60s' (BUFFER=HINT is needed, such as a=preferred:host)", item);
    *rest++ = '\0';
    for (char *text; (text = strsep(&rest, ",")) != NULL;)
        status |= add_hint(list, item, text, errors);
    return status;
}

int ww_hint_list_add(ww_hint_list *list, const char *text, ww_errors *errors)
{
    static const char blanks[] = " \t\n";
    char *copy = ww_strdup(text), *rest = copy + strspn(copy, blanks);
    size_t before = list->hints.count;
    int status = WW_OK;
    do {
        char *item = rest;
        rest += strcspn(rest, blanks);
        char *next = rest + strspn(rest, blanks);
        *rest = '\0';
        rest = next;
        status |= add_item(list, item, errors);
    } while (*rest);
    free(copy);
    if (status != WW_OK)
        shorten(list, before);
    return status;
}

char *ww_hint_list_text(const ww_hint_list *list)
{
    char *text = ww_strdup("");
    for (size_t i = 0; list && i < list->hints.count; i++) {
        const hint *h = &list->hints.items[i];
        char *longer = ww_format("%s%s%s=%s:%s", text, i ? " " : "", h->buffer, kinds[h->kind].name,
                                 kinds[h->kind].values[h->value]);
        free(text);
        text = longer;
    }
    return text;
}

static bool is_about(const hint *h, const char *buffer)
{
    return strcmp(h->buffer, "*") == 0 || strcmp(h->buffer, buffer) == 0;
}

void ww_hint_list_apply(const ww_hint_list *list, const char *buffer, ww_buffer_hints *hints)
{
    for (size_t i = 0; list && i < list->hints.count; i++)
        if (is_about(&list->hints.items[i], buffer))
            set_value(hints, list->hints.items[i].kind, list->hints.items[i].value);
}

/* Whether an earlier hint is about the same name, which was checked then. */
static bool was_checked(const ww_hint_list *list, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(list->hints.items[i].buffer, list->hints.items[index].buffer) == 0)
            return true;
    return false;
}

int ww_hint_list_check(const ww_hint_list *list, const char *program, const char *const *names,
                       size_t count, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; list && i < list->hints.count; i++) {
        const hint *h = &list->hints.items[i];
        bool found = strcmp(h->buffer, "*") == 0 || was_checked(list, i);
        for (size_t k = 0; !found && k < count; k++)
            found = is_about(h, names[k]);
        if (found)
            continue;
        char *what = ww_format("--hint: %s has no buffer", program);
        status = fail_choice(what, h->buffer, names, count, WW_NOWHERE, errors);
        free(what);
    }
    return status;
}
