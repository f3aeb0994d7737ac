/* ww_docs FOLDER: writes the generated files of docs/ into the folder. */
#include "base/memory.h"
#include "base/text.h"
#include "config/config_docs.h"
#include "ptx/ptx_docs.h"
#include "sim/parts.h"
#include "stats/stats_docs.h"
#include "workload/catalogue_docs.h"

#include <stdlib.h>

static void write_config(FILE *out)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_config_write_docs(config, out);
    ww_config_destroy(config);
}

static void write_stats(FILE *out)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_stats *stats = ww_stats_create(config);
    ww_declare_all_stats(stats);
    ww_stats_write_docs(stats, out);
    ww_stats_destroy(stats);
    ww_config_destroy(config);
}

static const struct {
    const char *name;
    void (*write)(FILE *out);
} files[] = {
    {"config.md", write_config},
    {"ptx.md", ww_ptx_write_docs},
    {"stats.md", write_stats},
    {"workloads.md", ww_catalogue_write_docs},
};

static int write_document(const char *folder, size_t index, ww_errors *errors)
{
    char *text = NULL, *path = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out || asprintf(&path, "%s/%s", folder, files[index].name) < 0)
        ww_out_of_memory(sizeof(FILE));
    files[index].write(out);
    fclose(out);
    int status = ww_write_file(path, text, size, errors);
    free(path);
    free(text);
    return status;
}

int main(int argc, char **argv)
{
    ww_errors *errors = ww_errors_create();
    if (argc != 2)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "usage: ww_docs FOLDER");
    for (size_t i = 0; argc == 2 && i < sizeof(files) / sizeof(files[0]); i++)
        write_document(argv[1], i, errors);
    int status = ww_errors_status(errors);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    return status;
}
