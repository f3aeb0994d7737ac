/* Any bytes as PTX: refused with an error, or a module whose functions can all be analysed and
 * whose kernels run a little way, or fail with a fault. */
#include "exec/exec.h"
#include "exec/order.h"
#include "ptx/listing.h"
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void count_register(int32_t reg, void *context)
{
    const ww_function *function = context;
    if (reg < 0 || (uint32_t)reg >= function->register_count)
        abort();
}

static void check_registers(ww_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        ww_instruction_reads(&function->instructions[i], count_register, function);
        ww_instruction_writes(&function->instructions[i], count_register, function);
    }
}

static void analyse(const ww_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        check_registers(module->functions[i]);
    ww_analysis *analysis = ww_analysis_create(module);
    json_t *listing = ww_listing_json(analysis, NULL);
    if (!listing)
        abort();
    json_decref(listing);
    ww_analysis_destroy(analysis);
}

static uint64_t place(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    return (end < 0x10000 ? 0x10000 : end) / 4096 * 4096 + 8192;
}

static bool is_small(const ww_module *module)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        bytes += module->variables[i]->size;
    return bytes < (1 << 20);
}

/* Every 8-byte parameter points to a buffer; others are small numbers. */
static void launch(ww_program *program, const ww_function *f, const ww_buffer *buffer)
{
    if (f->param_bytes > 4096 || f->local_bytes > 65536)
        return;
    uint8_t *params = calloc(f->param_bytes + 8, 1);
    for (unsigned i = 0; i < f->param_count; i++)
        if (f->params[i].size == 8)
            memcpy(params + f->params[i].offset, &buffer->address, 8);
        else if (f->params[i].size)
            params[f->params[i].offset] = 3;
    ww_launch what = {.entry = f->name,
                      .groups = {2, 1, 1},
                      .group = {5, 3, 1},
                      .work_dim = 2,
                      .params = params,
                      .dynamic_shared = 64};
    ww_errors *errors = ww_errors_create();
    int status = ww_program_run(program, &what, errors);
    if ((status == WW_OK) != (ww_errors_count(errors) == 0))
        abort();
    ww_errors_destroy(errors);
    free(params);
}

static void execute(const ww_module *module, unsigned width)
{
    ww_errors *errors = ww_errors_create();
    ww_memory *memory = ww_memory_create(&(ww_placer){place, NULL});
    ww_exec_options options = {.width = width,
                               .level = ww_lane_best(),
                               .max_instructions = 2000,
                               .order = (const ww_order *)(const void *)ww_order_family.members[0]};
    const ww_buffer *buffer = ww_memory_add(memory, "buffer", 256, false, errors);
    ww_program *program = ww_program_create(module, memory, &options, errors);
    if (!program && ww_errors_count(errors) == 0)
        abort();
    for (uint32_t i = 0; program && i < module->function_count; i++)
        if (module->functions[i]->is_entry && module->functions[i]->has_body)
            launch(program, module->functions[i], buffer);
    ww_program_destroy(program);
    ww_memory_destroy(memory);
    ww_errors_destroy(errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ww_errors *errors = ww_errors_create();
    ww_module *module = ww_module_parse("fuzz.ptx", (const char *)bytes, size, errors);
    if (!module != (ww_errors_status(errors) != WW_OK))
        abort();
    if (module)
        analyse(module);
    if (module && is_small(module)) {
        execute(module, 32);
        execute(module, 3);
    }
    ww_module_destroy(module);
    ww_errors_destroy(errors);
    return 0;
}
