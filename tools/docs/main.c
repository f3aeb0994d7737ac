/* ww_docs TREE FOLDER: writes the generated files of docs/ into the folder, from the program and
 * from the tables in TREE. */
#include "base/memory.h"
#include "base/text.h"
#include "config/config_docs.h"
#include "ptx/ptx_docs.h"
#include "published.h"
#include "sim/components.h"
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

/* The two pages of published numbers. */
static const struct {
    const char *name;
    void (*write)(const published *p, FILE *out);
} pages[] = {
    {"published.html", published_write_html},
    {"published.md", published_write_markdown},
};

/* What one of them writes, as a file of the folder. */
typedef struct document {
    const char *folder, *name;
    FILE *out;
    char *text;
    size_t size;
} document;

static void begin_document(document *d)
{
    d->out = open_memstream(&d->text, &d->size);
    if (!d->out)
        ww_out_of_memory(sizeof(FILE));
}

static int end_document(document *d, ww_errors *errors)
{
    fclose(d->out);
    char *path = ww_format("%s/%s", d->folder, d->name);
    int status = ww_write_file(path, d->text, d->size, errors);
    free(path);
    free(d->text);
    return status;
}

static int write_pages(const char *tree, const char *folder, ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    published p;
    int status = published_read(tree, arena, &p, errors);
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]) && !status; i++) {
        document d = {.folder = folder, .name = pages[i].name};
        begin_document(&d);
        pages[i].write(&p, d.out);
        status = end_document(&d, errors);
    }
    published_free(&p);
    ww_arena_destroy(arena);
    return status;
}

int main(int argc, char **argv)
{
    ww_errors *errors = ww_errors_create();
    if (argc != 3)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "usage: ww_docs TREE FOLDER");
    for (size_t i = 0; argc == 3 && i < sizeof(files) / sizeof(files[0]); i++) {
        document d = {.folder = argv[2], .name = files[i].name};
        begin_document(&d);
        files[i].write(d.out);
        end_document(&d, errors);
    }
    if (argc == 3)
        write_pages(argv[1], argv[2], errors);
    int status = ww_errors_status(errors);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    return status;
}
