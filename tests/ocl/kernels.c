/* Programs and kernels: arguments of all kinds, offsets, group sizes, binaries, linking, queries. */
#include "support.h"

typedef struct pair {
    cl_int a;
    cl_double b;
    cl_char c;
} pair;

static const char *source =
    "typedef struct { int a; double b; char c; } pair;\n"
    "__constant int table[4] = {1, 2, 3, 4};\n"
    "kernel void all(global int *out, constant int *in, local int *l, pair p, float3 v, char c,\n"
    "                local long *m)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    l[get_local_id(0)] = c;\n"
    "    m[get_local_id(0)] = in[0];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[i] = l[0] + (int)m[1] + p.a + (int)p.b + p.c + (int)v.z + table[i % 4];\n"
    "}\n"
    "kernel void ids(global uint *out)\n"
    "{\n"
    "    size_t i = get_global_id(0) - get_global_offset(0);\n"
    "    size_t j = get_global_id(1) - get_global_offset(1);\n"
    "    global uint *o = out + 4 * (j * get_global_size(0) + i);\n"
    "    o[0] = get_global_id(0); o[1] = get_global_id(1); o[2] = get_work_dim();\n"
    "    o[3] = get_group_id(0);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(global const int *restrict "
    "a,\n"
    "                                                               volatile global int *b)\n"
    "{ b[0] = a[0]; }\n";

static void arguments(cl_program program)
{
    cl_int in = 100, out[64];
    pair p = {10, 20.5, 3};
    cl_float3 v = {{1, 2, 3}};
    cl_char c = -5;
    cl_kernel kernel = kernel_of(program, "all");
    cl_mem to = buffer_of(sizeof(out)), from = buffer_of(sizeof(in));
    size_t global = 64, local = 16;
    OK(clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, sizeof(in), &in, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(to), &to);
    CODE(CL_INVALID_KERNEL_ARGS,
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    set_arg(kernel, 1, sizeof(from), &from);
    set_arg(kernel, 2, local * sizeof(cl_int), NULL);
    set_arg(kernel, 3, sizeof(p), &p);
    set_arg(kernel, 4, sizeof(v), &v);
    set_arg(kernel, 5, sizeof(c), &c);
    set_arg(kernel, 6, local * sizeof(cl_long), NULL);
    CODE(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 7, 4, &in));
    CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, sizeof(p) - 1, &p));
    CODE(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 4, &in));
    CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 0, NULL));
    CODE(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &queue));
    cl_int code;
    cl_kernel clone = clCloneKernel(kernel, &code);
    OK(code);
    c = 50;
    set_arg(kernel, 5, sizeof(c), &c); /* not the clone's */
    OK(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &global, &local, 0, NULL, NULL));
    read_all(to, sizeof(out), out);
    for (int i = 0; i < 64; i++)
        MUST(out[i] == -5 + 100 + 10 + 20 + 3 + 3 + i % 4 + 1);
    OK(clReleaseKernel(clone));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(from));
}

static void check_ids(cl_kernel kernel, const size_t *offset, const size_t *local)
{
    const size_t global[2] = {24, 6};
    cl_uint out[24 * 6][4];
    cl_mem mem = buffer_of(sizeof(out));
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, NULL, NULL));
    read_all(mem, sizeof(out), out);
    for (size_t j = 0; j < 6; j++)
        for (size_t i = 0; i < 24; i++) {
            MUST(out[j * 24 + i][0] == i + (offset ? offset[0] : 0));
            MUST(out[j * 24 + i][1] == j + (offset ? offset[1] : 0));
            MUST(out[j * 24 + i][2] == 2);
            MUST(!local || out[j * 24 + i][3] == i / local[0]);
        }
    OK(clReleaseMemObject(mem));
}

static void ranges(cl_program program)
{
    const size_t offset[2] = {1000, 7}, local[2] = {8, 3}, zero = 0, big = 2048;
    cl_kernel kernel = kernel_of(program, "ids"), fixed = kernel_of(program, "fixed");
    check_ids(kernel, NULL, local);
    check_ids(kernel, offset, local);
    check_ids(kernel, offset, NULL);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &zero, NULL, 0, NULL, NULL));
    CODE(CL_INVALID_WORK_DIMENSION,
         clEnqueueNDRangeKernel(queue, kernel, 4, NULL, local, NULL, 0, NULL, NULL));
    CODE(CL_INVALID_WORK_ITEM_SIZE,
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &big, &big, 0, NULL, NULL));
    CODE(CL_INVALID_WORK_GROUP_SIZE,
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &big, &zero, 0, NULL, NULL));
    cl_mem mem = buffer_of(64);
    set_arg(fixed, 0, sizeof(mem), &mem);
    set_arg(fixed, 1, sizeof(mem), &mem);
    const size_t right[2] = {16, 4};
    CODE(CL_INVALID_WORK_GROUP_SIZE,
         clEnqueueNDRangeKernel(queue, fixed, 2, NULL, right, right, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, fixed, 2, NULL, right, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseKernel(fixed));
}

static void queries(cl_program program)
{
    char text[256];
    size_t sizes[3], count;
    cl_ulong qualifier;
    cl_uint space;
    cl_kernel kernel = kernel_of(program, "fixed");
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL));
    MUST(count == 3);
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(text), text, NULL));
    MUST(strstr(text, "ids") && strstr(text, "all") && strstr(text, "fixed"));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL));
    MUST(strcmp(text, "a") == 0);
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, NULL));
    MUST(strcmp(text, "int*") == 0);
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(qualifier), &qualifier,
                          NULL));
    MUST(qualifier == (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT));
    OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, NULL));
    MUST(space == CL_KERNEL_ARG_ADDRESS_GLOBAL);
    OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL));
    MUST(strcmp(text, "reqd_work_group_size(8,2,1)") == 0);
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(sizes),
                                sizes, NULL));
    MUST(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
    CODE(CL_INVALID_OPERATION, clBuildProgram(program, 1, &device, "", NULL, NULL));
    OK(clReleaseKernel(kernel));
    CODE(CL_INVALID_KERNEL, clReleaseKernel(kernel));
}

static void binaries(cl_program program)
{
    size_t size;
    cl_int code, status;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
    unsigned char *bytes = malloc(size), *const list = bytes;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(list), (void *)&list, NULL));
    cl_program again = clCreateProgramWithBinary(context, 1, &device, &size,
                                                 (const unsigned char **)&bytes, &status, &code);
    OK(code);
    OK(status);
    OK(clBuildProgram(again, 1, &device, NULL, NULL, NULL));
    arguments(again);
    ranges(again);
    OK(clReleaseProgram(again));
    bytes[3] ^= 1;
    MUST(!clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bytes,
                                    &status, &code));
    MUST(code == CL_INVALID_BINARY && status == CL_INVALID_BINARY);
    free(bytes);
}

static void separate(void)
{
    const char *one = "#include \"shared.h\"\nint twice(int x) { return 2 * x + ADD; }\n";
    const char *two = "int twice(int x);\n"
                      "kernel void k(global int *p) { p[get_global_id(0)] = twice(p[0]); }\n";
    const char *header = "#define ADD 5\n", *name = "shared.h", *bad = "kernel void k( {";
    cl_int code, value = 4;
    cl_program a = clCreateProgramWithSource(context, 1, &one, NULL, &code);
    cl_program b = clCreateProgramWithSource(context, 1, &two, NULL, &code);
    cl_program h = clCreateProgramWithSource(context, 1, &header, NULL, &code);
    cl_program w = clCreateProgramWithSource(context, 1, &bad, NULL, &code);
    OK(clCompileProgram(a, 1, &device, "", 1, &h, &name, NULL, NULL));
    OK(clCompileProgram(b, 1, &device, "", 0, NULL, NULL, NULL, NULL));
    CODE(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram(w, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_program library =
        clLinkProgram(context, 1, &device, "-create-library", 1, &a, NULL, NULL, &code);
    OK(code);
    cl_program inputs[] = {b, library};
    cl_program whole = clLinkProgram(context, 1, &device, "", 2, inputs, NULL, NULL, &code);
    OK(code);
    cl_kernel kernel = kernel_of(whole, "k");
    cl_mem mem = buffer_of(4);
    size_t one_item = 1;
    OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one_item, NULL, 0, NULL, NULL));
    read_all(mem, 4, &value);
    MUST(value == 13);
    char argument[8];
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(argument), argument, NULL));
    MUST(strcmp(argument, "p") == 0);
    MUST(!clLinkProgram(context, 1, &device, "-nonsense", 2, inputs, NULL, NULL, &code));
    MUST(code == CL_INVALID_LINKER_OPTIONS);
    cl_program alone = clLinkProgram(context, 1, &device, "", 1, &b, NULL, NULL, &code);
    MUST(code == CL_LINK_PROGRAM_FAILURE);
    if (alone)
        OK(clReleaseProgram(alone));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(mem));
    cl_program all[] = {a, b, h, w, library, whole};
    for (size_t i = 0; i < 6; i++)
        OK(clReleaseProgram(all[i]));
}

/* Groups at the upper edges are smaller, from OpenCL C 2.0 on. */
static void edges(void)
{
    const char *text =
        "kernel void k(global uint *out)\n"
        "{\n"
        "    size_t i = get_global_id(0) - get_global_offset(0);\n"
        "    size_t j = get_global_id(1) - get_global_offset(1);\n"
        "    global uint *o = out + 8 * (j * get_global_size(0) + i);\n"
        "    o[0] = get_local_size(0); o[1] = get_local_size(1); o[2] = get_group_id(0);\n"
        "    o[3] = get_num_groups(1); o[4] = get_enqueued_local_size(0); o[5] = get_local_id(0);\n"
        "    o[6] = get_global_size(1); o[7] = get_global_id(1);\n"
        "}\n";
    const size_t global[2] = {21, 10}, local[2] = {8, 4}, offset[2] = {3, 5};
    cl_uint out[210][8];
    cl_mem mem = buffer_of(sizeof(out));
    cl_program old = build(text, "-cl-std=CL1.2 -Dget_enqueued_local_size=get_local_size"),
               program = build(text, "-cl-std=CL3.0");
    cl_program uniform = build(text, "-cl-std=CL3.0 -cl-uniform-work-group-size");
    cl_program refusing[] = {old, uniform};
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = kernel_of(refusing[i], "k");
        set_arg(kernel, 0, sizeof(mem), &mem);
        CODE(CL_INVALID_WORK_GROUP_SIZE,
             clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(refusing[i]));
    }
    cl_kernel kernel = kernel_of(program, "k");
    set_arg(kernel, 0, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, NULL, NULL));
    read_all(mem, sizeof(out), out);
    for (size_t j = 0; j < 10; j++)
        for (size_t i = 0; i < 21; i++) {
            const cl_uint *o = out[j * 21 + i];
            MUST(o[0] == (i < 16 ? 8 : 5) && o[1] == (j < 8 ? 4 : 2));
            MUST(o[2] == i / 8 && o[3] == 3 && o[4] == 8 && o[5] == i % 8);
            MUST(o[6] == 10 && o[7] == j + 5);
        }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(mem));
}

static void wrong(void)
{
    const char *text = "kernel void k(global int *p) { p[0] = q; }\n";
    char log[1024];
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    MUST(!clCreateKernel(program, "k", &code) && code == CL_INVALID_PROGRAM_EXECUTABLE);
    CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
    MUST(strstr(log, ":1:") && strstr(log, "undeclared identifier 'q'"));
    CODE(CL_INVALID_BUILD_OPTIONS,
         clBuildProgram(program, 0, NULL, "-fplugin=/tmp/x.so", NULL, NULL));
    OK(clBuildProgram(program, 0, NULL, "-Dq=7 -I /nonexistent -cl-no-subgroup-ifp", NULL, NULL));
    MUST(!clCreateKernel(program, "none", &code) && code == CL_INVALID_KERNEL_NAME);
    OK(clReleaseProgram(program));
    CODE(CL_INVALID_PROGRAM, clReleaseProgram(program));
}

/* Local arguments are aligned to their types, whatever is in front of them. */
static void local_alignment(void)
{
    cl_program program = build("kernel void k(local char *a, local double16 *b, local int *c,\n"
                               "              local float8 *d, global ulong *r)\n"
                               "{ r[0] = (ulong)b; r[1] = (ulong)d; r[2] = __OPENCL_VERSION__; }\n",
                               NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem mem = buffer_of(3 * sizeof(cl_ulong));
    cl_ulong got[3];
    size_t one = 1;
    set_arg(kernel, 0, 1, NULL);
    set_arg(kernel, 1, 256, NULL);
    set_arg(kernel, 2, 4, NULL);
    set_arg(kernel, 3, 96, NULL);
    set_arg(kernel, 4, sizeof(mem), &mem);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    read_all(mem, sizeof(got), got);
    MUST(got[0] % 128 == 0 && got[1] % 32 == 0 && got[2] == 300);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Contexts and queues that are released once too often. */
static void released(void)
{
    cl_int code;
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    cl_command_queue second = clCreateCommandQueueWithProperties(other, device, NULL, &code);
    OK(code);
    OK(clRetainCommandQueue(second));
    OK(clReleaseCommandQueue(second));
    OK(clReleaseCommandQueue(second));
    CODE(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(second));
    OK(clReleaseContext(other));
    CODE(CL_INVALID_CONTEXT, clReleaseContext(other));
    CODE(CL_INVALID_CONTEXT, clRetainContext(other));
}

/* A program that was built without the option tells of its arguments, too, with no trace in the log. */
static void arguments_by_themselves(void)
{
    char name[32], type[32], before[256], after[256];
    cl_program program = build("#warning once\n"
                               "kernel void k(global const float4 *place, uint count) {}",
                               "");
    cl_kernel kernel = kernel_of(program, "k");
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(before), before, NULL));
    OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type, NULL));
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(after), after, NULL));
    MUST(strcmp(name, "count") == 0 && strcmp(type, "float4*") == 0 && strcmp(before, after) == 0);
    CODE(CL_INVALID_ARG_INDEX,
         clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(void)
{
    start();
    cl_program program = build(source, "-cl-kernel-arg-info");
    arguments(program);
    ranges(program);
    queries(program);
    arguments_by_themselves();
    binaries(program);
    separate();
    edges();
    wrong();
    local_alignment();
    released();
    OK(clReleaseProgram(program));
    finish();
    puts("right");
    return 0;
}
