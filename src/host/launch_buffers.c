/* The buffers of a launch file: reading them and giving them their contents. */
#include "host/launch_internal.h"

#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 46)

static const char *const keys[] = {"type", "count", "fill", "seed", "range", "hints"};

static int read_fill_file(ww_launch_file *file, ww_buffer_part *part, const ww_yaml *node,
                          ww_errors *errors)
{
    static const char *const fill_keys[] = {"file"};
    const ww_yaml *name = NULL;
    const char *path = NULL;
    int status = ww_yaml_expect_keys(node, fill_keys, 1, errors);
    status |= ww_yaml_need(node, "file", &name, errors);
    if (name)
        status |= ww_yaml_text(name, "'file'", &path, errors);
    if (status != WW_OK)
        return status;
    part->fill = WW_FILL_FILE;
    part->file = ww_launch_path(file, path);
    part->file_at = name->at;
    return ww_launch_check_size(part->file, name->at, part->count * ww_element_bytes(part->element),
                                errors);
}

static int read_fill_word(ww_launch_file *file, ww_buffer_part *part, const ww_yaml *node,
                          ww_errors *errors)
{
    static const char *const words[] = {"zero", "iota", "random"};
    static const ww_fill_kind kinds[] = {WW_FILL_ZERO, WW_FILL_IOTA, WW_FILL_RANDOM};
    for (size_t i = 0; i < 3; i++) {
        part->fill = kinds[i];
        if (strcmp(node->text, words[i]) == 0)
            return WW_OK;
    }
    if (strchr("+-.0123456789", node->text[0]) || strstr(node->text, "inf") ||
        strcmp(node->text, "nan") == 0) {
        part->fill = WW_FILL_VALUE;
        part->values = ww_arena_alloc(file->arena, 1, sizeof(uint64_t));
        return ww_element_parse(part->element, node, "'fill'", part->values, errors);
    }
    return ww_fail(errors, WW_BAD_INPUT, node->at,
                   "'fill' is '%s' (zero, iota, random, a number, a list of numbers or "
                   "{file: NAME})",
                   node->text);
}

static int read_fill(ww_launch_file *file, ww_buffer_part *part, const ww_yaml *node,
                     ww_errors *errors)
{
    if (!node)
        return WW_OK;
    switch (node->kind) {
    case WW_YAML_MAPPING: return read_fill_file(file, part, node, errors);
    case WW_YAML_SEQUENCE:
        part->fill = WW_FILL_LIST;
        return ww_launch_elements(file, part->element, node, "'fill'", part->count, &part->values,
                                  errors);
    default: return read_fill_word(file, part, node, errors);
    }
}

static int read_bound(ww_element element, const ww_yaml *node, void *bound, ww_errors *errors)
{
    int status = ww_element_parse(element, node, "'range'", bound, errors);
    if (status == WW_OK && !isfinite(ww_element_magnitude(element, bound)))
        status = ww_fail(errors, WW_BAD_INPUT, node->at,
                         "'range' is '%.60s' (a finite number is needed)", node->text);
    return status;
}

static int read_range(ww_buffer_part *part, const ww_yaml *node, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_SEQUENCE, "'range'", errors);
    if (status != WW_OK)
        return status;
    if (node->count != 2)
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "'range' has %zu elements (the lowest and the highest are needed)",
                       node->count);
    if (part->fill != WW_FILL_RANDOM)
        return ww_fail(errors, WW_BAD_INPUT, node->at, "'range' is for fill: random");
    part->has_range = true;
    status |= read_bound(part->element, node->items[0], &part->low, errors);
    status |= read_bound(part->element, node->items[1], &part->high, errors);
    if (status == WW_OK && ww_element_less(part->element, &part->high, &part->low))
        status = ww_fail(errors, WW_BAD_INPUT, node->at, "'range' ends before it starts");
    if (status == WW_OK && isinf(ww_element_distance(part->element, &part->high, &part->low)))
        status = ww_fail(errors, WW_BAD_INPUT, node->at,
                         "'range' is too wide (its length is not a finite number)");
    return status;
}

/* The number of elements: `count`, or the length of a list. */
static int read_count(ww_buffer_part *part, const ww_yaml *node, ww_errors *errors)
{
    const ww_yaml *count = ww_yaml_get(node, "count");
    const ww_yaml *fill = ww_yaml_get(node, "fill");
    if (!count && fill && fill->kind == WW_YAML_SEQUENCE) {
        part->count = fill->count;
        return WW_OK;
    }
    int status = ww_yaml_need(node, "count", &count, errors);
    if (status == WW_OK)
        status = ww_yaml_u64(count, "'count'", 1, MOST_BYTES / ww_element_bytes(part->element),
                             &part->count, errors);
    return status;
}

static int read_buffer(ww_launch_file *file, const ww_yaml *key, const ww_yaml *node, bool symbol,
                       ww_errors *errors)
{
    ww_buffer_part part = {.name = key->text, .at = key->at, .symbol = symbol};
    const char *what =
        ww_arena_printf(file->arena, "%s '%s'", symbol ? "symbol" : "buffer", key->text);
    const ww_yaml *type = NULL;
    size_t element = 0;
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, what, errors);
    if (status == WW_OK) {
        status |= ww_yaml_expect_keys(node, keys, sizeof(keys) / sizeof(keys[0]), errors);
        int typed = ww_yaml_need(node, "type", &type, errors);
        if (typed == WW_OK)
            typed = ww_yaml_choice(type, "'type'", ww_element_names, WW_ELEMENT_COUNT, &element,
                                   errors);
        part.element = (ww_element)element;
        int counted = read_count(&part, node, errors);
        if ((typed | counted) == WW_OK)
            status |= read_fill(file, &part, ww_yaml_get(node, "fill"), errors);
        const ww_yaml *range = ww_yaml_get(node, "range");
        if (range && (typed | counted) == WW_OK)
            status |= read_range(&part, range, errors);
        const ww_yaml *seed = ww_yaml_get(node, "seed");
        part.has_seed = seed != NULL;
        if (seed)
            status |= ww_yaml_u64(seed, "'seed'", 0, UINT64_MAX, &part.seed, errors);
        const ww_yaml *hints = ww_yaml_get(node, "hints");
        if (hints)
            status |= ww_hints_read(hints, &part.hints, errors);
        status |= typed | counted;
        part.keep = !ww_yaml_get(node, "fill");
    }
    ww_vec_push(&file->buffers, part);
    return status;
}

int ww_launch_read_buffers(ww_launch_file *file, const ww_yaml *node, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, "'buffers'", errors);
    if (status != WW_OK)
        return status;
    for (size_t i = 0; i < node->count; i++)
        status |= read_buffer(file, node->keys[i], node->items[i], false, errors);
    return status;
}

int ww_launch_read_symbols(ww_launch_file *file, const ww_yaml *node, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, "'symbols'", errors);
    if (status != WW_OK)
        return status;
    for (size_t i = 0; i < node->count; i++) {
        const ww_yaml *key = node->keys[i];
        for (size_t b = 0; b < file->buffers.count; b++)
            if (strcmp(file->buffers.items[b].name, key->text) == 0)
                status |= ww_fail(errors, WW_BAD_INPUT, key->at,
                                  "'%s' is a buffer (a symbol needs another name)", key->text);
        status |= read_buffer(file, key, node->items[i], true, errors);
    }
    return status;
}

/* ---- contents ---- */

static void fill_random(const ww_buffer_part *part, uint8_t *bytes, uint64_t seed)
{
    unsigned size = ww_element_bytes(part->element);
    ww_rng rng;
    ww_rng_seed(&rng,
                part->has_seed ? part->seed : ww_hash64(part->name, strlen(part->name), seed));
    for (uint64_t i = 0; i < part->count; i++) {
        if (part->has_range)
            ww_element_random_between(part->element, &rng, &part->low, &part->high,
                                      bytes + i * size);
        else
            ww_element_random(part->element, &rng, bytes + i * size);
    }
}

static int fill_from_file(const ww_buffer_part *part, const ww_buffer *buffer, ww_errors *errors)
{
    FILE *in = fopen(part->file, "rb");
    bool ok = in && fread(buffer->host, 1, buffer->size, in) == buffer->size;
    int reason = errno;
    if (in)
        fclose(in);
    if (ok)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, part->file_at, "cannot read '%s': %s", part->file,
                   in ? "it changed" : strerror(reason));
}

int ww_launch_fill(const ww_buffer_part *part, const ww_buffer *buffer, uint64_t seed,
                   ww_errors *errors)
{
    unsigned size = ww_element_bytes(part->element);
    switch (part->fill) {
    case WW_FILL_ZERO: break;
    case WW_FILL_IOTA:
        for (uint64_t i = 0; i < part->count; i++)
            ww_element_iota(part->element, i, buffer->host + i * size);
        break;
    case WW_FILL_RANDOM: fill_random(part, buffer->host, seed); break;
    case WW_FILL_VALUE:
        for (uint64_t i = 0; i < part->count; i++)
            memcpy(buffer->host + i * size, part->values, size);
        break;
    case WW_FILL_LIST: memcpy(buffer->host, part->values, buffer->size); break;
    case WW_FILL_FILE: return fill_from_file(part, buffer, errors);
    }
    return WW_OK;
}

/* ---- hints ---- */

int ww_launch_check_hints(const ww_launch_file *file, const ww_launch_file_options *options,
                          ww_errors *errors)
{
    const char **names = ww_calloc(file->buffers.count + 1, sizeof(*names));
    for (size_t i = 0; i < file->buffers.count; i++)
        names[i] = file->buffers.items[i].name;
    int status = ww_hint_list_check(options->hints, file->path, names, file->buffers.count, errors);
    free(names);
    return status;
}

int ww_launch_hint(const ww_buffer_part *part, const ww_buffer *buffer, ww_device *device,
                   const ww_launch_file_options *options, ww_errors *errors)
{
    ww_buffer_hints hints = part->hints;
    ww_hint_list_apply(options->hints, part->name, &hints);
    ww_hints_record(options->hints_given, part->name, &hints);
    return ww_device_hint(device, buffer, hints, errors);
}
