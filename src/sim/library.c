/* The library's interface (include/warpwalk.h): simulations and what is set before a run. */
#include "base/memory.h"
#include "sim/components.h"
#include "sim/library_internal.h"

#define DEFAULT_SEED 1

ww_simulation *ww_simulation_create(void)
{
    ww_simulation *s = ww_calloc(1, sizeof(*s));
    s->seed = DEFAULT_SEED;
    s->hints = ww_hint_list_create();
    s->errors = ww_strdup("");
    ww_simulation_machine(s, WW_DEFAULT_MACHINE);
    s->machine_chosen = false;
    return s;
}

void ww_simulation_destroy(ww_simulation *s)
{
    if (!s)
        return;
    ww_machine_clear(&s->machine);
    ww_config_destroy(s->config);
    for (size_t i = 0; i < s->settings.count; i++)
        free(s->settings.items[i]);
    ww_vec_free(&s->settings);
    ww_hint_list_destroy(s->hints);
    free(s->dump_folder);
    free(s->timeline);
    free(s->trace_file);
    free(s->result);
    json_decref(s->values);
    free(s->errors);
    free(s);
}

int ww_library_end_call(ww_simulation *s, int status, ww_errors *errors)
{
    size_t length = 0;
    free(s->errors);
    s->errors = NULL;
    FILE *out = open_memstream(&s->errors, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    ww_errors_print(errors, out);
    fclose(out);
    ww_errors_destroy(errors);
    return status;
}

int ww_library_refuse(ww_simulation *s, const char *what)
{
    ww_errors *errors = ww_errors_create();
    return ww_library_end_call(s, ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s", what), errors);
}

/* Nothing of the machine before remains, but the keys that were set do. One that cannot be loaded
 * changes nothing. */
static int load_machine(ww_simulation *s, const char *name, ww_errors *errors)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    for (size_t i = 0; i < s->settings.count; i++)
        ww_config_set(config, s->settings.items[i], errors);
    int status = ww_machine_load(config, name, WW_NOWHERE, &machine, errors);
    if (status != WW_OK) {
        ww_machine_clear(&machine);
        ww_config_destroy(config);
        return status;
    }
    ww_machine_clear(&s->machine);
    ww_config_destroy(s->config);
    s->machine = machine;
    s->config = config;
    return WW_OK;
}

int ww_simulation_machine(ww_simulation *s, const char *machine)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!machine)
        return ww_library_refuse(s, "the machine is NULL (a preset's name or a file is needed)");
    ww_errors *errors = ww_errors_create();
    int status = load_machine(s, machine, errors);
    s->machine_chosen |= status == WW_OK;
    return ww_library_end_call(s, status, errors);
}

int ww_simulation_set(ww_simulation *s, const char *assignment)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!assignment)
        return ww_library_refuse(s, "the assignment is NULL (KEY=VALUE is needed)");
    ww_errors *errors = ww_errors_create();
    int status = ww_config_set(s->config, assignment, errors);
    if (status == WW_OK)
        ww_vec_push(&s->settings, ww_strdup(assignment));
    return ww_library_end_call(s, status, errors);
}

void ww_simulation_seed(ww_simulation *s, uint64_t seed)
{
    if (s)
        s->seed = seed;
}

void ww_simulation_limit(ww_simulation *s, uint64_t max_warp_instructions)
{
    if (s)
        s->limit = max_warp_instructions;
}

void ww_simulation_verify(ww_simulation *s, int verify)
{
    if (s)
        s->no_verify = !verify;
}

static void keep_text(char **kept, const char *text)
{
    free(*kept);
    *kept = text ? ww_strdup(text) : NULL;
}

int ww_simulation_dump_dir(ww_simulation *s, const char *folder)
{
    if (!s)
        return WW_BAD_INPUT;
    s->no_dump = folder && !folder[0];
    keep_text(&s->dump_folder, s->no_dump ? NULL : folder);
    return ww_library_end_call(s, WW_OK, ww_errors_create());
}

int ww_simulation_region(ww_simulation *s, const char *region)
{
    if (!s)
        return WW_BAD_INPUT;
    ww_errors *errors = ww_errors_create();
    ww_region read = {0};
    int status = region ? ww_region_read(region, &read, errors) : WW_OK;
    if (status == WW_OK)
        s->region = read;
    return ww_library_end_call(s, status, errors);
}

int ww_simulation_hint(ww_simulation *s, const char *hints)
{
    if (!s)
        return WW_BAD_INPUT;
    ww_errors *errors = ww_errors_create();
    int status = hints ? ww_hint_list_add(s->hints, hints, errors) : WW_OK;
    if (!hints) {
        ww_hint_list_destroy(s->hints);
        s->hints = ww_hint_list_create();
    }
    return ww_library_end_call(s, status, errors);
}

int ww_simulation_timeline(ww_simulation *s, const char *file)
{
    if (!s)
        return WW_BAD_INPUT;
    keep_text(&s->timeline, file);
    return ww_library_end_call(s, WW_OK, ww_errors_create());
}

int ww_simulation_trace(ww_simulation *s, const char *warp, const char *file)
{
    if (!s)
        return WW_BAD_INPUT;
    ww_errors *errors = ww_errors_create();
    int status = warp ? ww_trace_selector_read(warp, &s->trace, errors) : WW_OK;
    s->traced = warp && status == WW_OK;
    keep_text(&s->trace_file, s->traced ? file : NULL);
    return ww_library_end_call(s, status, errors);
}

const char *ww_simulation_errors(const ww_simulation *s)
{
    return s ? s->errors : "there is no simulation (NULL)\n";
}

const char *ww_version(void)
{
    return WW_VERSION;
}
