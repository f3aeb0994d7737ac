/* Variables with vectors of three elements (float3, char3): OpenCL C gives each the bytes of four,
 * which the code reads and writes; LLVM (19) writes out three, and what follows in an array or a
 * structure is in the wrong place. */
#ifndef WW_HOST_TRIPLE_VARIABLES_H
#define WW_HOST_TRIPLE_VARIABLES_H

#include <stdbool.h>

/* Whether PTX has variables that may be wrong; only the IR says of what type they are. */
bool ww_triple_variables_are_possible(const char *ptx);
/* IR in which such variables have four elements; the caller frees it. NULL when there are none. */
char *ww_triple_variables_widen(const char *ir);

#endif
