/* CUDA C whose host part does not compile: what the kernels do not need is left out.
 *
 * missing header   is taken as empty: most are only for the host (helpers, libraries)
 * host code        that clang refuses is blanked in the preprocessed text, until no error is left
 *                  or all that are left are in device code */
#include "host/compile_internal.h"

#include "base/memory.h"
#include "base/text.h"
#include "host/host_code.h"

#include <string.h>

#define MOST_HEADERS 200
#define MOST_ROUNDS 40
#define CAREFUL_ROUNDS 12 /* remove single statements; later rounds remove whole functions */

/* ---- missing headers ---- */

/* The name in "...: fatal error: 'NAME' file not found", which the caller frees, or NULL. */
static char *missing_header(const char *messages, size_t *line_length)
{
    const char *end = strstr(messages, "' file not found");
    const char *start = end;
    while (start && start > messages && start[-1] != '\'' && start[-1] != '\n')
        start--;
    if (!start || start == messages || start[-1] != '\'' || start == end)
        return NULL;
    char *name = strndup(start, (size_t)(end - start));
    if (name[0] != '/' && !strstr(name, ".."))
        return *line_length = ww_line_length(start) + (size_t)(start - messages), name;
    free(name);
    return NULL;
}

bool ww_cuda_replace_header(ww_compilation *j, const char *messages, ww_errors *errors)
{
    size_t length = 0;
    char *name = missing_header(messages, &length);
    if (!name || j->missing.count >= MOST_HEADERS) {
        free(name);
        return false;
    }
    const char *start = messages + length;
    while (start > messages && start[-1] != '\n')
        start--;
    char *line = strndup(start, (size_t)(messages + length - start));
    char *path = ww_format(WW_MISSING_FOLDER "/%s", name);
    ww_scratch_hide(j->scratch, line);
    ww_words_add(&j->missing, line);
    bool ok = ww_scratch_write(j->scratch, path, "", 0, errors) == WW_OK;
    free(path);
    free(line);
    free(name);
    return ok;
}

/* "x.cu:3:10: fatal error: 'y.h' file not found" becomes a warning. */
void ww_cuda_tell_missing(const ww_compilation *j)
{
    static const char mark[] = "fatal error: ";
    for (size_t i = 0; j->compiler->log && i < j->missing.count; i++) {
        const char *line = j->missing.items[i];
        const char *at = strstr(line, mark);
        const char *name = at ? at + sizeof(mark) - 1 : line;
        const char *end = strstr(name, " file not found");
        fprintf(j->compiler->log,
                "%.*swarning: %.*s is not found and taken as empty (-I names its folder)\n",
                at ? (int)(at - line) : 0, line, end ? (int)(end - name) : 0, name);
    }
}

/* ---- host code ---- */

/* The text in which errors are located: line markers name physical lines. */
static char *with_physical_lines(const char *text)
{
    char *copy = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&copy, &size);
    size_t line = 1;
    for (; *text; line++) {
        size_t length = ww_line_length(text);
        bool system = length > 2 && text[length - 1] == '3' && text[length - 2] == ' ';
        if (strncmp(text, "# ", 2) == 0)
            fprintf(out, "# %zu \"text\"%s", line + 1, system ? " 3" : "");
        else
            fwrite(text, 1, length, out);
        text += length;
        if (*text)
            fputc(*text++, out);
    }
    fclose(out);
    return copy;
}

/* The offset of "text:LINE:COL: error: ..." in the text, or its length when it is elsewhere. */
static size_t offset_of(const char *text, const char *message)
{
    size_t line = 0, col = 0, at = 0;
    if (sscanf(message, "text:%zu:%zu:", &line, &col) != 2 || !line || !col)
        return strlen(text);
    while (--line && text[at]) {
        at += ww_line_length(text + at);
        at += text[at] != 0;
    }
    size_t length = ww_line_length(text + at);
    return at + (col - 1 < length ? col - 1 : length);
}

typedef struct round_result {
    size_t removed; /* errors in host code */
    size_t device;  /* errors elsewhere */
} round_result;

/* Blanks the host code that clang's messages point to. */
static round_result remove_refused(char *text, char *messages, bool whole)
{
    round_result r = {0, 0};
    char *rest = NULL;
    ww_host_code *code = ww_host_code_read(text);
    for (char *line = strtok_r(messages, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!strstr(line, "error: "))
            continue;
        size_t offset = offset_of(text, line);
        bool removed = text[offset] && ww_host_code_remove(code, offset, whole);
        r.removed += removed;
        r.device += !removed;
    }
    ww_host_code_destroy(code);
    return r;
}

static int check_text(const ww_compilation *j, const char *text, ww_process_result *result,
                      ww_errors *errors)
{
    ww_words words = {0};
    char *physical = with_physical_lines(text);
    int status = ww_scratch_write(j->scratch, WW_CUDA_TEXT, physical, strlen(physical), errors);
    ww_clang_add_flags_of_text(&words, j);
    ww_words_add_all(&words, (const char *const[]){"-ferror-limit=0", "-fsyntax-only", NULL});
    ww_clang_add_scratch_file(&words, "-w", j, WW_CUDA_TEXT);
    if (status == WW_OK)
        status = ww_process_run(&words, &j->hold, result, errors);
    ww_words_free(&words);
    free(physical);
    return status;
}

int ww_cuda_leave_host_code_out(ww_compilation *j, bool *device_is_wrong, ww_errors *errors)
{
    int status = WW_OK;
    *device_is_wrong = false;
    for (unsigned n = 0; n < MOST_ROUNDS && status == WW_OK; n++) {
        ww_process_result result = {0};
        status = check_text(j, j->preprocessed, &result, errors);
        bool done = status == WW_OK && result.status == 0;
        round_result r = {0, 0};
        if (status == WW_OK && !done)
            r = remove_refused(j->preprocessed, result.messages, n >= CAREFUL_ROUNDS);
        ww_process_result_free(&result);
        *device_is_wrong |= n == 0 && r.device > 0;
        if (done || !r.removed)
            break;
    }
    if (status == WW_OK)
        status = ww_scratch_write(j->scratch, WW_CUDA_TEXT, j->preprocessed,
                                  strlen(j->preprocessed), errors);
    return status;
}
