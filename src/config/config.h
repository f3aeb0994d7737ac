/* A configuration: the value of every key of a schema set, and where each value came from.
 *
 * setting   a key with its value and origin
 * origin    the key's default, a machine file, or the command line (-s)
 * machine   a YAML file or a built-in preset that sets keys (machine.h)
 * A later source wins over an earlier one. Values are checked as they arrive, conditions that span
 * keys by ww_config_check at the end; all errors are collected. Then a configuration does not
 * change any more: components copy what they need when they are created. */
#ifndef WW_CONFIG_CONFIG_H
#define WW_CONFIG_CONFIG_H

#include "config/policy.h"
#include "config/value.h"
#include "config/yaml.h"

typedef struct ww_config ww_config;

typedef enum ww_origin { WW_FROM_DEFAULT, WW_FROM_MACHINE, WW_FROM_COMMAND } ww_origin;

typedef struct ww_setting {
    const ww_key *key;
    const ww_schema *schema;
    const ww_policy_family *family; /* of the policy that owns the key; NULL: the component's own */
    ww_value value;
    ww_origin origin;
    ww_where at;    /* WW_NOWHERE for a default */
    unsigned layer; /* which source set it: 0 the defaults, then counting up */
    bool refused;   /* a value was refused, and the earlier value remains */
    bool left_open; /* it was set to 0, and the value is what 0 stands for */
} ww_setting;

/* All defaults. A schema set that contradicts itself is a bug of the program and ends it. */
ww_config *ww_config_create(const ww_schema_set *set);
/* The same values and origins. The copy uses the original's texts: the original outlives it. */
ww_config *ww_config_copy(const ww_config *config);
void ww_config_destroy(ww_config *config);

/* Sets keys from a mapping; nested mappings give dotted names: {core: {warp_width: 64}}. The root's
 * name, doc and base are skipped: they belong to machine.h. Strings and locations are copied. */
int ww_config_apply(ww_config *config, const ww_yaml *mapping, ww_errors *errors);
/* Sets one key from "key=value", as after -s. */
int ww_config_set(ww_config *config, const char *assignment, ww_errors *errors);
/* Runs the schemas' own checks, and refuses each -s without effect. Call it last. A schema with a
 * refused value is not checked, so that one cause gives one message. When all checks pass, keys
 * whose value depends on another key get it. */
int ww_config_check(ww_config *config, ww_errors *errors);
/* For schemas: sets the value that 0 stands for; a key that is not 0 keeps its value. */
void ww_config_resolve(ww_config *config, const char *key, uint64_t number);

/* Values. Asking for a key that does not exist or has another type is a bug and ends the program.
 */
bool ww_config_bool(const ww_config *config, const char *key);
uint64_t ww_config_u64(const ww_config *config, const char *key); /* or WW_INFINITE */
double ww_config_double(const ww_config *config, const char *key);
uint64_t ww_config_bytes(const ww_config *config, const char *key);
uint64_t ww_config_picoseconds(const ww_config *config, const char *key);
uint64_t ww_config_hertz(const ww_config *config, const char *key);
uint64_t ww_config_bytes_per_second(const ww_config *config, const char *key);
size_t ww_config_choice(const ww_config *config, const char *key); /* index into the choices */
const char *ww_config_text(const ww_config *config, const char *key);
/* The chosen policy: cast it to the family's contract, a struct that begins with it. */
const ww_policy *ww_config_policy(const ww_config *config, const char *key);

/* A key's value as a number: bytes, seconds, hertz, bytes a second, 0 or 1, infinity. False for
 * keys that are no numbers, and for those that do not exist. */
bool ww_config_number(const ww_config *config, const char *key, double *number);
/* The same where it is whole, exactly; false where it is not. */
bool ww_config_whole(const ww_config *config, const char *key, uint64_t *number);

/* All settings, in the order of the schemas; a policy's keys follow the key that chooses it. */
size_t ww_config_count(const ww_config *config);
const ww_setting *ww_config_setting(const ww_config *config, size_t index);
const ww_setting *ww_config_find(const ww_config *config, const char *key); /* NULL: no such key */
/* False for a key of a policy that was not chosen, and for one of a schema that is idle. */
bool ww_config_has_effect(const ww_config *config, const ww_setting *setting);
const ww_schema_set *ww_config_schemas(const ww_config *config);
/* For keys that contradict each other, ended by NULL: the location of the one that was set last. */
ww_where ww_config_location(const ww_config *config, ...) __attribute__((sentinel));

/* Every key with its value, in the order of the settings. */
json_t *ww_config_json(const ww_config *config);
/* A hash of the values of all keys that can change what is simulated, the same on every machine.
 * Keys without effect are not part of it. */
uint64_t ww_config_hash(const ww_config *config);

#endif
