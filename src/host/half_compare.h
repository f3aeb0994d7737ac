/* Comparisons of vectors of halves (a == b of half2): LLVM (19) cannot always select instructions
 * for them and stops. */
#ifndef WW_HOST_HALF_COMPARE_H
#define WW_HOST_HALF_COMPARE_H

#include <stdbool.h>

bool ww_half_compare_stops(const char *messages); /* whether clang's messages are about them */

/* LLVM's IR, as text, that makes such comparisons with floats, which has the same results; the
 * caller frees it. */
char *ww_half_compare_widen(const char *ir);

#endif
