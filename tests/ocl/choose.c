/* Chooses its device as some programs do: by a type and by a part of the name. Prints "right" and
 * what a kernel computed there; "none" when there is no such device.
 *
 *   choose gpu|cpu|accelerator TEXT */
#include "support.h"

static cl_device_type type_of(const char *name)
{
    if (strcmp(name, "gpu") == 0)
        return CL_DEVICE_TYPE_GPU;
    return strcmp(name, "cpu") == 0 ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ACCELERATOR;
}

static void square_here(void)
{
    cl_int code, seven = 7, result = 0;
    size_t one = 1;
    cl_program program = build("kernel void square(global int *to, int x) { *to = x * x; }", NULL);
    cl_kernel kernel = kernel_of(program, "square");
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_int), NULL, &code);
    OK(code);
    set_arg(kernel, 0, sizeof(mem), &mem);
    set_arg(kernel, 1, sizeof(seven), &seven);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_all(mem, sizeof(result), &result);
    printf("right, %d\n", result);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    char name[256];
    cl_device_type wanted, type;
    cl_int code;
    MUST(argc == 3);
    wanted = type_of(argv[1]);
    OK(clGetPlatformIDs(1, &platform, NULL));
    context = clCreateContextFromType(NULL, wanted, NULL, NULL, &code);
    if (!context) {
        MUST(code == CL_DEVICE_NOT_FOUND);
        CODE(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, wanted, 1, &device, NULL));
        printf("none\n");
        return 0;
    }
    OK(clGetDeviceIDs(platform, wanted, 1, &device, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL));
    MUST(type == wanted);
    if (!strstr(name, argv[2])) {
        printf("none\n");
        return 0;
    }
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    square_here();
    finish();
    return 0;
}
