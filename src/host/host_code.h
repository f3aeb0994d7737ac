/* Host code in preprocessed CUDA C: found by the braces around an offset, and blanked.
 *
 * offset    a position in the text, in bytes
 * device    code with a __device__, __global__, __constant__ or __shared__ attribute: never removed
 * host      all other code. A statement of a function is removed by itself, a declaration as a
 *           whole; of a class only functions are removed, because device code may depend on its
 *           layout.
 * The text is read as tokens and brackets; it is not parsed. */
#ifndef WW_HOST_HOST_CODE_H
#define WW_HOST_HOST_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* The length up to the end of the line. Under sanitizers, the C library's functions would read the
 * whole text each time. */
static inline size_t ww_line_length(const char *text)
{
    size_t length = 0;
    while (text[length] && text[length] != '\n')
        length++;
    return length;
}

typedef struct ww_host_code ww_host_code;

/* Reads the text, which stays the caller's and must outlive the result. */
ww_host_code *ww_host_code_read(char *text);
void ww_host_code_destroy(ww_host_code *code);

bool ww_host_code_is_device(const ww_host_code *code, size_t offset);

/* Blanks the host code at an offset and keeps its line breaks: the statement, or with `whole` the
 * function around it. False when the offset is in device code or in no declaration. */
bool ww_host_code_remove(ww_host_code *code, size_t offset, bool whole);

#endif
