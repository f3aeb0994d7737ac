#include "cli/list.h"

#include "base/json.h"
#include "base/memory.h"
#include "sim/components.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

json_t *ww_list_machines(const ww_run_options *options)
{
    (void)options;
    json_t *array = json_array();
    ww_arena *arena = ww_arena_create();
    ww_errors *errors = ww_errors_create();
    const char **names;
    size_t count = ww_machine_presets(arena, &names);
    for (size_t i = 0; i < count; i++) {
        ww_machine_file machine;
        ww_config *config = ww_config_create(&ww_all_schemas);
        if (!ww_machine_load(config, names[i], WW_NOWHERE, &machine, errors))
            json_array_append_new(array,
                                  json_pack("{s:o, s:o, s:o}", "name", ww_json_text(machine.name),
                                            "doc", ww_json_text(machine.doc), "source",
                                            ww_json_text(machine.source)));
        ww_machine_clear(&machine);
        ww_config_destroy(config);
    }
    ww_errors_destroy(errors);
    ww_arena_destroy(arena);
    return array;
}

json_t *ww_list_studies(const ww_run_options *options)
{
    (void)options;
    json_t *array = json_array();
    ww_arena *arena = ww_arena_create();
    ww_errors *errors = ww_errors_create();
    const char **names;
    size_t count = ww_study_presets(arena, &names);
    for (size_t i = 0; i < count; i++) {
        ww_study *study = ww_study_load(names[i], errors);
        if (study)
            json_array_append_new(array, json_pack("{s:o, s:o}", "name", ww_json_text(names[i]),
                                                   "doc", ww_json_text(ww_study_doc(study))));
        ww_study_destroy(study);
    }
    ww_errors_destroy(errors);
    ww_arena_destroy(arena);
    return array;
}

static json_t *key_names(const ww_policy *policy, const ww_policy_family *family)
{
    json_t *names = json_array();
    for (size_t i = 0; i < policy->key_count; i++) {
        char *name = ww_format("%.*s.%s", (int)ww_policy_prefix_length(family), family->key,
                               policy->keys[i].key);
        json_array_append_new(names, ww_json_text(name));
        free(name);
    }
    return names;
}

json_t *ww_list_policies(const ww_run_options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < ww_config_count(options->config); i++) {
        const ww_policy_family *family = ww_config_setting(options->config, i)->key->family;
        for (size_t m = 0; family && m < family->count; m++) {
            const ww_policy *policy = family->members[m];
            uint64_t bits = ww_policy_storage_bits(policy, options->config, family->key);
            json_t *instead =
                policy->first_pass ? ww_json_text(policy->first_pass->instead) : json_null();
            json_array_append_new(
                array,
                json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "key", ww_json_text(family->key),
                          "name", ww_json_text(policy->name), "storage_bits", (json_int_t)bits,
                          "doc", ww_json_text(policy->doc), "family", ww_json_text(family->name),
                          "keys", key_names(policy, family), "first_pass", instead));
        }
    }
    return array;
}

/* "default", "machines/simt64.yaml:4:15" or "-s". */
static json_t *origin_text(const ww_setting *setting)
{
    if (setting->origin == WW_FROM_DEFAULT)
        return ww_json_text("default");
    if (setting->origin == WW_FROM_COMMAND)
        return ww_json_text("-s");
    char *location = ww_format("%s:%d:%d", setting->at.file, setting->at.line, setting->at.col);
    json_t *origin = ww_json_text(location);
    free(location);
    return origin;
}

json_t *ww_list_keys(const ww_run_options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < ww_config_count(options->config); i++) {
        const ww_setting *setting = ww_config_setting(options->config, i);
        const ww_key *key = setting->key;
        char *needs = ww_key_needs(key);
        json_array_append_new(
            array, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "key", ww_json_text(key->key),
                             "value", ww_value_json(key, &setting->value), "from",
                             origin_text(setting), "default", ww_json_text(key->initial), "takes",
                             ww_json_text(needs), "doc", ww_json_text(key->doc)));
        free(needs);
    }
    return array;
}

json_t *ww_list_stats(const ww_run_options *options)
{
    json_t *array = json_array();
    ww_stats *stats = ww_stats_create(options->config);
    ww_declare_all_stats(stats);
    for (size_t i = 0; i < ww_stats_count(stats); i++) {
        const ww_reading *reading = ww_stats_at(stats, i);
        json_array_append_new(
            array, json_pack("{s:o, s:o, s:o}", "name", ww_json_text(reading->name), "unit",
                             ww_json_text(reading->unit), "doc", ww_json_text(reading->doc)));
    }
    ww_stats_destroy(stats);
    return array;
}
