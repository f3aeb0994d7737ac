/* Any bytes as a launch file: refused with an error, or a file that could be run. The kernel
 * "vadd.ptx" lies beside it; no compiler is found, so that no input can start one. Files are made
 * in the current folder. */
#include "base/text.h"
#include "host/launch_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char kernel[] = ".version 6.0\n"
                             ".target sm_30\n"
                             ".address_size 64\n"
                             ".entry vadd(.param .u64 .ptr .global a, .param .u64 .ptr .shared l,\n"
                             "            .param .u32 n, .param .f32 f, .param .f64 d,\n"
                             "            .param .align 4 .b8 s[8])\n"
                             "{ ret; }\n"
                             ".entry none() { ret; }\n";

static void write_file(const char *path, const void *bytes, size_t size)
{
    ww_errors *errors = ww_errors_create();
    if (ww_write_file(path, bytes, size, errors))
        abort();
    ww_errors_destroy(errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ww_compiler_options options = {.clang = "no-such-clang", .cache = ""};
    ww_errors *errors = ww_errors_create();
    ww_compiler *compiler = ww_compiler_create(&options);
    ww_config *config = ww_config_create(&(ww_schema_set){0});
    ww_launch_setting setting = {.config = config};
    write_file("vadd.ptx", kernel, strlen(kernel));
    write_file("fuzz_launch.yaml", bytes, size);
    ww_launch_file *file = ww_launch_file_load("fuzz_launch.yaml", &setting, compiler, errors);
    if (!file != (ww_errors_status(errors) != WW_OK))
        abort();
    if (file)
        ww_launch_file_launches(file);
    ww_launch_file_destroy(file);
    ww_compiler_destroy(compiler);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
    return 0;
}
