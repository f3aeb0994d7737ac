/* Lines of a text that are equal to a keyword. A task reads one block of lines byte by byte
 * (kernels/mars.h). */
#include "../mars.h"

typedef struct key {
    ulong text, keyword; /* addresses */
} key;

typedef struct value {
    int keyword_size; /* with the 0 at its end */
    int offset, size; /* of the block */
} __attribute__((aligned(16))) value;

/* The offset after the line that begins there. */
static int after_line(__global const char *text, int at)
{
    while (text[at] != '\n')
        at++;
    return at + 1;
}

/* A line as long as the keyword. */
static bool is_keyword(__global const char *line, __global const char *keyword)
{
    while (*line == *keyword && *keyword != 0) {
        line++;
        keyword++;
    }
    return *line == '\n';
}

__kernel void stringmatch_count(__global const char *keys, __global const char *values,
                                __global const int4 *index, __global int *key_sizes,
                                __global int *value_sizes, __global int *counts, int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    __global const key *k = (__global const key *)(keys + entry.x);
    __global const value *v = (__global const value *)(values + entry.z);
    __global const char *text = (__global const char *)k->text;
    __global const char *keyword = (__global const char *)k->keyword;
    int keyword_size = v->keyword_size, end = v->offset + v->size;
    for (int start = v->offset, at; start < end; start = at) {
        at = after_line(text, start);
        if (at - start == keyword_size && is_keyword(text + start, keyword))
            mars_count(task, sizeof(int), sizeof(int), key_sizes, value_sizes, counts);
    }
}

/* Emits where each of the lines is, and its size. */
__kernel void stringmatch_map(__global const char *keys, __global const char *values,
                              __global const int4 *index, MARS_OUTPUT, __local int *buffers,
                              int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    __global const key *k = (__global const key *)(keys + entry.x);
    __global const value *v = (__global const value *)(values + entry.z);
    __global const char *text = (__global const char *)k->text;
    __global const char *keyword = (__global const char *)k->keyword;
    int keyword_size = v->keyword_size, end = v->offset + v->size;
    mars_task t = MARS_TASK(task);
    __local int *buffer = buffers + 5 * get_local_id(0);
    for (int start = v->offset, at; start < end; start = at) {
        at = after_line(text, start);
        if (at - start == keyword_size && is_keyword(text + start, keyword)) {
            buffer[0] = start;
            buffer[1] = at - start;
            mars_emit(&t, buffer, buffer + 1, sizeof(int), sizeof(int));
        }
    }
}
