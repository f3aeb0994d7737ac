/* Any bytes as a machine file, and each of its lines as a setting: refused with an error, or the
 * configuration is whole, prints, and every printed value reads back as the same value. */
#include "base/memory.h"
#include "config/machine.h"
#include "sim/components.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void set_lines(ww_config *config, const uint8_t *bytes, size_t size, ww_errors *errors)
{
    char *text = ww_calloc(size + 1, 1), *rest = NULL;
    memcpy(text, bytes, size);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        ww_config_set(config, line, errors);
    free(text);
}

static void read_back(const ww_setting *setting, ww_errors *errors)
{
    ww_value again;
    char *text = ww_value_text(setting->key, &setting->value);
    if (ww_value_parse(setting->key, text, WW_NOWHERE, &again, errors) ||
        again.number != setting->value.number || again.real != setting->value.real)
        abort();
    free(text);
}

static void use(ww_config *config, ww_errors *errors)
{
    json_t *json = ww_config_json(config);
    if (json_object_size(json) != ww_config_count(config))
        abort();
    for (size_t i = 0; i < ww_config_count(config); i++)
        read_back(ww_config_setting(config, i), errors);
    ww_config_hash(config);
    ww_config_check(config, errors);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    int status = ww_machine_parse(config, "fuzz.yaml", (const char *)bytes, size, &machine, errors);
    if (status != ww_errors_status(errors))
        abort();
    set_lines(config, bytes, size, errors);
    use(config, errors);
    ww_machine_clear(&machine);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return 0;
}
