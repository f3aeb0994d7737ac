/* The catalogue as a list: footprints are found by allocating, not by running. */
#include "base/json.h"
#include "base/memory.h"
#include "cli/list.h"
#include "workload/catalogue.h"

static json_t *parameters_json(const ww_workload *workload)
{
    json_t *array = json_array();
    for (size_t i = 0; i < workload->parameter_count; i++) {
        const ww_parameter *p = &workload->parameters[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", ww_json_text(p->name));
        json_object_set_new(object, "doc", ww_json_text(p->doc));
        if (p->kind == WW_NUMBER) {
            json_object_set_new(object, "least", json_integer((json_int_t)p->least));
            json_object_set_new(object, "most", json_integer((json_int_t)p->most));
        }
        if (p->kind == WW_CHOICE)
            json_object_set_new(object, "choices", ww_json_text(p->choices));
        json_array_append_new(array, object);
    }
    return array;
}

static uint64_t footprint_of(const ww_workload *workload, const ww_named_size *size, uint64_t seed)
{
    ww_errors *errors = ww_errors_create();
    ww_choice choice;
    uint64_t bytes = 0;
    if (ww_choice_read(workload, size->name, &choice, errors) == WW_OK)
        bytes = ww_workload_footprint(&choice, seed, errors);
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
    return bytes;
}

/* The sizes as JSON, and as one line for the table: "tiny 0.3 MiB (2), small 16.0 MiB (2)". */
static json_t *sizes_json(const ww_workload *workload, uint64_t seed, FILE *line)
{
    json_t *array = json_array();
    for (size_t i = 0; i < workload->size_count; i++) {
        const ww_named_size *size = &workload->sizes[i];
        uint64_t bytes = footprint_of(workload, size, seed);
        json_t *object = json_pack("{s:o, s:o, s:I, s:I}", "name", ww_json_text(size->name),
                                   "values", ww_json_text(size->values), "footprint",
                                   (json_int_t)bytes, "launches", (json_int_t)size->launches);
        if (size->paper_megabytes > 0)
            json_object_set_new(object, "paper_megabytes", ww_json_real(size->paper_megabytes));
        json_array_append_new(array, object);
        fprintf(line, "%s%s %.1f MiB (%llu)", i ? ", " : "", size->name, (double)bytes / (1 << 20),
                (unsigned long long)size->launches);
    }
    return array;
}

static json_t *workload_json(const ww_workload *workload, uint64_t seed)
{
    char *text = NULL;
    size_t length = 0;
    FILE *line = open_memstream(&text, &length);
    if (!line)
        ww_out_of_memory(sizeof(FILE));
    json_t *sizes = sizes_json(workload, seed, line);
    fclose(line);
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", ww_json_text(workload->name),
                  "kind", ww_json_text(workload->irregular ? "irregular" : "regular"), "suite",
                  ww_json_text(workload->suite), "papers", ww_json_text(workload->papers),
                  "footprint_launches", ww_json_text(text), "doc", ww_json_text(workload->doc),
                  "sizes", sizes, "parameters", parameters_json(workload));
    free(text);
    return object;
}

json_t *ww_list_workloads(const ww_run_options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < ww_catalogue_count; i++)
        json_array_append_new(array, workload_json(ww_catalogue[i], options->seed));
    return array;
}
