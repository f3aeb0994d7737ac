/* Buffers: flags, sub-buffers, maps, fills, copies, blocks. */
#include "support.h"

#define N 256

static void copies_and_fills(void)
{
    int values[N], back[N];
    const int pattern[2] = {7, 8};
    cl_mem a = buffer_of(sizeof(values)), b = buffer_of(sizeof(values));
    for (int i = 0; i < N; i++)
        values[i] = i;
    OK(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, sizeof(values), values, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, b, pattern, sizeof(pattern), 0, sizeof(values), 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, a, b, 16, 64, 32, 0, NULL, NULL));
    read_all(b, sizeof(back), back);
    for (int i = 0; i < N; i++)
        MUST(back[i] == (i >= 16 && i < 24 ? i - 16 + 4 : pattern[i % 2]));
    CODE(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, a, a, 0, 16, 32, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, a, a, 0, 32, 32, 0, NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

/* A fill that is longer than any copy the driver makes of it, and starts and ends inside. */
static void long_fill(void)
{
    const unsigned char pattern[4] = {1, 2, 3, 4}, none = 0;
    size_t size = 300 << 10, first = 8, count = size - 20;
    unsigned char *back = malloc(size);
    cl_mem mem = buffer_of(size);
    MUST(back);
    OK(clEnqueueFillBuffer(queue, mem, &none, 1, 0, size, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, mem, pattern, 4, first, count, 0, NULL, NULL));
    read_all(mem, size, back);
    for (size_t i = 0; i < size; i++)
        MUST(back[i] == (i >= first && i < first + count ? pattern[i % 4] : 0));
    free(back);
    OK(clReleaseMemObject(mem));
}

static void blocks(void)
{
    unsigned char whole[8 * 8 * 4], part[3 * 3 * 2], back[sizeof(whole)];
    const size_t origin[3] = {2, 1, 1}, zero[3] = {0, 0, 0}, region[3] = {3, 3, 2};
    const size_t near[3] = {3, 1, 1}, far[3] = {5, 4, 1};
    cl_mem mem = buffer_of(sizeof(whole));
    for (size_t i = 0; i < sizeof(whole); i++)
        whole[i] = (unsigned char)i;
    OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, sizeof(whole), whole, 0, NULL, NULL));
    OK(clEnqueueReadBufferRect(queue, mem, CL_TRUE, origin, zero, region, 8, 64, 3, 9, part, 0,
                               NULL, NULL));
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 3; y++)
            for (size_t x = 0; x < 3; x++)
                MUST(part[z * 9 + y * 3 + x] == whole[(z + 1) * 64 + (y + 1) * 8 + x + 2]);
    memset(part, 200, sizeof(part));
    OK(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, origin, zero, region, 8, 64, 0, 0, part, 0,
                                NULL, NULL));
    CODE(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(queue, mem, mem, origin, near, region, 8, 64,
                                                      8, 64, 0, NULL, NULL));
    OK(clEnqueueCopyBufferRect(queue, mem, mem, origin, far, region, 8, 64, 8, 64, 0, NULL, NULL));
    read_all(mem, sizeof(back), back);
    for (size_t i = 0; i < sizeof(whole); i++) {
        size_t x = i % 8, y = i / 8 % 8, z = i / 64;
        int in = z >= 1 && z < 3 &&
                 ((x >= 2 && x < 5 && y >= 1 && y < 4) || (x >= 5 && x < 8 && y >= 4 && y < 7));
        MUST(back[i] == (in ? 200 : whole[i]));
    }
    OK(clReleaseMemObject(mem));
}

/* Whether blocks share a byte, byte by byte. */
static int blocks_meet(const size_t *a, const size_t *b, const size_t *region, size_t row,
                       size_t slice)
{
    char used[4096] = {0};
    int meet = 0;
    for (int second = 0; second < 2; second++)
        for (size_t i = 0; i < region[0] * region[1] * region[2]; i++) {
            const size_t *origin = second ? b : a;
            size_t x = i % region[0], y = i / region[0] % region[1], z = i / region[0] / region[1];
            char *byte = &used[(origin[2] + z) * slice + (origin[1] + y) * row + origin[0] + x];
            meet |= second && *byte;
            *byte |= !second;
        }
    return meet;
}

/* Copies inside of a buffer are refused exactly when the blocks meet. */
static void copies_of_blocks(void)
{
    cl_mem mem = buffer_of(200000);
    int refused = 0;
    unsigned random = 1;
    for (int i = 0; i < 3000; i++) {
        size_t v[11];
        for (int k = 0; k < 11; k++)
            v[k] = (random = random * 1103515245 + 12345) >> 16 & 7;
        const size_t region[3] = {1 + v[0] % 4, 1 + v[1] % 4, 1 + v[2] % 4};
        size_t row = region[0] + v[9] / 2, slice = row * (region[1] + v[10] / 2);
        int meet = blocks_meet(v + 3, v + 6, region, row, slice);
        CODE(meet ? CL_MEM_COPY_OVERLAP : CL_SUCCESS,
             clEnqueueCopyBufferRect(queue, mem, mem, v + 3, v + 6, region, row, slice, row, slice,
                                     0, NULL, NULL));
        refused += meet;
    }
    MUST(refused > 300 && refused < 2700);
    /* Pitches of 0 are those of the region, and not of what the program thinks the buffer is. */
    const size_t from[3] = {105, 10, 32}, to[3] = {421, 44, 25}, region[3] = {111, 20, 7};
    CODE(CL_MEM_COPY_OVERLAP,
         clEnqueueCopyBufferRect(queue, mem, mem, from, to, region, 0, 0, 0, 0, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
}

static void maps(void)
{
    cl_int code;
    cl_uint count;
    static int values[N];
    cl_mem own = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(values), values, &code);
    OK(code);
    int *p = clEnqueueMapBuffer(queue, own, CL_TRUE, CL_MAP_WRITE, 64, 64, 0, NULL, NULL, &code);
    OK(code);
    MUST(p == values + 16);
    p[0] = 1234;
    OK(clGetMemObjectInfo(own, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL));
    MUST(count == 1);
    OK(clEnqueueUnmapMemObject(queue, own, p, 0, NULL, NULL));
    CODE(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, own, p, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, own, CL_TRUE, 64, sizeof(code), &code, 0, NULL, NULL));
    MUST(code == 1234);
    cl_mem hidden = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 64, NULL, &code);
    OK(code);
    MUST(!clEnqueueMapBuffer(queue, hidden, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &code));
    MUST(code == CL_INVALID_OPERATION);
    CODE(CL_INVALID_OPERATION,
         clEnqueueReadBuffer(queue, hidden, CL_TRUE, 0, 4, &code, 0, NULL, NULL));
    OK(clReleaseMemObject(hidden));
    OK(clReleaseMemObject(own));
}

static void sub_buffers(void)
{
    cl_int code;
    int value = 5, back = 0;
    size_t offset;
    cl_mem parent = buffer_of(1024), other;
    cl_buffer_region region = {256, 128};
    cl_mem sub = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    OK(clEnqueueWriteBuffer(queue, sub, CL_TRUE, 4, 4, &value, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, parent, CL_TRUE, 260, 4, &back, 0, NULL, NULL));
    MUST(back == 5);
    OK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof(offset), &offset, NULL));
    MUST(offset == 256);
    OK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(other), &other, NULL));
    MUST(other == parent);
    MUST(!clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    MUST(code == CL_INVALID_MEM_OBJECT);
    region.origin = 4;
    MUST(!clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    MUST(code == CL_MISALIGNED_SUB_BUFFER_OFFSET);
    region = (cl_buffer_region){1024 - 128, 256};
    MUST(!clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    MUST(code == CL_INVALID_VALUE);
    OK(clReleaseMemObject(parent)); /* the sub-buffer keeps it */
    OK(clEnqueueReadBuffer(queue, sub, CL_TRUE, 4, 4, &back, 0, NULL, NULL));
    OK(clReleaseMemObject(sub));
}

static void wrong(void)
{
    cl_int code;
    char bytes[16] = {0};
    MUST(!clCreateBuffer(NULL, 0, 16, NULL, &code) && code == CL_INVALID_CONTEXT);
    MUST(!clCreateBuffer(context, 0, 0, NULL, &code) && code == CL_INVALID_BUFFER_SIZE);
    MUST(!clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &code) &&
         code == CL_INVALID_VALUE);
    MUST(!clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, NULL, &code) &&
         code == CL_INVALID_HOST_PTR);
    MUST(!clCreateBuffer(context, 0, 16, bytes, &code) && code == CL_INVALID_HOST_PTR);
    cl_mem mem = buffer_of(16);
    CODE(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, mem, CL_TRUE, 8, 9, bytes, 0, NULL, NULL));
    CODE(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    CODE(CL_INVALID_EVENT_WAIT_LIST,
         clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, bytes, 1, NULL, NULL));
    CODE(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, mem, bytes, 3, 0, 12, 0, NULL, NULL));
    CODE(CL_INVALID_VALUE, clGetMemObjectInfo(mem, 0x7fff, 8, bytes, NULL));
    CODE(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_MEM_SIZE, 4, bytes, NULL));
    OK(clRetainMemObject(mem));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(mem));
    CODE(CL_INVALID_MEM_OBJECT, clReleaseMemObject(mem)); /* once too often */
    CODE(CL_INVALID_MEM_OBJECT, clReleaseMemObject((cl_mem)(void *)queue));
}

int main(void)
{
    start();
    copies_and_fills();
    long_fill();
    blocks();
    copies_of_blocks();
    maps();
    sub_buffers();
    wrong();
    finish();
    puts("right");
    return 0;
}
