#include "base/html_page.h"

#include "base/embedded.h"
#include "base/json.h"
#include "base/memory.h"

#include <string.h>

#define PACKAGES "node_modules/"

static void write_escaped(const char *text, FILE *out)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
}

/* The first package before this one that has the same licence, or itself. */
static const ww_embedded *same_licence(const ww_embedded *licence)
{
    const ww_embedded *file = NULL;
    while ((file = ww_embedded_next(PACKAGES, file)) != licence)
        if (file->size == licence->size && memcmp(file->bytes, licence->bytes, file->size) == 0)
            break;
    return file;
}

static int name_length(const ww_embedded *licence)
{
    return (int)strcspn(licence->path + strlen(PACKAGES), "/");
}

/* Of everything that the bundle holds, each text once. */
static void write_licences(FILE *out)
{
    const char *ending = "/LICENSE";
    for (const ww_embedded *file = NULL; (file = ww_embedded_next(PACKAGES, file));) {
        const char *name = file->path + strlen(PACKAGES);
        if (strcmp(name + name_length(file), ending) != 0)
            continue;
        const ww_embedded *same = same_licence(file);
        fprintf(out, "%.*s", name_length(file), name);
        if (same != file)
            fprintf(out, ": as %.*s\n\n", name_length(same), same->path + strlen(PACKAGES));
        else {
            fputs("\n\n", out);
            write_escaped(file->bytes, out);
            fputs("\n\n", out);
        }
    }
}

static int write_file(const char *path, FILE *out, ww_errors *errors)
{
    const ww_embedded *file = ww_embedded_find(path);
    if (!file)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                       "this warpwalk was built without %s, which pages need (run tools/setup, "
                       "then make; tables, JSON and CSV need nothing)",
                       path);
    fwrite(file->bytes, 1, file->size, out);
    return WW_OK;
}

static int fill_in(const char *field, const ww_html_page *page, FILE *out, ww_errors *errors)
{
    if (strcmp(field, "title") == 0)
        write_escaped(page->title, out);
    else if (strcmp(field, "licences") == 0)
        write_licences(out);
    else if (strcmp(field, "data") == 0)
        ww_json_write_script(page->data, out);
    else
        return write_file(field, out, errors);
    return WW_OK;
}

bool ww_html_page_has_bundle(void)
{
    return ww_embedded_next(PACKAGES, NULL) != NULL;
}

int ww_html_page_write(const ww_html_page *page, FILE *out, ww_errors *errors)
{
    const char *rest = ww_embedded_find(page->template_path)->bytes;
    int status = WW_OK;
    for (const char *open; !status && (open = strstr(rest, "{{"));) {
        const char *close = strstr(open, "}}");
        char *field = ww_format("%.*s", (int)(close - open - 2), open + 2);
        fwrite(rest, 1, (size_t)(open - rest), out);
        status = fill_in(field, page, out, errors);
        rest = close + 2;
        free(field);
    }
    fputs(rest, out);
    return status;
}
