/* Maps what a launch uses: buffers, code, arguments and private memory. */
#include "exec/warp.h"
#include "sim/gpu_internal.h"
#include "vm/vm_schema.h"

static bool add_buffer(const ww_machine *m, const ww_buffer *buffer)
{
    if (m->paging.paging)
        ww_paging_add_buffer(m->paging.paging, buffer->address, buffer->size, buffer->host_wrote);
    return ww_driver_add(m->driver, WW_PROGRAM_ASID, buffer->address, buffer->size);
}

static bool add_buffers(ww_gpu_vm *vm, const ww_machine *m, const ww_memory *memory)
{
    const ww_buffer *const *buffers;
    size_t count = ww_memory_buffers(memory, &buffers);
    if (vm->buffers_added == ww_memory_added(memory))
        return true;
    for (size_t i = 0; i < count; i++)
        if (buffers[i]->number > vm->buffers_added && !add_buffer(m, buffers[i]))
            return false;
    vm->buffers_added = ww_memory_added(memory);
    return true;
}

/* A host may write a buffer between launches for the first time. */
static void tell_writes(const ww_machine *m, const ww_memory *memory)
{
    const ww_buffer *const *buffers;
    size_t count = m->paging.paging ? ww_memory_buffers(memory, &buffers) : 0;
    for (size_t i = 0; i < count; i++)
        if (buffers[i]->host_wrote)
            ww_paging_host_wrote(m->paging.paging, buffers[i]->address, buffers[i]->size);
}

/* Hints hold until they are changed; a prefetch is asked for once. */
static void give_hints(const ww_machine *m, ww_memory *memory)
{
    const ww_buffer *const *buffers;
    size_t count = m->paging.paging ? ww_memory_buffers(memory, &buffers) : 0;
    for (size_t i = 0; i < count; i++) {
        ww_buffer_hints h = buffers[i]->hints;
        if (h.preferred == WW_PREFER_NONE && !h.accessed_by && !h.read_mostly && !h.prefetch)
            continue;
        ww_paging_hints hints = {.prefers_host = h.preferred == WW_PREFER_HOST,
                                 .mapped = h.accessed_by,
                                 .read_mostly = h.read_mostly,
                                 .prefetch = h.prefetch};
        ww_paging_hint(m->paging.paging, buffers[i]->address, buffers[i]->size, &hints);
        h.prefetch = false;
        ww_memory_hint(memory, buffers[i], h);
    }
}

void ww_gpu_release(ww_gpu *gpu, const ww_buffer *buffer)
{
    ww_machine *m = gpu->machine;
    uint64_t page = ww_vm_page_bytes(m->config);
    if (buffer->number > gpu->vm.buffers_added)
        return;
    if (m->paging.paging)
        ww_paging_remove_buffer(m->paging.paging, buffer->address, buffer->size);
    ww_driver_remove(m->driver, WW_PROGRAM_ASID, buffer->address, buffer->size);
    uint64_t end = buffer->address + buffer->size;
    for (uint64_t at = buffer->address - buffer->address % page; at < end; at += page)
        for (unsigned i = 0; i < m->cluster_count; i++)
            if (!ww_driver_has(m->driver, WW_PROGRAM_ASID, at))
                ww_cluster_vm_invalidate(&m->clusters[i], at);
}

uint64_t ww_gpu_code_bytes(const ww_gpu *gpu)
{
    return (uint64_t)gpu->launch.code->op_count * gpu->machine->core_config.instruction_bytes;
}

uint64_t ww_gpu_private_bytes(const ww_gpu *gpu)
{
    uint64_t lane = (gpu->launch.executor->kernel->local_bytes + 3) / 4 * 4;
    return lane * gpu->machine->core_config.width * gpu->machine->core_config.slots *
           gpu->machine->cu_count;
}

/* Each launch has lines of its own for its arguments, which the host has written. */
static bool map_arguments(ww_gpu *gpu)
{
    ww_executor *x = gpu->launch.executor;
    uint64_t line = gpu->machine->core_config.line, *end = &gpu->vm.argument_end;
    if (!gpu->machine->core_config.argument_block)
        return true;
    x->argument_address = *end ? *end : WW_ARGUMENT_ADDRESS;
    *end = x->argument_address + (x->param_bytes + line - 1) / line * line;
    return ww_driver_map(gpu->machine->driver, gpu->launch.asid, x->argument_address,
                         *end - x->argument_address);
}

int ww_gpu_vm_begin(ww_gpu *gpu, ww_errors *errors)
{
    ww_gpu_vm *vm = &gpu->vm;
    ww_driver *driver = gpu->machine->driver;
    const ww_cu_launch *l = &gpu->launch;
    uint64_t private_end = l->local_address + ww_gpu_private_bytes(gpu);
    uint64_t private_start =
        vm->private_end > l->local_address ? vm->private_end : l->local_address;
    vm->errors = errors;
    if (ww_gpu_private_bytes(gpu) > ww_config_bytes(gpu->machine->config, "vm.memory"))
        return ww_gpu_too_much_private(gpu);
    if (!add_buffers(vm, gpu->machine, l->executor->memory) ||
        !ww_driver_map(driver, l->asid, l->code_address, ww_gpu_code_bytes(gpu)) ||
        !map_arguments(gpu) ||
        (private_start < private_end &&
         !ww_driver_map(driver, l->asid, private_start, private_end - private_start)))
        return ww_gpu_out_of_memory(gpu);
    vm->private_end = private_end > private_start ? private_end : private_start;
    tell_writes(gpu->machine, l->executor->memory);
    give_hints(gpu->machine, l->executor->memory);
    return WW_OK;
}
