/* The launches of a launch file: reading them and their arguments. */
#include "host/launch_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define MOST_GLOBAL (UINT64_C(1) << 40)
#define MOST_SHARED (UINT64_C(1) << 20)

static const char *const launch_keys[] = {"entry",         "global", "groups", "local",
                                          "global_offset", "shared", "args"};

/* ---- sizes ---- */

/* One to three whole numbers, or one without brackets. */
static int read_dims(const ww_yaml *node, const char *what, uint64_t least, uint64_t most,
                     uint64_t values[3], unsigned *dims, ww_errors *errors)
{
    if (node->kind == WW_YAML_SCALAR) {
        *dims = 1;
        return ww_yaml_u64(node, what, least, most, &values[0], errors);
    }
    int status = ww_yaml_expect(node, WW_YAML_SEQUENCE, what, errors);
    if (status != WW_OK)
        return status;
    if (node->count < 1 || node->count > 3)
        return ww_fail(errors, WW_BAD_INPUT, node->at, "%s has %zu dimensions (1 to 3 are needed)",
                       what, node->count);
    for (size_t i = 0; i < node->count; i++)
        status |= ww_yaml_u64(node->items[i], what, least, most, &values[i], errors);
    *dims = (unsigned)node->count;
    return status;
}

static int read_optional_dims(const ww_yaml *launch, const char *key, uint64_t least, uint64_t most,
                              uint64_t values[3], unsigned *dims, ww_where *at, ww_errors *errors)
{
    char what[32];
    const ww_yaml *node = ww_yaml_get(launch, key);
    snprintf(what, sizeof(what), "'%s'", key);
    *dims = 0;
    if (!node)
        return WW_OK;
    *at = node->at;
    return read_dims(node, what, least, most, values, dims, errors);
}

static int read_grid(ww_launch_part *launch, const ww_yaml *node, ww_errors *errors)
{
    unsigned groups = 0;
    ww_where offset_at = node->at;
    launch->global_at = launch->local_at = node->at;
    int status = read_optional_dims(node, "global", 1, MOST_GLOBAL, launch->global, &launch->dims,
                                    &launch->global_at, errors);
    if (status == WW_OK && launch->dims && ww_yaml_get(node, "groups"))
        return ww_fail(errors, WW_BAD_INPUT, node->at, "'global' and 'groups' exclude each other");
    if (status == WW_OK && !launch->dims) {
        status = read_optional_dims(node, "groups", 1, UINT32_MAX, launch->global, &groups,
                                    &launch->global_at, errors);
        launch->in_groups = groups > 0;
        launch->dims = groups;
    }
    status |= read_optional_dims(node, "local", 1, WW_MOST_GROUP, launch->local,
                                 &launch->local_dims, &launch->local_at, errors);
    status |= read_optional_dims(node, "global_offset", 0, UINT32_MAX, launch->offset,
                                 &launch->offset_dims, &offset_at, errors);
    if (status != WW_OK)
        return status;
    if (!launch->dims)
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "'global' is missing (the number of work-items, such as [1024])");
    if (launch->in_groups && !launch->local_dims)
        return ww_fail(errors, WW_BAD_INPUT, node->at, "'groups' needs 'local'");
    if (launch->local_dims && launch->local_dims != launch->dims)
        return ww_fail(errors, WW_BAD_INPUT, launch->local_at,
                       "'local' has %u dimensions and '%s' has %u", launch->local_dims,
                       launch->in_groups ? "groups" : "global", launch->dims);
    if (launch->offset_dims && launch->offset_dims != launch->dims)
        return ww_fail(errors, WW_BAD_INPUT, offset_at,
                       "'global_offset' has %u dimensions and '%s' has %u", launch->offset_dims,
                       launch->in_groups ? "groups" : "global", launch->dims);
    return WW_OK;
}

/* ---- arguments ---- */

static int read_hex(ww_launch_file *file, ww_argument *argument, const ww_yaml *node,
                    ww_errors *errors)
{
    const char *text = NULL;
    size_t digits = 0;
    int status = ww_yaml_text(node, "'bytes'", &text, errors);
    if (status != WW_OK)
        return status;
    argument->bytes = ww_arena_alloc(file->arena, strlen(text) / 2 + 1, 1);
    for (; *text; text++) {
        if (*text == ' ' || *text == '_')
            continue;
        if (!isxdigit((unsigned char)*text))
            return ww_fail(errors, WW_BAD_INPUT, node->at,
                           "'bytes' holds '%c' (pairs of hexadecimal digits are needed)", *text);
        int digit = isdigit((unsigned char)*text) ? *text - '0' : (*text | 32) - 'a' + 10;
        uint8_t *byte = &argument->bytes[digits++ / 2];
        *byte = (uint8_t)(*byte << 4 | digit);
    }
    if (digits == 0 || digits % 2 != 0)
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "'bytes' has %zu hexadecimal digits (two for each byte are needed)", digits);
    argument->kind = WW_ARGUMENT_BYTES;
    argument->size = digits / 2;
    return WW_OK;
}

static int read_value(ww_launch_file *file, ww_argument *argument, ww_element element,
                      const ww_yaml *node, ww_errors *errors)
{
    const char *what = ww_arena_printf(file->arena, "'%s'", ww_element_names[element]);
    argument->kind = WW_ARGUMENT_VALUE;
    argument->element = element;
    argument->size = ww_element_bytes(element);
    if (node->kind == WW_YAML_SEQUENCE) {
        argument->size *= node->count;
        return ww_launch_elements(file, element, node, what, 0, &argument->bytes, errors);
    }
    argument->bytes = ww_arena_alloc(file->arena, 1, sizeof(uint64_t));
    return ww_element_parse(element, node, what, argument->bytes, errors);
}

/* {u32: 5}, {bytes: "00ff"} or {local: 1024}: a mapping with one key. */
static int read_typed(ww_launch_file *file, ww_argument *argument, const ww_yaml *node,
                      ww_errors *errors)
{
    const char *names[WW_ELEMENT_COUNT + 2];
    memcpy(names, ww_element_names, sizeof(ww_element_names));
    names[WW_ELEMENT_COUNT] = "bytes";
    names[WW_ELEMENT_COUNT + 1] = "local";
    int status = ww_yaml_expect_keys(node, names, WW_ELEMENT_COUNT + 2, errors);
    if (status != WW_OK)
        return status;
    if (node->count != 1)
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "an argument has one type and value, such as {u32: 5}");
    const char *key = node->keys[0]->text;
    if (strcmp(key, "bytes") == 0)
        return read_hex(file, argument, node->items[0], errors);
    if (strcmp(key, "local") == 0) {
        argument->kind = WW_ARGUMENT_LOCAL;
        return ww_yaml_u64(node->items[0], "'local'", 1, MOST_SHARED, &argument->size, errors);
    }
    size_t element = 0;
    while (strcmp(key, names[element]) != 0)
        element++;
    return read_value(file, argument, (ww_element)element, node->items[0], errors);
}

static int read_argument(ww_launch_file *file, ww_argument *argument, const ww_yaml *node,
                         ww_errors *errors)
{
    double number;
    argument->at = node->at;
    if (node->kind == WW_YAML_MAPPING)
        return read_typed(file, argument, node, errors);
    if (node->kind == WW_YAML_SEQUENCE)
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "an argument is a list (a buffer's name, or such as {f32: [1, 2]})");
    if (!node->quoted && ww_parse_double(node->text, &number))
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "the argument '%s' has no type (write such as {u32: %s})", node->text,
                       node->text);
    argument->kind = WW_ARGUMENT_NULL;
    if (!node->quoted && strcmp(node->text, "null") == 0)
        return WW_OK;
    argument->kind = WW_ARGUMENT_BUFFER;
    return ww_launch_buffer(file, node->text, node->at, &argument->buffer, errors);
}

static int read_arguments(ww_launch_file *file, ww_launch_part *launch, const ww_yaml *node,
                          ww_errors *errors)
{
    if (!node)
        return WW_OK;
    int status = ww_yaml_expect(node, WW_YAML_SEQUENCE, "'args'", errors);
    if (status != WW_OK)
        return status;
    launch->args = ww_arena_alloc(file->arena, node->count + 1, sizeof(*launch->args));
    launch->arg_count = node->count;
    for (size_t i = 0; i < node->count; i++)
        status |= read_argument(file, &launch->args[i], node->items[i], errors);
    return status;
}

static int read_launch(ww_launch_file *file, const ww_yaml *node, ww_errors *errors)
{
    ww_launch_part launch = {.at = node->at, .entry_at = node->at};
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, "a launch", errors);
    if (status != WW_OK)
        return status;
    status |= ww_yaml_expect_keys(node, launch_keys, sizeof(launch_keys) / sizeof(launch_keys[0]),
                                  errors);
    const ww_yaml *entry = ww_yaml_get(node, "entry");
    if (entry) {
        launch.entry_at = entry->at;
        status |= ww_yaml_text(entry, "'entry'", &launch.entry, errors);
    }
    const ww_yaml *shared = ww_yaml_get(node, "shared");
    if (shared)
        status |= ww_yaml_u64(shared, "'shared'", 0, MOST_SHARED, &launch.shared, errors);
    status |= read_grid(&launch, node, errors);
    status |= read_arguments(file, &launch, ww_yaml_get(node, "args"), errors);
    launch.sound = status == WW_OK;
    ww_vec_push(&file->launches, launch);
    return status;
}

int ww_launch_read_launches(ww_launch_file *file, const ww_yaml *node, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_SEQUENCE, "'launches'", errors);
    if (status != WW_OK)
        return status;
    for (size_t i = 0; i < node->count; i++)
        status |= read_launch(file, node->items[i], errors);
    return status;
}
