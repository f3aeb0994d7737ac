/* Functions of OpenCL C's library in LLVM's bitcode.
 *
 * symbol   "_Z3sinDv2_f": what the compiler calls sin(float2)
 * name     "sin": what a source calls it
 * Bitcode holds its symbols one after the other, without what separates them; so a symbol can be
 * missed, or one be found that there is not. */
#ifndef WW_HOST_LIBRARY_SYMBOLS_H
#define WW_HOST_LIBRARY_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

/* Both parts are within the bytes. */
typedef struct ww_library_symbol {
    const char *text, *name;
    size_t length, name_length;
} ww_library_symbol;

/* The next symbol from *at on, which is moved behind it; false at the end. */
bool ww_library_symbol_next(const char *bytes, size_t count, size_t *at, ww_library_symbol *symbol);

/* Of the names, each ending with a line end, those that are words of a text: marks them in
 * `used`, one for each name. */
void ww_library_names_mark(const char *names, const char *text, bool *used);

/* Whether PTX calls functions that it does not have, other than printf. */
bool ww_ptx_lacks_functions(const char *ptx);

#endif
