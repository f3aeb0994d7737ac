/* What a program uses and the device does not have. */
#include "host/kernel_info.h"
#include "ocl/gpu.h"
#include "ocl/program.h"

#include <string.h>

#define NO_IMAGES "which this device does not have (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE)"

/* Only images and pipes have access qualifiers. */
static int check_arguments(const ww_cl_code *code, const ww_function *kernel, ww_errors *errors)
{
    ww_kernel_info info;
    int status = WW_OK;
    if (!ww_kernel_info_read(code->ptx, kernel->name, &info))
        return WW_OK;
    for (size_t i = 0; i < info.count; i++)
        if (info.arguments[i].access[0] && strcmp(info.arguments[i].access, "none") != 0)
            status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                             "argument '%s' of kernel '%s' is of type %s, " NO_IMAGES,
                             info.arguments[i].name, kernel->name, info.arguments[i].type);
    ww_kernel_info_clear(&info);
    return status;
}

static int check_sub_groups(const ww_function *kernel, ww_errors *errors)
{
    uint64_t width = ww_config_u64(ww_cl_gpu_config(), "core.warp_width");
    if (!kernel->required_subgroup || kernel->required_subgroup == width)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "kernel '%s' requires sub-groups of %u (those of this device are of %llu)",
                   kernel->name, kernel->required_subgroup, (unsigned long long)width);
}

static bool is_of_images(const char *name)
{
    return strstr(name, "ocl_image") || strstr(name, "ocl_sampler") ||
           strstr(name, "__translate_sampler_initializer");
}

/* Besides those that the executor has. */
static bool is_missing(const ww_function *f)
{
    return !f->has_body && strcmp(f->name, "printf") != 0 && strcmp(f->name, "vprintf") != 0 &&
           strcmp(f->name, "__assertfail") != 0;
}

/* A name as the source has it: "foo" of "_Z3fooi". */
static void name_missing(const char *name, ww_errors *errors)
{
    int length = 0, start = 0;
    if (sscanf(name, "_Z%d%n", &length, &start) != 1 || length <= 0 ||
        (size_t)length > strlen(name + start)) {
        start = 0;
        length = (int)strlen(name);
    }
    ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "function '%.*s' is called and defined nowhere",
            length, name + start);
}

int ww_cl_program_check(const ww_cl_code *code, ww_errors *errors)
{
    const ww_module *module = code->module;
    bool images = false, missing = false;
    int status = WW_OK;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const ww_function *f = module->functions[i];
        if (f->is_entry && f->has_body)
            status |= check_arguments(code, f, errors) | check_sub_groups(f, errors);
        if (!is_missing(f))
            continue;
        if (is_of_images(f->name))
            images = true;
        else
            name_missing(f->name, errors);
        missing = true;
    }
    if (images && status == WW_OK)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "the program uses images, " NO_IMAGES);
    return missing ? WW_BAD_INPUT : status;
}
