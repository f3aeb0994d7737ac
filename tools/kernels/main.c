/* Compiles a kernel of the catalogue when warpwalk is built: ww_kernels KERNEL.cl PTX. It runs in
 * the root of this tree, so that messages and line numbers have the kernel's path there. */
#include "base/text.h"
#include "host/compile.h"

#include <stdlib.h>
#include <string.h>

static int compile(const char *path, const char *output, ww_errors *errors)
{
    ww_compiler_options how = {.cache = "", .log = stderr};
    ww_compiler *compiler = ww_compiler_create(&how);
    char *ptx = NULL;
    size_t length = 0;
    ww_source source = {.path = path, .at = WW_NOWHERE};
    int status = ww_compile(compiler, &source, &ptx, &length, errors);
    if (status == WW_OK)
        status = ww_write_file(output, ptx, length, errors);
    free(ptx);
    ww_compiler_destroy(compiler);
    return status;
}

int main(int count, char **words)
{
    ww_errors *errors = ww_errors_create();
    if (count != 3) {
        fprintf(stderr, "usage: ww_kernels KERNEL.cl PTX\n");
        return 2;
    }
    int status = compile(words[1], words[2], errors);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    return status;
}
