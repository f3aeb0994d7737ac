/* Schemas: what can be configured, declared once for parsing, checking, printing and the docs.
 *
 * key       one thing a user can set, by a dotted name such as "core.warp_width"
 * schema    the keys of one component, and a check of conditions that span several keys
 * set       all schemas of a program (sim, cli, a test)
 * Texts in a key (smallest, largest, default) are written as a user would write the value. */
#ifndef WW_CONFIG_SCHEMA_H
#define WW_CONFIG_SCHEMA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ww_config;
struct ww_policy_family;

typedef enum ww_key_type {
    WW_KEY_BOOL,      /* true, false */
    WW_KEY_U64,       /* a whole number up to 2^63 - 1 */
    WW_KEY_DOUBLE,    /* a finite number */
    WW_KEY_BYTES,     /* 4096, 64KiB, 1.5MiB: in bytes */
    WW_KEY_TIME,      /* 100ns, 20us: in picoseconds */
    WW_KEY_FREQUENCY, /* 900MHz, 1.4GHz: in hertz */
    WW_KEY_BANDWIDTH, /* 16GB/s, 16GiB/s: in bytes a second */
    WW_KEY_CHOICE,    /* one of a few names */
    WW_KEY_POLICY,    /* a member of a policy family */
    WW_KEY_TEXT       /* any text: a path, a command */
} ww_key_type;

typedef struct ww_key {
    const char *key;
    ww_key_type type;
    const char *unit;    /* of a plain number, in the plural: "lanes"; NULL when there is none */
    const char *min;     /* NULL: no bound of its own */
    const char *max;     /* NULL: no bound of its own */
    const char *initial; /* the default; a policy family's is a member's name */
    const char *doc;     /* one line, lower case, no full stop */
    const char *const *choices;            /* WW_KEY_CHOICE: ended by NULL */
    const struct ww_policy_family *family; /* WW_KEY_POLICY */
    bool infinite; /* "infinite" is a value too (WW_INFINITE): U64 and amounts only */
    /* Cannot change what is simulated: not part of the configuration's hash. A text names something
     * on the host: only -s may set it, no file. */
    bool host_only;
    /* While this key has this value, the key has no effect. NULL: no such key. */
    const char *idle_key, *idle_value;
    /* The key whose value takes this key's effect away now, or NULL. NULL: none ever does. */
    const char *(*idle_now)(const struct ww_config *config);
} ww_key;

#define WW_INFINITE UINT64_MAX

typedef struct ww_schema {
    const char *name; /* the component: a heading in the docs */
    const char *doc;
    const ww_key *keys;
    size_t count;
    /* While this key has this value, or the other one if there is one, the schema's keys have no
     * effect. With `active_value`, which is a choice, they have one with that value alone. NULL: no
     * such key. */
    const char *idle_key, *idle_value, *other_idle_value, *active_value;
    /* Conditions that span keys; NULL when there are none. Called when every value is in range. */
    int (*check)(const struct ww_config *config, ww_errors *errors);
    /* Sets keys whose value depends on another key (ww_config_resolve); NULL when there are none.
     * Called when all checks have passed. */
    void (*resolve)(struct ww_config *config);
} ww_schema;

typedef struct ww_schema_set {
    const ww_schema *const *schemas;
    size_t count;
} ww_schema_set;

#endif
