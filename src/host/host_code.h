/* Host code in preprocessed CUDA C: found by the braces around a place, and blanked.
 *
 * place     an offset in the text
 * device    code with a __device__, __global__, __constant__ or __shared__ attribute: never removed
 * host      all other code. A statement of a function goes alone, a declaration as a whole; of a
 *           class only functions go alone, because its layout may matter to device code.
 * The text is read as tokens and brackets; it is not parsed. */
#ifndef WW_HOST_HOST_CODE_H
#define WW_HOST_HOST_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* Up to the end of the line. The C library's functions, when sanitizers check them, look at all of the text each time. */
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

bool ww_host_code_is_device(const ww_host_code *code, size_t place);

/* Blanks the host code at a place, lines kept: the statement, or with `whole` the function around
 * it. False when the place is in device code or outside of everything. */
bool ww_host_code_remove(ww_host_code *code, size_t place, bool whole);

#endif
