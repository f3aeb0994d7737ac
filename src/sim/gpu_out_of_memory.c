/* Errors of programs that do not fit into the simulated memory: they say how much is needed. */
#include "base/memory.h"
#include "config/units.h"
#include "exec/warp.h"
#include "host/placement.h"
#include "sim/gpu_internal.h"
#include "vm/vm_schema.h"

#include <inttypes.h>

#define PLENTY (UINT64_C(1) << 48)
#define STEP (UINT64_C(1) << 20) /* needs are rounded up to it */

/* The memory that all buffers and the launch need, with their page table. `placement`: another one
 * of the buffers; NULL: theirs. */
static uint64_t need(const ww_gpu *gpu, const ww_placement *placement)
{
    const ww_cu_launch *l = &gpu->launch;
    const ww_buffer *const *buffers;
    ww_driver_config c;
    ww_driver_configure(gpu->machine->config, 0, &c);
    c.frames.memory = PLENTY;
    c.eager = true;
    ww_driver *driver = ww_driver_create(&c);
    ww_driver_add_space(driver, 0);
    size_t count = ww_memory_buffers(l->executor->memory, &buffers);
    uint64_t end = 0;
    ww_policy_start start = {.config = gpu->machine->config, .prefix = "memory"};
    void *state = placement ? ww_policy_create(&placement->policy, &start) : NULL;
    for (size_t i = 0; i < count; i++) {
        uint64_t address =
            placement ? placement->place(state, end, buffers[i]->size) : buffers[i]->address;
        ww_driver_add(driver, 0, address, buffers[i]->size);
        end = address + buffers[i]->size;
    }
    ww_driver_add(driver, 0, l->code_address, ww_gpu_code_bytes(gpu));
    if (gpu->vm.argument_end)
        ww_driver_add(driver, 0, WW_ARGUMENT_ADDRESS, gpu->vm.argument_end - WW_ARGUMENT_ADDRESS);
    if (ww_gpu_private_bytes(gpu))
        ww_driver_add(driver, 0, l->local_address, ww_gpu_private_bytes(gpu));
    uint64_t bytes = ww_driver_bytes(driver);
    ww_driver_destroy(driver);
    if (placement)
        ww_policy_destroy(&placement->policy, &start, state);
    return (bytes + STEP - 1) / STEP * STEP;
}

/* "; with memory.placement=packed 34MiB" if that is less, else "". The caller frees it. */
static char *other_placement(const ww_gpu *gpu, uint64_t needed)
{
    static const char name[] = "packed";
    char text[WW_AMOUNT_CHARS];
    const ww_policy *packed = ww_policy_find(&ww_placement_family, name);
    uint64_t less = packed == ww_config_policy(gpu->machine->config, "memory.placement")
                        ? needed
                        : need(gpu, (const ww_placement *)(const void *)packed);
    ww_amount_text(WW_MEASURE_BYTES, less, text);
    return less < needed ? ww_format("; with memory.placement=%s %s", name, text)
                         : ww_format("%s", "");
}

int ww_gpu_out_of_memory(ww_gpu *gpu)
{
    char memory[WW_AMOUNT_CHARS], page[WW_AMOUNT_CHARS], needed[WW_AMOUNT_CHARS];
    bool eager = ww_config_choice(gpu->machine->config, "vm.allocate") == 0;
    uint64_t bytes = need(gpu, NULL);
    char *other = other_placement(gpu, bytes);
    ww_amount_text(WW_MEASURE_BYTES, ww_config_bytes(gpu->machine->config, "vm.memory"), memory);
    ww_amount_text(WW_MEASURE_BYTES, ww_vm_page_bytes(gpu->machine->config), page);
    ww_amount_text(WW_MEASURE_BYTES, bytes, needed);
    gpu->status = ww_fail(gpu->vm.errors, WW_BAD_INPUT,
                          ww_config_location(gpu->machine->config, "vm.memory", "page_size", NULL),
                          "kernel '%s': the program does not fit into vm.memory, %s, with its page "
                          "table (%s %s in whole pages of %s%s)",
                          gpu->launch.launch->entry, memory, needed,
                          eager ? "or more" : "is enough", page, other);
    free(other);
    ww_engine_stop(gpu->machine->engine);
    return gpu->status;
}

int ww_gpu_too_few_pages(ww_gpu *gpu)
{
    const ww_config *config = gpu->machine->config;
    bool chunks = ww_config_choice(config, "paging.chunk") == 1;
    uint64_t count = ww_paging_capacity(gpu->machine->paging.paging);
    if (chunks)
        count /= WW_BLOCK_BYTES >> gpu->machine->core_config.page_shift;
    gpu->status = ww_fail(
        gpu->vm.errors, WW_BAD_INPUT,
        ww_config_location(config, "paging.resident_fraction", "paging.chunk", "page_size", NULL),
        "kernel '%s': an instruction needs more %s at a time than the %" PRIu64
        " that paging.resident_fraction leaves (a larger fraction, %s)",
        gpu->launch.launch->entry, chunks ? "blocks of 2 MiB" : "pages", count,
        chunks ? "or paging.chunk: page" : "or smaller pages");
    ww_engine_stop(gpu->machine->engine);
    return gpu->status;
}

int ww_gpu_no_page_stays(ww_gpu *gpu, uint64_t came)
{
    return ww_fail(gpu->vm.errors, WW_BAD_INPUT,
                   ww_config_location(gpu->machine->config, "paging.resident_fraction",
                                      "paging.prefetch", NULL),
                   "kernel '%s': no instruction goes on, though %" PRIu64
                   " pages came and left since the last one: memory for %" PRIu64
                   " is too little (a larger paging.resident_fraction, or paging.prefetch: none)",
                   gpu->launch.launch->entry, came,
                   ww_paging_capacity(gpu->machine->paging.paging));
}

/* Does not map the pages, since there may be more than the host has memory for. */
int ww_gpu_too_much_private(ww_gpu *gpu)
{
    char memory[WW_AMOUNT_CHARS], all[WW_AMOUNT_CHARS];
    const ww_cu_config *c = &gpu->machine->core_config;
    uint64_t items = (uint64_t)c->width * c->slots * gpu->machine->cu_count;
    uint64_t bytes = ww_config_bytes(gpu->machine->config, "vm.memory");
    ww_amount_text(WW_MEASURE_BYTES, bytes, memory);
    ww_amount_text(WW_MEASURE_BYTES, ww_gpu_private_bytes(gpu), all);
    gpu->status =
        ww_fail(gpu->vm.errors, WW_BAD_INPUT, gpu->launch.launch->at,
                "kernel '%s' needs %s of private memory: %" PRIu64 " bytes for each of the %" PRIu64
                " work-items that compute units have room for (vm.memory is %s: less than %" PRIu64
                " bytes each)",
                gpu->launch.launch->entry, all, ww_gpu_private_bytes(gpu) / items, items, memory,
                bytes / items);
    return gpu->status;
}
