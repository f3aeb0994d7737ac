#include "config/config.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "config/suggest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define LONGEST_KEY 128 /* longer names cannot be right */

struct ww_config {
    const ww_schema_set *set;
    ww_arena *arena;
    WW_VEC(ww_setting *) settings;
    ww_map *by_name;
    unsigned layer; /* the last source that was applied */
};

/* A bug in a schema or in the code that uses one, never an error of the user. */
static _Noreturn void die_of_bug(const char *key, const char *what)
{
    fprintf(stderr, "internal error: configuration key %s %s\n", key, what);
    abort();
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void set_initial(ww_setting *setting)
{
    ww_errors *errors = ww_errors_create();
    if (ww_value_parse(setting->key, setting->key->initial, WW_NOWHERE, &setting->value, errors))
        die_of_bug(setting->key->key, ww_errors_line(errors, 0));
    ww_errors_destroy(errors);
}

/* Two policies of a family may share a key when they declare it alike. */
static bool is_shared(const ww_setting *old, const ww_key *key, const ww_policy_family *family)
{
    return family && old->family == family && old->key->type == key->type &&
           same_text(old->key->initial, key->initial) && same_text(old->key->doc, key->doc);
}

static void keep_setting(ww_config *config, ww_setting *setting)
{
    ww_vec_push(&config->settings, setting);
    ww_map_add(config->by_name, setting->key->key, strlen(setting->key->key), setting);
}

static void add_key(ww_config *config, const ww_schema *schema, const ww_policy_family *family,
                    const ww_key *key)
{
    const ww_setting *old = ww_config_find(config, key->key);
    if (old && is_shared(old, key, family))
        return;
    if (old)
        die_of_bug(key->key, "is declared twice");
    ww_setting *setting = ww_arena_alloc(config->arena, 1, sizeof(*setting));
    *setting = (ww_setting){.key = key, .schema = schema, .family = family, .at = WW_NOWHERE};
    set_initial(setting);
    keep_setting(config, setting);
}

/* A policy's key with its full name. */
static const ww_key *full_key(ww_config *config, const ww_policy_family *family, const ww_key *key)
{
    ww_key *full = ww_arena_alloc(config->arena, 1, sizeof(*full));
    *full = *key;
    full->key = ww_arena_printf(config->arena, "%.*s.%s", (int)ww_policy_prefix_length(family),
                                family->key, key->key);
    return full;
}

static void add_schema(ww_config *config, const ww_schema *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const ww_key *key = &schema->keys[i];
        const ww_policy_family *family = key->family;
        add_key(config, schema, NULL, key);
        for (size_t m = 0; family && m < family->count; m++)
            for (size_t k = 0; k < family->members[m]->key_count; k++)
                add_key(config, schema, family,
                        full_key(config, family, &family->members[m]->keys[k]));
    }
}

static ww_config *create_empty(const ww_schema_set *set)
{
    ww_config *config = ww_calloc(1, sizeof(*config));
    config->set = set;
    config->arena = ww_arena_create();
    config->by_name = ww_map_create();
    return config;
}

ww_config *ww_config_create(const ww_schema_set *set)
{
    ww_config *config = create_empty(set);
    for (size_t i = 0; i < set->count; i++)
        add_schema(config, set->schemas[i]);
    return config;
}

ww_config *ww_config_copy(const ww_config *config)
{
    ww_config *copy = create_empty(config->set);
    size_t count = config->settings.count;
    ww_setting *settings = ww_arena_alloc(copy->arena, count, sizeof(*settings));
    copy->layer = config->layer;
    for (size_t i = 0; i < count; i++) {
        settings[i] = *config->settings.items[i];
        keep_setting(copy, &settings[i]);
    }
    return copy;
}

void ww_config_destroy(ww_config *config)
{
    if (!config)
        return;
    ww_vec_free(&config->settings);
    ww_map_destroy(config->by_name);
    ww_arena_destroy(config->arena);
    free(config);
}

size_t ww_config_count(const ww_config *config)
{
    return config->settings.count;
}

const ww_setting *ww_config_setting(const ww_config *config, size_t index)
{
    return config->settings.items[index];
}

const ww_setting *ww_config_find(const ww_config *config, const char *key)
{
    return ww_map_find(config->by_name, key);
}

const ww_schema_set *ww_config_schemas(const ww_config *config)
{
    return config->set;
}

static int fail_unknown(const ww_config *config, const char *name, ww_where at, ww_errors *errors)
{
    if (ww_errors_full(errors))
        return ww_fail(errors, WW_BAD_INPUT, at, "unknown key");
    char *near = ww_config_suggest(config, name);
    ww_fail(errors, WW_BAD_INPUT, at, "unknown key '%.60s' (%s)", name, near);
    free(near);
    return WW_BAD_INPUT;
}

/* Sets one key from text, which is copied. */
static int set_value(ww_config *config, const char *name, const char *text, ww_origin origin,
                     ww_where at, ww_errors *errors)
{
    ww_value value;
    ww_setting *setting = ww_map_find(config->by_name, name);
    int status = ww_value_parse(setting->key, text, at, &value, errors);
    setting->refused |= status != WW_OK;
    if (status)
        return status;
    if (setting->key->type == WW_KEY_TEXT)
        value.text = ww_arena_strdup(config->arena, text);
    setting->value = value;
    setting->left_open = false;
    setting->origin = origin;
    setting->layer = config->layer;
    setting->at = at;
    setting->at.file = ww_arena_strdup(config->arena, at.file);
    return WW_OK;
}

/* Files are not trusted: they may not choose programs and folders of the host. */
static int refuse_host_key(const char *name, ww_where at, ww_errors *errors)
{
    return ww_fail(errors, WW_BAD_INPUT, at,
                   "%s names a program or a folder of this machine, which a file may not (use -s "
                   "%s=... on the command line)",
                   name, name);
}

static int apply_scalar(ww_config *config, const char *name, const ww_yaml *key,
                        const ww_yaml *item, ww_errors *errors)
{
    const ww_setting *setting = ww_config_find(config, name);
    if (!setting)
        return fail_unknown(config, name, key->at, errors);
    if (item->kind != WW_YAML_SCALAR)
        return ww_yaml_expect(item, WW_YAML_SCALAR, name, errors);
    if (setting->key->host_only && setting->key->type == WW_KEY_TEXT)
        return refuse_host_key(name, key->at, errors);
    if (setting->layer == config->layer)
        return ww_fail(errors, WW_BAD_INPUT, key->at, "%s is given twice (first on line %d)", name,
                       setting->at.line);
    return set_value(config, name, item->text, WW_FROM_MACHINE, item->at, errors);
}

static bool is_about_the_file(const char *prefix, const char *key)
{
    return !*prefix &&
           (strcmp(key, "name") == 0 || strcmp(key, "doc") == 0 || strcmp(key, "base") == 0);
}

static int apply_mapping(ww_config *config, const char *prefix, const ww_yaml *mapping,
                         ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < mapping->count; i++) {
        const ww_yaml *key = mapping->keys[i], *item = mapping->items[i];
        char name[LONGEST_KEY];
        if (is_about_the_file(prefix, key->text))
            continue;
        if (snprintf(name, LONGEST_KEY, "%s%s%s", prefix, *prefix ? "." : "", key->text) >=
            LONGEST_KEY) {
            status |= fail_unknown(config, key->text, key->at, errors);
            continue;
        }
        if (item->kind == WW_YAML_MAPPING)
            status |= apply_mapping(config, name, item, errors);
        else
            status |= apply_scalar(config, name, key, item, errors);
    }
    return status;
}

int ww_config_apply(ww_config *config, const ww_yaml *mapping, ww_errors *errors)
{
    int status = ww_yaml_expect(mapping, WW_YAML_MAPPING, "a machine", errors);
    config->layer++;
    return status ? status : apply_mapping(config, "", mapping, errors);
}

int ww_config_set(ww_config *config, const char *assignment, ww_errors *errors)
{
    const char *equals = strchr(assignment, '=');
    char *source = ww_arena_printf(config->arena, "-s %s", assignment);
    ww_where at = {source, 0, 0};
    config->layer++;
    if (!equals || equals == assignment)
        return ww_fail(errors, WW_BAD_INPUT, at, "not an assignment (write -s KEY=VALUE)");
    char *name = ww_arena_strndup(config->arena, assignment, (size_t)(equals - assignment));
    if (!ww_config_find(config, name))
        return fail_unknown(config, name, at, errors);
    return set_value(config, name, equals + 1, WW_FROM_COMMAND, at, errors);
}

static const ww_setting *find_idle_key(const ww_config *config, const char *key)
{
    const ww_setting *setting = ww_config_find(config, key);
    if (!setting)
        die_of_bug(key, "does not exist");
    return setting;
}

static bool has_text(const ww_setting *setting, const char *value)
{
    char *text = ww_value_text(setting->key, &setting->value);
    bool same = value && strcmp(text, value) == 0;
    free(text);
    return same;
}

/* The value by which the schema's keys are ineffective; NULL: they are not. */
static const char *idle_value(const ww_config *config, const ww_schema *schema)
{
    if (!schema->idle_key)
        return NULL;
    const ww_setting *setting = find_idle_key(config, schema->idle_key);
    if (schema->active_value) {
        const char *choice = setting->key->choices[setting->value.number];
        return strcmp(choice, schema->active_value) == 0 ? NULL : choice;
    }
    return has_text(setting, schema->idle_value)         ? schema->idle_value
           : has_text(setting, schema->other_idle_value) ? schema->other_idle_value
                                                         : NULL;
}

/* A value as a user writes it. */
static const char *name_of(const ww_config *config, const ww_setting *setting)
{
    if (setting->value.text)
        return setting->value.text;
    char *text = ww_value_text(setting->key, &setting->value);
    const char *kept = ww_arena_strdup(config->arena, text);
    free(text);
    return kept;
}

static bool find_reason(const ww_config *config, const ww_setting *setting, const char **key,
                        const char **value);

/* What depends on a key without effect has none, for the same reason. */
static bool find_further_reason(const ww_config *config, const char *depends_on, const char **key,
                                const char **value)
{
    return depends_on && find_reason(config, find_idle_key(config, depends_on), key, value);
}

/* The key, and its value, that make a setting ineffective. False when it has an effect. */
static bool find_reason(const ww_config *config, const ww_setting *setting, const char **key,
                        const char **value)
{
    const ww_schema *schema = setting->schema;
    if (find_further_reason(config, schema->idle_key, key, value) ||
        find_further_reason(config, setting->key->idle_key, key, value))
        return true;
    const char *idle = idle_value(config, schema);
    if (idle) {
        *key = schema->idle_key;
        *value = idle;
        return true;
    }
    *key = setting->key->idle_key;
    *value = setting->key->idle_value;
    if (*key && has_text(find_idle_key(config, *key), *value))
        return true;
    *key = setting->key->idle_now ? setting->key->idle_now(config) : NULL;
    if (*key) {
        *value = name_of(config, find_idle_key(config, *key));
        return true;
    }
    if (!setting->family)
        return false;
    *key = setting->family->key;
    const ww_policy *chosen = ww_config_policy(config, *key);
    *value = chosen->name;
    const char *name = setting->key->key + ww_policy_prefix_length(setting->family) + 1;
    return !ww_policy_has_key(chosen, name) ||
           find_reason(config, find_idle_key(config, *key), key, value);
}

bool ww_config_has_effect(const ww_config *config, const ww_setting *setting)
{
    const char *key, *value;
    return !find_reason(config, setting, &key, &value);
}

/* Turned off, as it is unless something turns it on. */
static bool is_off(const ww_setting *setting)
{
    const char *initial = setting->key->initial;
    return initial && strcmp(initial, "none") == 0 && has_text(setting, initial);
}

/* A machine file may set keys that only other runs use; a -s without effect is an error. */
static int check_use(const ww_config *config, const ww_setting *setting, ww_errors *errors)
{
    const char *key, *value;
    if (setting->origin != WW_FROM_COMMAND || is_off(setting) ||
        !find_reason(config, setting, &key, &value))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, setting->at, "has no effect while %s is %s", key, value);
}

static bool has_refused(const ww_config *config, const ww_schema *schema)
{
    bool any = false;
    for (size_t i = 0; i < config->settings.count; i++)
        any |= config->settings.items[i]->schema == schema && config->settings.items[i]->refused;
    return any;
}

void ww_config_resolve(ww_config *config, const char *key, uint64_t number)
{
    const ww_setting *setting = ww_config_find(config, key);
    if (!setting)
        die_of_bug(key, "does not exist");
    ww_setting *own = (ww_setting *)(uintptr_t)setting;
    own->left_open = own->value.number == 0;
    own->value.number = number;
}

/* Undoes what an earlier check resolved: the value of the key that decides may have changed. */
static void reopen(ww_config *config)
{
    for (size_t i = 0; i < config->settings.count; i++) {
        ww_setting *setting = config->settings.items[i];
        if (setting->left_open)
            setting->value.number = 0;
        setting->left_open = false;
    }
}

int ww_config_check(ww_config *config, ww_errors *errors)
{
    int status = ww_errors_status(errors);
    bool refused = status != WW_OK; /* else the lines about refused values are with a call before */
    reopen(config);
    for (size_t i = 0; i < config->settings.count; i++)
        status |= check_use(config, config->settings.items[i], errors);
    for (size_t i = 0; i < config->set->count; i++) {
        const ww_schema *schema = config->set->schemas[i];
        if (schema->check && !(refused && has_refused(config, schema)))
            status |= schema->check(config, errors);
    }
    for (size_t i = 0; status == WW_OK && i < config->set->count; i++)
        if (config->set->schemas[i]->resolve)
            config->set->schemas[i]->resolve(config);
    return status;
}

ww_where ww_config_location(const ww_config *config, ...)
{
    const ww_setting *last = NULL;
    va_list keys;
    va_start(keys, config);
    for (const char *key; (key = va_arg(keys, const char *)) != NULL;) {
        const ww_setting *setting = ww_config_find(config, key);
        if (!setting)
            die_of_bug(key, "does not exist");
        if (!last || setting->layer > last->layer)
            last = setting;
    }
    va_end(keys);
    return last ? last->at : WW_NOWHERE;
}

static const ww_setting *need(const ww_config *config, const char *key, ww_key_type type)
{
    const ww_setting *setting = ww_config_find(config, key);
    if (!setting)
        die_of_bug(key, "does not exist");
    if (setting->key->type != type)
        die_of_bug(key, "has another type");
    return setting;
}

bool ww_config_number(const ww_config *config, const char *key, double *number)
{
    const ww_setting *setting = ww_config_find(config, key);
    if (!setting || !ww_key_is_number(setting->key))
        return false;
    *number = ww_value_number(setting->key, &setting->value);
    return true;
}

bool ww_config_whole(const ww_config *config, const char *key, uint64_t *number)
{
    const ww_setting *setting = ww_config_find(config, key);
    if (!setting || !ww_key_is_number(setting->key) || setting->key->type == WW_KEY_DOUBLE ||
        setting->key->type == WW_KEY_TIME ||
        (setting->key->infinite && setting->value.number == WW_INFINITE))
        return false;
    *number = setting->value.number;
    return true;
}

bool ww_config_bool(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_BOOL)->value.number;
}

uint64_t ww_config_u64(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_U64)->value.number;
}

double ww_config_double(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_DOUBLE)->value.real;
}

uint64_t ww_config_bytes(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_BYTES)->value.number;
}

uint64_t ww_config_picoseconds(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_TIME)->value.number;
}

uint64_t ww_config_hertz(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_FREQUENCY)->value.number;
}

uint64_t ww_config_bytes_per_second(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_BANDWIDTH)->value.number;
}

size_t ww_config_choice(const ww_config *config, const char *key)
{
    return (size_t)need(config, key, WW_KEY_CHOICE)->value.number;
}

const char *ww_config_text(const ww_config *config, const char *key)
{
    return need(config, key, WW_KEY_TEXT)->value.text;
}

const ww_policy *ww_config_policy(const ww_config *config, const char *key)
{
    const ww_setting *setting = need(config, key, WW_KEY_POLICY);
    return setting->key->family->members[setting->value.number];
}

json_t *ww_config_json(const ww_config *config)
{
    json_t *object = json_object();
    for (size_t i = 0; i < config->settings.count; i++) {
        const ww_setting *setting = config->settings.items[i];
        json_object_set_new(object, setting->key->key,
                            ww_value_json(setting->key, &setting->value));
    }
    return object;
}

uint64_t ww_config_hash(const ww_config *config)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < config->settings.count; i++) {
        const ww_setting *setting = config->settings.items[i];
        if (setting->key->host_only || !ww_config_has_effect(config, setting))
            continue;
        char *text = ww_value_text(setting->key, &setting->value);
        hash = ww_hash64(setting->key->key, strlen(setting->key->key), hash);
        hash = ww_hash64(text, strlen(text), hash);
        free(text);
    }
    return hash;
}
