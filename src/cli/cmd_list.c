/* warpwalk list: what there is to choose from. The table for people shows members of the same
 * objects that --json prints, so that the two cannot disagree. */
#include "base/json.h"
#include "base/memory.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/list.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 6

typedef struct topic {
    const char *name;
    json_t *(*make)(const ww_run_options *options);
    const char *columns[MOST_COLUMNS]; /* members that the table shows */
    const char *when_empty;
} topic;

static const topic topics[] = {
    {"machines", ww_list_machines, {"name", "source", "doc"}, "there are no machines"},
    {"workloads",
     ww_list_workloads,
     {"name", "kind", "suite", "papers", "footprint_launches", "doc"},
     "there are no workloads"},
    {"policies", ww_list_policies, {"key", "name", "storage_bits", "doc"}, "there are no policies"},
    {"studies", ww_list_studies, {"name", "doc"}, "there are no studies yet"},
    {"keys", ww_list_keys, {"key", "value", "from", "takes", "doc"}, "there are no keys"},
    {"stats", ww_list_stats, {"name", "unit", "doc"}, "there are no statistics"},
};
#define TOPIC_COUNT (sizeof(topics) / sizeof(topics[0]))

static const topic *find_topic(const char *name, ww_errors *errors)
{
    const char *names[TOPIC_COUNT];
    for (size_t i = 0; i < TOPIC_COUNT; i++) {
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
        names[i] = topics[i].name;
    }
    const char *near = ww_nearest(name, names, TOPIC_COUNT);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot list '%.60s' (did you mean '%s'?)", name,
                near);
    else
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                "cannot list '%.60s' (machines, workloads, policies, studies, keys or stats)",
                name);
    return NULL;
}

/* A member as a table shows it: strings as they are, all else as in JSON. */
static char *cell_text(const json_t *object, const char *member)
{
    const json_t *value = json_object_get(object, member);
    if (json_is_string(value))
        return ww_strdup(json_string_value(value));
    return json_dumps(value, JSON_ENCODE_ANY);
}

static void add_row(ww_table *table, size_t columns, const json_t *object,
                    const char *const *members)
{
    char *cells[MOST_COLUMNS];
    for (size_t c = 0; c < columns; c++)
        cells[c] = cell_text(object, members[c]);
    ww_table_add(table, (const char *const *)cells);
    for (size_t c = 0; c < columns; c++)
        free(cells[c]);
}

static void write_table(const topic *t, const json_t *array, FILE *out)
{
    size_t columns = 0;
    while (columns < MOST_COLUMNS && t->columns[columns])
        columns++;
    ww_table *table = ww_table_create(columns);
    ww_table_add(table, t->columns);
    for (size_t i = 0; i < json_array_size(array); i++)
        add_row(table, columns, json_array_get(array, i), t->columns);
    ww_table_write(table, out);
    ww_table_destroy(table);
}

static const ww_option option_json = {0, "json", NULL, "print a JSON array instead of a table",
                                      false};

static int run(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    const topic *t = find_topic(arguments->words[0], errors);
    if (!t)
        return WW_BAD_INPUT;
    int status = ww_run_options_read(arguments, WW_DEFAULT_MACHINE, &options, errors);
    if (!status) {
        json_t *array = t->make(&options);
        if (ww_arguments_has(arguments, &option_json))
            ww_json_write(array, stdout);
        else if (json_array_size(array) == 0)
            puts(t->when_empty);
        else
            write_table(t, array, stdout);
        json_decref(array);
    }
    ww_run_options_clear(&options);
    return status;
}

static const ww_option *const options_of_list[] = {&ww_option_machine, &ww_option_set, &option_json,
                                                   NULL};

extern const ww_command ww_command_list;
const ww_command ww_command_list = {
    .name = "list",
    .doc = "show machines, workloads, policies, studies, configuration keys or statistics",
    .usage = "machines|workloads|policies|studies|keys|stats [options]",
    .options = options_of_list,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "machines, workloads, policies, studies, keys or stats",
    .help = "Keys are shown with the value they have on the machine (-m) after your settings (-s) "
            "and with\n"
            "the place that value comes from; policies with the storage they would cost in "
            "hardware, in bits.\n"
            "\n"
            "examples:\n"
            "  warpwalk list machines\n"
            "  warpwalk list keys -m simt64\n"
            "  warpwalk list keys -m mine.yaml -s core.warp_width=16\n"
            "  warpwalk list stats --json\n",
    .run = run,
};
