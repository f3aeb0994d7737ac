#include "ocl/kernel.h"

#include "ocl/gpu.h"

#include <string.h>

void ww_cl_kernel_clear(cl_kernel kernel)
{
    kernel->program->kernels--;
    ww_kernel_info_clear(&kernel->info);
    free(kernel->arguments);
    free(kernel->params);
    ww_cl_drop(kernel->program);
}

/* ---- creation ---- */

static cl_kernel create(cl_program program, const ww_function *function)
{
    cl_kernel kernel = ww_cl_create(WW_CL_KERNEL, sizeof(*kernel));
    kernel->program = program;
    kernel->function = function;
    kernel->arguments = ww_calloc(function->param_count + 1u, sizeof(*kernel->arguments));
    kernel->params = ww_calloc(function->param_bytes + 1, 1);
    kernel->has_info =
        ww_kernel_info_read(program->code[WW_CL_PLAIN].ptx, function->name, &kernel->info);
    program->kernels++;
    ww_cl_use(program);
    return kernel;
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    WW_CL_ENTER;
    if (!ww_cl_is(program, WW_CL_PROGRAM))
        return ww_cl_none(code, CL_INVALID_PROGRAM);
    if (!name)
        return ww_cl_none(code, CL_INVALID_VALUE);
    const ww_module *module = ww_cl_program_module(program);
    if (!module)
        return ww_cl_none(code, CL_INVALID_PROGRAM_EXECUTABLE);
    const ww_function *function = ww_module_function(module, name);
    if (!function || !function->is_entry || !function->has_body)
        return ww_cl_none(code, CL_INVALID_KERNEL_NAME);
    ww_cl_none(code, CL_SUCCESS);
    return create(program, function);
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                            cl_uint *count)
{
    WW_CL_ENTER;
    cl_uint found = 0;
    if (!ww_cl_is(program, WW_CL_PROGRAM))
        return CL_INVALID_PROGRAM;
    const ww_module *module = ww_cl_program_module(program);
    if (!module)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    for (uint32_t i = 0; i < module->function_count; i++)
        found += module->functions[i]->is_entry && module->functions[i]->has_body;
    if (kernels && room < found)
        return CL_INVALID_VALUE;
    for (uint32_t i = 0; kernels && i < module->function_count; i++)
        if (module->functions[i]->is_entry && module->functions[i]->has_body)
            *kernels++ = create(program, module->functions[i]);
    if (count)
        *count = found;
    return CL_SUCCESS;
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel kernel, cl_int *code)
{
    WW_CL_ENTER;
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return ww_cl_none(code, CL_INVALID_KERNEL);
    cl_kernel clone = create(kernel->program, kernel->function);
    memcpy(clone->arguments, kernel->arguments,
           kernel->function->param_count * sizeof(*kernel->arguments));
    memcpy(clone->params, kernel->params, kernel->function->param_bytes);
    ww_cl_none(code, CL_SUCCESS);
    return clone;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel)
{
    WW_CL_ENTER;
    return ww_cl_retain(kernel, WW_CL_KERNEL, CL_INVALID_KERNEL);
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel)
{
    WW_CL_ENTER;
    return ww_cl_release(kernel, WW_CL_KERNEL, CL_INVALID_KERNEL);
}

/* ---- arguments ---- */

static cl_int set_local(ww_cl_argument *argument, size_t size, const void *value)
{
    if (value)
        return CL_INVALID_ARG_VALUE;
    if (size == 0)
        return CL_INVALID_ARG_SIZE;
    *argument = (ww_cl_argument){.set = true, .local = size};
    return CL_SUCCESS;
}

/* A buffer's address is known when it is set. NULL is a null pointer. */
static cl_int set_buffer(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const ww_variable *parameter = &kernel->function->params[index];
    cl_mem mem = NULL;
    uint64_t address = 0;
    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (value)
        memcpy(&mem, value, sizeof(mem));
    if (mem && !ww_cl_is(mem, WW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (mem && mem->context != kernel->program->context)
        return CL_INVALID_MEM_OBJECT;
    if (mem)
        address = ww_cl_mem_address(mem);
    memcpy(kernel->params + parameter->offset, &address, sizeof(address));
    kernel->arguments[index] = (ww_cl_argument){.set = true, .mem = mem};
    return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    WW_CL_ENTER;
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->function->param_count)
        return CL_INVALID_ARG_INDEX;
    const ww_variable *parameter = &kernel->function->params[index];
    if (ww_cl_is_local(parameter))
        return set_local(&kernel->arguments[index], size, value);
    if (parameter->is_pointer)
        return set_buffer(kernel, index, size, value);
    if (!value)
        return CL_INVALID_ARG_VALUE;
    if (size != parameter->size)
        return CL_INVALID_ARG_SIZE;
    memcpy(kernel->params + parameter->offset, value, size);
    kernel->arguments[index] = (ww_cl_argument){.set = true};
    return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    WW_CL_ENTER;
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->function->param_count)
        return CL_INVALID_ARG_INDEX;
    const ww_variable *parameter = &kernel->function->params[index];
    if (!parameter->is_pointer || ww_cl_is_local(parameter))
        return CL_INVALID_ARG_VALUE;
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    memcpy(kernel->params + parameter->offset, &address, sizeof(address));
    kernel->arguments[index] = (ww_cl_argument){.set = true};
    return CL_SUCCESS;
}

/* Which shared memory a kernel uses need not be said: it may use all. */
cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                       const void *value)
{
    WW_CL_ENTER;
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (!value && (name != CL_KERNEL_EXEC_INFO_SVM_PTRS || size > 0))
        return CL_INVALID_VALUE;
    switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS: /* without a pointer: no shared memory besides arguments */
        if ((size == 0) != (value == NULL) || size % sizeof(void *))
            return CL_INVALID_VALUE;
        for (size_t i = 0; i < size / sizeof(void *); i++)
            if (!ww_cl_svm_find(((void *const *)value)[i], 1))
                return CL_INVALID_VALUE;
        return CL_SUCCESS;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
        if (size != sizeof(cl_bool))
            return CL_INVALID_VALUE;
        return *(const cl_bool *)value ? CL_INVALID_OPERATION : CL_SUCCESS;
    default: return CL_INVALID_VALUE;
    }
}
