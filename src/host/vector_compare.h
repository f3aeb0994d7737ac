/* Comparisons of vectors of halves and of short integers (a == b of half2, a < b of short2): LLVM
 * (19) cannot always select instructions for them and stops. */
#ifndef WW_HOST_VECTOR_COMPARE_H
#define WW_HOST_VECTOR_COMPARE_H

#include <stdbool.h>

bool ww_vector_compare_stops(const char *messages); /* whether clang's messages are about them */

/* LLVM's IR, as text, that makes such comparisons with floats and ints, which has the same results;
 * the caller frees it. */
char *ww_vector_compare_widen(const char *ir);

#endif
