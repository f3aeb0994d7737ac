#include "support/kernel_run.h"

#include "exec/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MOST_CONFIGS 8

static size_t add_levels(kernel_config *list, unsigned width)
{
    size_t count = 0;
    for (int level = (int)ww_lane_best(); level >= 0; level--)
        list[count++] = (kernel_config){width, (ww_lane_level)level};
    return count;
}

const kernel_config *kernel_warp_configs(size_t *count)
{
    static _Thread_local kernel_config list[MOST_CONFIGS];
    *count = add_levels(list, 64);
    *count += add_levels(list + *count, 32);
    return list;
}

const kernel_config *kernel_configs(size_t *count)
{
    static _Thread_local kernel_config list[MOST_CONFIGS];
    const kernel_config *wide = kernel_warp_configs(count);
    memcpy(list, wide, *count * sizeof(*list));
    list[(*count)++] = (kernel_config){8, ww_lane_best()};
    list[(*count)++] = (kernel_config){1, WW_LANE_PORTABLE};
    return list;
}

ww_module *kernel_try_parse(const char *text, ww_errors *errors)
{
    static const char header[] = ".version 8.3\n.target sm_90\n.address_size 64\n";
    size_t length = sizeof(header) - 1 + strlen(text);
    char *whole = ww_calloc(length + 1, 1);
    strcpy(whole, header);
    strcat(whole, text);
    ww_module *module = ww_module_parse("k.ptx", whole, length, errors);
    free(whole);
    return module;
}

ww_module *kernel_parse(const char *text)
{
    ww_errors *errors = ww_errors_create();
    ww_module *module = kernel_try_parse(text, errors);
    if (!module) {
        ww_errors_print(errors, stderr);
        print_error("%s\n", text);
    }
    ww_errors_destroy(errors);
    assert_non_null(module);
    return module;
}

static uint64_t place(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    return (end + 0x1ffff) & ~0xffffull;
}

/* The launch's parameter block, made of the buffers' addresses and the values. */
static uint8_t *make_params(ww_memory *memory, const kernel_launch *l, const ww_buffer **buffers,
                            ww_errors *errors)
{
    uint8_t *params = ww_calloc(8 * l->block_count + l->value_bytes + 8, 1);
    for (size_t i = 0; i < l->block_count; i++) {
        buffers[i] = ww_memory_add(memory, l->blocks[i].name, l->blocks[i].size, false, errors);
        assert_non_null(buffers[i]);
        if (l->blocks[i].size)
            memcpy(buffers[i]->host, l->blocks[i].bytes, l->blocks[i].size);
        memcpy(params + 8 * i, &buffers[i]->address, 8);
    }
    if (l->value_bytes)
        memcpy(params + 8 * l->block_count, l->values, l->value_bytes);
    return params;
}

int kernel_try_run(const ww_module *module, kernel_config config, const kernel_launch *l,
                   ww_errors *errors)
{
    const ww_buffer *buffers[4];
    ww_memory *memory = ww_memory_create(&(ww_placer){place, NULL});
    uint8_t *params = make_params(memory, l, buffers, errors);
    ww_exec_options options = {.width = config.width,
                               .level = config.level,
                               .max_instructions = l->max_instructions,
                               .order = (const ww_order *)(const void *)ww_order_family.members[0]};
    ww_launch launch = {.entry = l->entry ? l->entry : "k",
                        .groups = {l->groups, 1, 1},
                        .group = {l->group, 1, 1},
                        .work_dim = 1,
                        .params = params,
                        .dynamic_shared = l->dynamic_shared};
    ww_program *program = ww_program_create(module, memory, &options, errors);
    int status = program ? ww_program_run(program, &launch, errors) : ww_errors_status(errors);
    for (unsigned i = 0; i < l->repeats && status == WW_OK; i++)
        status = ww_program_run(program, &launch, errors);
    for (size_t i = 0; i < l->block_count; i++)
        if (l->blocks[i].size)
            memcpy(l->blocks[i].bytes, buffers[i]->host, l->blocks[i].size);
    ww_program_destroy(program);
    ww_memory_destroy(memory);
    free(params);
    return status;
}

void kernel_run(const ww_module *module, kernel_config config, const kernel_launch *launch)
{
    ww_errors *errors = ww_errors_create();
    int status = kernel_try_run(module, config, launch, errors);
    if (status != WW_OK) {
        print_error("at width %u, level %s:\n", config.width, ww_lane_level_name(config.level));
        ww_errors_print(errors, stderr);
    }
    ww_errors_destroy(errors);
    assert_int_equal(status, WW_OK);
}
