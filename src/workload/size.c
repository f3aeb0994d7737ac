/* Reads the text after --size into a value for each parameter. */
#include "base/text.h"
#include "workload/host_internal.h"

#include <inttypes.h>
#include <string.h>

const ww_named_size *ww_workload_size(const ww_workload *workload, const char *name)
{
    for (size_t i = 0; i < workload->size_count; i++)
        if (strcmp(workload->sizes[i].name, name) == 0)
            return &workload->sizes[i];
    return NULL;
}

static char *list_sizes(const ww_workload *workload)
{
    char *list = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&list, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (size_t i = 0; i < workload->size_count; i++)
        fprintf(out, "%s%s", i ? ", " : "", workload->sizes[i].name);
    fclose(out);
    return list;
}

static int refuse_size(const ww_workload *workload, const char *name, ww_errors *errors)
{
    const char **names = ww_calloc(workload->size_count + 1, sizeof(*names));
    for (size_t i = 0; i < workload->size_count; i++)
        names[i] = workload->sizes[i].name;
    const char *near = ww_nearest(name, names, workload->size_count);
    free(names);
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: %s has no size '%.60s' (did you mean '%s'?)", workload->name, name,
                       near);
    char *list = list_sizes(workload);
    ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
            "--size: %s has no size '%.60s' (%s, or PARAMETER=VALUE,...)", workload->name, name,
            list);
    free(list);
    return WW_BAD_INPUT;
}

size_t ww_parameter_index(const ww_workload *workload, const char *name)
{
    size_t i = 0;
    while (i < workload->parameter_count && strcmp(workload->parameters[i].name, name) != 0)
        i++;
    return i;
}

static int refuse_parameter(const ww_workload *workload, const char *name, ww_errors *errors)
{
    const char *names[WW_MOST_PARAMETERS];
    char list[256] = "";
    for (size_t i = 0; i < workload->parameter_count; i++) {
        names[i] = workload->parameters[i].name;
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", names[i]);
    }
    const char *near = ww_nearest(name, names, workload->parameter_count);
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: %s has no parameter '%.60s' (did you mean '%s'?)", workload->name,
                       name, near);
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--size: %s has no parameter '%.60s' (it has %s)", workload->name, name, list);
}

static bool find_choice(const char *choices, const char *word, uint64_t *index)
{
    size_t length = strlen(word);
    *index = 0;
    for (const char *at = choices;; at++, ++*index) {
        size_t part = strcspn(at, "|");
        if (part == length && strncmp(at, word, length) == 0)
            return true;
        at += part;
        if (!*at)
            return false;
    }
}

static int set_value(ww_choice *choice, size_t index, const char *word, ww_errors *errors)
{
    const ww_parameter *p = &choice->workload->parameters[index];
    uint64_t number = 0;
    if (p->kind == WW_NUMBER &&
        (!ww_parse_u64(word, &number) || number < p->least || number > p->most))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: %s is '%.60s' (a whole number from %" PRIu64 " to %" PRIu64
                       " is needed)",
                       p->name, word, p->least, p->most);
    if (p->kind == WW_CHOICE && !find_choice(p->choices, word, &number))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--size: %s is '%.60s' (%s is needed)",
                       p->name, word, p->choices);
    if (p->kind == WW_WORD && !word[0])
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--size: %s is empty", p->name);
    free(choice->words[index]);
    choice->words[index] = ww_strdup(word);
    choice->numbers[index] = number;
    return WW_OK;
}

static int read_assignment(ww_choice *choice, char *item, ww_errors *errors)
{
    char *equals = strchr(item, '=');
    *equals = '\0';
    size_t index = ww_parameter_index(choice->workload, item);
    if (index == choice->workload->parameter_count)
        return refuse_parameter(choice->workload, item, errors);
    if (choice->given[index])
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--size: %s is given twice", item);
    choice->given[index] = true;
    return set_value(choice, index, equals + 1, errors);
}

/* An item behind the first that is not PARAMETER=VALUE. */
static int refuse_item(const ww_workload *workload, const char *item, ww_errors *errors)
{
    if (ww_workload_size(workload, item))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: '%s' is the name of a size (only the first word can be one)", item);
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--size: '%.60s' has no value (PARAMETER=VALUE is needed)", item);
}

static bool has_empty_item(const char *text)
{
    size_t length = strlen(text);
    return length && (text[0] == ',' || text[length - 1] == ',' || strstr(text, ",,"));
}

/* Items are separated by commas; the first may name a size to start from. */
static int read_items(ww_choice *choice, const char *text, ww_errors *errors)
{
    if (has_empty_item(text))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: there is nothing before or after a comma of '%.60s'", text);
    char *copy = ww_strdup(text);
    char *rest = copy;
    int status = WW_OK;
    for (char *item; (item = strsep(&rest, ",")) != NULL;) {
        if (strchr(item, '='))
            status |= read_assignment(choice, item, errors);
        else if (item != copy)
            status |= refuse_item(choice->workload, item, errors);
        else if (!ww_workload_size(choice->workload, item))
            status |= refuse_size(choice->workload, item, errors);
    }
    free(copy);
    return status;
}

/* The size that the text starts from: the one it names, or the default. */
static const ww_named_size *base_size(const ww_workload *workload, const char *text)
{
    char *first = ww_strdup(text);
    first[strcspn(first, ",")] = '\0';
    const ww_named_size *named = ww_workload_size(workload, first);
    free(first);
    return named ? named : ww_workload_size(workload, WW_DEFAULT_SIZE);
}

int ww_choice_read(const ww_workload *workload, const char *text, ww_choice *choice,
                   ww_errors *errors)
{
    const char *wanted = text ? text : WW_DEFAULT_SIZE;
    const ww_named_size *base = base_size(workload, wanted);
    *choice = (ww_choice){.workload = workload, .text = ww_strdup(wanted)};
    choice->named = strcmp(base->name, wanted) == 0 ? base : NULL;
    int status = WW_OK;
    for (size_t i = 0; i < workload->parameter_count; i++)
        status |= set_value(choice, i, workload->parameters[i].initial, errors);
    if (base->values[0])
        status |= read_items(choice, base->values, errors);
    memset(choice->given, 0, sizeof(choice->given));
    if (!choice->named)
        status |= read_items(choice, wanted, errors);
    return status ? status : ww_graph_resolve_parameters(choice, errors);
}

void ww_choice_clear(ww_choice *choice)
{
    for (size_t i = 0; i < WW_MOST_PARAMETERS; i++)
        free(choice->words[i]);
    free(choice->text);
    *choice = (ww_choice){0};
}

char *ww_choice_values(const ww_choice *choice)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (size_t i = 0; i < choice->workload->parameter_count; i++)
        if (ww_graph_uses(choice, i))
            fprintf(out, "%s%s=%s", ftell(out) ? "," : "", choice->workload->parameters[i].name,
                    choice->words[i]);
    fclose(out);
    return text;
}
