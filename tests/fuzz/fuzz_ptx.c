/* Any bytes as PTX: refused with an error, or a module whose functions can all be analysed. */
#include "ptx/flow.h"
#include "ptx/module.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void count_register(int32_t reg, void *context)
{
    const ww_function *function = context;
    if (reg < 0 || (uint32_t)reg >= function->register_count)
        abort();
}

static void analyse(ww_function *function)
{
    if (!function->instruction_count)
        return;
    ww_flow *flow = ww_flow_create(function);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        ww_instruction_reads(&function->instructions[i], count_register, function);
        ww_instruction_writes(&function->instructions[i], count_register, function);
        ww_flow_reconvergence(flow, i);
    }
    ww_flow_destroy(flow);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ww_errors *errors = ww_errors_create();
    ww_module *module = ww_module_parse("fuzz.ptx", (const char *)bytes, size, errors);
    if (!module != (ww_errors_status(errors) != WW_OK))
        abort();
    for (uint32_t i = 0; module && i < module->function_count; i++)
        analyse(module->functions[i]);
    ww_module_destroy(module);
    ww_errors_destroy(errors);
    return 0;
}
