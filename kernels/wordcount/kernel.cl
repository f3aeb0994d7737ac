/* Words of a text, sorted, and how often each comes. A task reads one block of the text byte by
 * byte, and puts a 0 after each word (kernels/mars.h). */
#include "../mars.h"

static int mars_compare(__global const char *a, __global const char *b)
{
    for (; *a != 0 && *b != 0 && *a == *b; a++)
        b++;
    return *a - *b;
}

#include "../mars_group.h"

#define LEAST_SIZE 7 /* of words that count, with the 0 after them */

typedef struct key {
    ulong text; /* its address */
} key;

typedef struct value {
    int offset, size; /* of the block; its last byte is no letter */
} value;

static bool is_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Ends the word that begins there, which may have no letters; the offset after its 0. */
static int end_word(__global char *text, int at)
{
    while (is_letter(text[at]))
        at++;
    text[at] = 0;
    return at + 1;
}

static int find_word(__global const char *text, int at, int end)
{
    while (at < end && !is_letter(text[at]))
        at++;
    return at;
}

__kernel void wordcount_count(__global const char *keys, __global const char *values,
                              __global const int4 *index, __global int *key_sizes,
                              __global int *value_sizes, __global int *counts, int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    __global const key *k = (__global const key *)(keys + entry.x);
    __global const value *v = (__global const value *)(values + entry.z);
    __global char *text = (__global char *)k->text;
    int end = v->offset + v->size;
    for (int start = v->offset; start < end;) {
        int at = end_word(text, start);
        if (at - start >= LEAST_SIZE)
            mars_count(task, at - start, sizeof(int), key_sizes, value_sizes, counts);
        start = find_word(text, at, end);
    }
}

/* Emits each word and its size. */
__kernel void wordcount_map(__global const char *keys, __global const char *values,
                            __global const int4 *index, MARS_OUTPUT, __local int *buffers,
                            int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    __global const key *k = (__global const key *)(keys + entry.x);
    __global const value *v = (__global const value *)(values + entry.z);
    __global char *text = (__global char *)k->text;
    int end = v->offset + v->size;
    mars_task t = MARS_TASK(task);
    __local int *buffer = buffers + 5 * get_local_id(0);
    for (int start = v->offset; start < end;) {
        int at = end_word(text, start);
        buffer[0] = at - start;
        if (at - start >= LEAST_SIZE)
            mars_emit_text(&t, text + start, buffer, at - start, sizeof(int));
        start = find_word(text, at, end);
    }
}
