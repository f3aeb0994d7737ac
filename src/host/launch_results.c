/* The checks of a launch file: buffers are compared with expected values. */
#include "host/launch_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t bytes_of(const ww_buffer_part *part)
{
    return part->count * ww_element_bytes(part->element);
}

static int read_wanted(ww_launch_file *file, const ww_yaml *node, ww_result_part *check,
                       ww_errors *errors)
{
    const ww_buffer_part *part = &file->buffers.items[check->buffer];
    const ww_yaml *name = ww_yaml_get(node, "file");
    const ww_yaml *value = ww_yaml_get(node, "value");
    const ww_yaml *values = ww_yaml_get(node, "values");
    if (!!name + !!value + !!values != 1)
        return ww_fail(errors, WW_BAD_INPUT, node->at,
                       "a check says what is wanted once (file, value or values)");
    if (values) {
        int status = ww_yaml_expect(values, WW_YAML_SEQUENCE, "'values'", errors);
        if (status != WW_OK)
            return status;
        return ww_launch_elements(file, part->element, values, "'values'", part->count,
                                  &check->values, errors);
    }
    if (value) {
        check->one_value = true;
        check->values = ww_arena_alloc(file->arena, 1, sizeof(uint64_t));
        return ww_element_parse(part->element, value, "'value'", check->values, errors);
    }
    const char *path = NULL;
    int status = ww_yaml_text(name, "'file'", &path, errors);
    if (status != WW_OK)
        return status;
    check->file = ww_launch_path(file, path);
    check->file_at = name->at;
    return ww_launch_check_size(check->file, name->at, bytes_of(part), errors);
}

static int read_check(ww_launch_file *file, const ww_yaml *key, const ww_yaml *node,
                      ww_errors *errors)
{
    static const char *const keys[] = {"file", "value", "values", "tolerance"};
    ww_result_part check = {.at = key->at};
    const char *what = ww_arena_printf(file->arena, "the check of '%s'", key->text);
    int named = ww_launch_buffer(file, key->text, key->at, &check.buffer, errors);
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, what, errors);
    if (status != WW_OK)
        return status | named;
    status |= ww_yaml_expect_keys(node, keys, sizeof(keys) / sizeof(keys[0]), errors);
    if (named == WW_OK)
        status |= read_wanted(file, node, &check, errors);
    const ww_yaml *tolerance = ww_yaml_get(node, "tolerance");
    if (tolerance)
        status |= ww_yaml_double(tolerance, "'tolerance'", &check.tolerance, errors);
    if (!(check.tolerance >= 0) || isinf(check.tolerance))
        status |=
            ww_fail(errors, WW_BAD_INPUT, tolerance->at,
                    "'tolerance' is '%.60s' (a finite number from 0 is needed)", tolerance->text);
    status |= named;
    if (status == WW_OK)
        ww_vec_push(&file->checks, check);
    return status;
}

int ww_launch_read_checks(ww_launch_file *file, const ww_yaml *node, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, "'check'", errors);
    if (status != WW_OK)
        return status;
    for (size_t i = 0; i < node->count; i++)
        status |= read_check(file, node->keys[i], node->items[i], errors);
    return status;
}

/* ---- comparison ---- */

#define CHUNK 65536 /* elements whose wanted values are in memory at once */

typedef struct comparison {
    const ww_result_part *check;
    ww_element element;
    uint64_t wrong; /* elements */
    uint64_t first; /* index of the first wrong one */
    char got[WW_ELEMENT_TEXT], want[WW_ELEMENT_TEXT];
    double largest; /* error */
    uint64_t largest_at;
} comparison;

static void compare(comparison *c, uint64_t index, const uint8_t *got, const uint8_t *want)
{
    if (memcmp(got, want, ww_element_bytes(c->element)) == 0)
        return;
    double distance = ww_element_distance(c->element, got, want);
    double scale = ww_element_magnitude(c->element, want);
    double allowed = c->check->tolerance * (scale > 1 ? scale : 1);
    /* The comparison is written so that a NaN counts as wrong. */
    if (distance <= allowed || distance == 0)
        return;
    if (c->wrong++ == 0) {
        c->first = index;
        ww_element_text(c->element, got, c->got);
        ww_element_text(c->element, want, c->want);
    }
    if (c->wrong == 1 || distance > c->largest) {
        c->largest = distance;
        c->largest_at = index;
    }
}

static int compare_with_file(comparison *c, const ww_buffer *buffer, uint64_t count,
                             ww_errors *errors)
{
    unsigned size = ww_element_bytes(c->element);
    FILE *in = fopen(c->check->file, "rb");
    uint8_t *want = ww_calloc(CHUNK, size);
    bool ok = in != NULL;
    for (uint64_t done = 0; ok && done < count; done += CHUNK) {
        uint64_t part = count - done < CHUNK ? count - done : CHUNK;
        ok = fread(want, size, part, in) == part;
        for (uint64_t i = 0; ok && i < part; i++)
            compare(c, done + i, buffer->host + (done + i) * size, want + i * size);
    }
    int reason = errno;
    free(want);
    if (in)
        fclose(in);
    if (ok)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, c->check->file_at, "cannot read '%s': %s", c->check->file,
                   in ? "it changed" : strerror(reason));
}

static int report(const comparison *c, const ww_buffer_part *part, ww_errors *errors)
{
    if (c->wrong == 0)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, c->check->at,
                   "buffer '%s' is wrong in %" PRIu64 " of %" PRIu64 " elements: [%" PRIu64
                   "] is %s (want %s); the largest error is %.6g at [%" PRIu64 "]",
                   part->name, c->wrong, part->count, c->first, c->got, c->want, c->largest,
                   c->largest_at);
}

int ww_launch_check(const ww_result_part *check, const ww_buffer_part *part,
                    const ww_buffer *buffer, ww_errors *errors)
{
    comparison c = {.check = check, .element = part->element};
    unsigned size = ww_element_bytes(part->element);
    int status = WW_OK;
    if (check->file)
        status = compare_with_file(&c, buffer, part->count, errors);
    for (uint64_t i = 0; !check->file && i < part->count; i++)
        compare(&c, i, buffer->host + i * size, check->values + (check->one_value ? 0 : i * size));
    return status == WW_OK ? report(&c, part, errors) : status;
}
