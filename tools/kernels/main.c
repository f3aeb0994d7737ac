/* Compiles a kernel of the catalogue when warpwalk is built: ww_kernels NAME.cl TEXT PTX, where NAME
 * is the path that messages and line numbers refer to. */
#include "base/text.h"
#include "host/compile.h"

#include <stdlib.h>
#include <string.h>

static int compile(const char *name, const char *path, const char *output, ww_errors *errors)
{
    ww_compiler_options how = {.cache = "", .log = stderr};
    ww_compiler *compiler = ww_compiler_create(&how);
    char *text = NULL, *ptx = NULL;
    size_t length = 0;
    int status = ww_read_file(path, WW_NOWHERE, &text, &length, errors);
    ww_source source = {.path = name, .text = text, .at = WW_NOWHERE};
    if (status == WW_OK)
        status = ww_compile(compiler, &source, &ptx, &length, errors);
    if (status == WW_OK)
        status = ww_write_file(output, ptx, length, errors);
    free(ptx);
    free(text);
    ww_compiler_destroy(compiler);
    return status;
}

int main(int count, char **words)
{
    ww_errors *errors = ww_errors_create();
    if (count != 4) {
        fprintf(stderr, "usage: ww_kernels NAME.cl TEXT PTX\n");
        return 2;
    }
    int status = compile(words[1], words[2], words[3], errors);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    return status;
}
