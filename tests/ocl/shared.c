/* Shared virtual memory: a list whose pointers mean the same to host and device. */
#include "support.h"

typedef struct node {
    struct node *next;
    cl_ulong value;
} node;

static const char *source =
    "typedef struct node { global struct node *next; ulong value; } node;\n"
    "kernel void sum(global node *first, global ulong *result)\n"
    "{\n"
    "    ulong all = 0;\n"
    "    for (global node *n = first; n; n = n->next) { all += n->value; n->value *= 2; }\n"
    "    *result = all;\n"
    "}\n";

static node *create_list(node *nodes, size_t count)
{
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, count * sizeof(*nodes), 0, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        nodes[i].next = i ? &nodes[i - 1] : NULL;
        nodes[i].value = i;
    }
    OK(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));
    return &nodes[count - 1];
}

static void CL_CALLBACK free_them(cl_command_queue of, cl_uint count, void *pointers[], void *calls)
{
    MUST(of == queue);
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(context, pointers[i]);
    ++*(int *)calls;
}

/* A buffer in shared memory is not larger than what is left of the allocation. */
static void too_large(node *nodes, size_t size)
{
    cl_int code;
    MUST(!clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size + 1, nodes, &code));
    MUST(code == CL_INVALID_BUFFER_SIZE);
    MUST(!clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, nodes + 1, &code));
    MUST(code == CL_INVALID_BUFFER_SIZE);
    cl_mem mem = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, nodes, &code);
    OK(code);
    OK(clReleaseMemObject(mem));
}

int main(void)
{
    size_t one = 1, count = 100;
    int calls = 0;
    cl_ulong zero = 0;
    start();
    cl_program program = build(source, NULL);
    cl_kernel kernel = kernel_of(program, "sum");
    node *nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, count * sizeof(*nodes), 0);
    cl_ulong *result = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(*result), 64);
    MUST(nodes && result);
    OK(clSetKernelArgSVMPointer(kernel, 0, create_list(nodes, count)));
    OK(clSetKernelArgSVMPointer(kernel, 1, result));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(nodes), &nodes));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    CODE(CL_INVALID_VALUE,
         clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(nodes), NULL));
    CODE(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, &nodes));
    too_large(nodes, count * sizeof(*nodes));
    OK(clEnqueueSVMMemFill(queue, result, &zero, sizeof(zero), sizeof(zero), 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, result, sizeof(*result), 0, NULL, NULL));
    MUST(*result == 99 * 100 / 2);
    OK(clEnqueueSVMUnmap(queue, result, 0, NULL, NULL));
    node copy[100];
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, copy, nodes, sizeof(copy), 0, NULL, NULL));
    MUST(copy[99].value == 198 && copy[99].next == &nodes[98]);
    CODE(CL_MEM_COPY_OVERLAP,
         clEnqueueSVMMemcpy(queue, CL_TRUE, nodes, nodes + 1, 32, 0, NULL, NULL));
    MUST(!clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
    MUST(!clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0));
    MUST(!clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3));
    void *both[] = {nodes, result};
    OK(clEnqueueSVMFree(queue, 2, both, free_them, &calls, 0, NULL, NULL));
    OK(clFinish(queue));
    MUST(calls == 1);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    finish();
    puts("right");
    return 0;
}
