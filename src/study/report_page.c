/* `report --html`: the page and the raw results that it links to, in a folder. */
#include "base/html_page.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/report.h"
#include "study/results_runs.h"

#include <errno.h>
#include <string.h>

static int make_folder(const char *path, ww_errors *errors)
{
    if (ww_make_folders(path))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot make the folder '%s': %s", path,
                   strerror(errno));
}

typedef struct raw_writer {
    const char *folder;
    ww_errors *errors;
} raw_writer;

static int write_raw(void *context, const char *name, const json_t *raw)
{
    const raw_writer *w = context;
    char *bytes = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&bytes, &count);
    if (!out)
        ww_out_of_memory(0);
    ww_json_write(raw, out);
    fclose(out);
    char *path = ww_format("%s/%s.json", w->folder, name);
    int status = ww_write_file(path, bytes, count, w->errors);
    free(path);
    free(bytes);
    return status;
}

static int write_raws(ww_results *results, const char *folder, ww_errors *errors)
{
    char *runs = ww_format("%s/runs", folder);
    int status = make_folder(runs, errors);
    if (!status)
        status = ww_results_each_raw(results, write_raw, &(raw_writer){runs, errors}, errors);
    free(runs);
    return status;
}

/* "schedulers, cachesize"; the caller frees it. */
static char *title_of(const json_t *studies)
{
    char *title = ww_strdup("");
    for (size_t i = 0; i < json_array_size(studies); i++) {
        const json_t *name = json_object_get(json_array_get(studies, i), "study");
        char *longer = ww_format("%s%s%s", title, i ? ", " : "", json_string_value(name));
        free(title);
        title = longer;
    }
    return title;
}

/* Makes the page in memory first: without a bundle, nothing is written at all. Writes the page
 * last, when the files it links to exist. */
static int write_folder(ww_results *results, const json_t *studies, const char *folder,
                        ww_errors *errors)
{
    char *bytes = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&bytes, &count);
    if (!out)
        ww_out_of_memory(0);
    char *title = title_of(studies);
    int status = ww_html_page_write(
        &(ww_html_page){.template_path = "data/report/page.html", .title = title, .data = studies},
        out, errors);
    free(title);
    fclose(out);
    if (!status)
        status = make_folder(folder, errors);
    if (!status)
        status = write_raws(results, folder, errors);
    char *page = ww_format("%s/index.html", folder);
    if (!status)
        status = ww_write_file(page, bytes, count, errors);
    free(page);
    free(bytes);
    return status;
}

int ww_report_write_page(const char *path, const char *folder, ww_errors *errors)
{
    ww_results *results = ww_results_open(path, WW_RESULTS_READ, errors);
    if (!results)
        return ww_errors_status(errors);
    json_t *studies = ww_report_json(results, NULL, errors);
    int status = ww_errors_status(errors);
    if (!status)
        status = write_folder(results, studies, folder, errors);
    json_decref(studies);
    ww_results_close(results);
    return status;
}
