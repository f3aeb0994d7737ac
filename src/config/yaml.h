/* YAML documents as trees in which every node has its location.
 *
 * document  one parsed text; it owns its nodes and their strings
 * node      a scalar (text), a sequence (items) or a mapping (keys and items, in file order)
 * quoted    the scalar was written in quotes or as a block, so that "1" is text and 1 a number
 * what      the name of a value in a message: 'count', "buffer 'a'"
 *
 * Refused, with the location: anchors, aliases, tags, more than one document, duplicate keys,
 * keys that are not scalars, NUL characters, nesting deeper than WW_YAML_MOST_DEPTH, texts longer
 * than WW_YAML_MOST_BYTES. So a hostile text costs time and memory in proportion to its length.
 *
 * Functions that report errors return WW_OK or WW_BAD_INPUT, so that a caller can look at every
 * part of a document, combine the statuses with |, and show all errors at once. */
#ifndef WW_CONFIG_YAML_H
#define WW_CONFIG_YAML_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WW_YAML_MOST_DEPTH 64
#define WW_YAML_MOST_BYTES ((size_t)16 << 20)

typedef enum ww_yaml_kind { WW_YAML_SCALAR, WW_YAML_SEQUENCE, WW_YAML_MAPPING } ww_yaml_kind;

typedef struct ww_yaml {
    ww_yaml_kind kind;
    bool quoted;
    ww_where at;
    const char *text;                  /* scalar: NUL-terminated, without inner NULs */
    size_t count;                      /* sequence, mapping: how many items */
    const struct ww_yaml *const *keys; /* mapping: scalars */
    const struct ww_yaml *const *items;
} ww_yaml;

typedef struct ww_yaml_document ww_yaml_document;

/* NULL with errors when the file cannot be read or is not one YAML document. `at` is the location
 * that names the file. */
ww_yaml_document *ww_yaml_read(const char *path, ww_where at, ww_errors *errors);
/* `name` stands for the file in messages; it and the bytes are copied. */
ww_yaml_document *ww_yaml_parse(const char *name, const char *bytes, size_t count,
                                ww_errors *errors);
void ww_yaml_destroy(ww_yaml_document *document);
const ww_yaml *ww_yaml_root(const ww_yaml_document *document); /* never NULL */

/* The item of a mapping, or NULL when the key is absent or the node is not a mapping. */
const ww_yaml *ww_yaml_get(const ww_yaml *mapping, const char *key);
/* The same, but absence is an error: "'kernel' is missing". */
int ww_yaml_need(const ww_yaml *mapping, const char *key, const ww_yaml **item, ww_errors *errors);

/* The node is of this kind, or an error: "'args' is a mapping (a sequence is needed)". */
int ww_yaml_expect(const ww_yaml *node, ww_yaml_kind kind, const char *what, ww_errors *errors);
/* Every key of the mapping is one of the names; an error for each that is not, with the nearest. */
int ww_yaml_expect_keys(const ww_yaml *mapping, const char *const *names, size_t count,
                        ww_errors *errors);

/* Typed values. The value is untouched when there is an error. Numbers and bools are not quoted. */
int ww_yaml_text(const ww_yaml *node, const char *what, const char **value, ww_errors *errors);
int ww_yaml_bool(const ww_yaml *node, const char *what, bool *value, ww_errors *errors);
int ww_yaml_u64(const ww_yaml *node, const char *what, uint64_t min, uint64_t max, uint64_t *value,
                ww_errors *errors);
int ww_yaml_i64(const ww_yaml *node, const char *what, int64_t min, int64_t max, int64_t *value,
                ww_errors *errors);
int ww_yaml_double(const ww_yaml *node, const char *what, double *value, ww_errors *errors);
/* The index of the scalar among the names. */
int ww_yaml_choice(const ww_yaml *node, const char *what, const char *const *names, size_t count,
                   size_t *index, ww_errors *errors);

#endif
