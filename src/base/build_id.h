/* Which build of the program runs: the linker's hash over all of it (the GNU build id of the executable or the
 * shared library that this function is in). Another model has another one, whatever its version says. */
#ifndef WW_BASE_BUILD_ID_H
#define WW_BASE_BUILD_ID_H

#include "base/hash.h"

#include <stdbool.h>

/* Adds it to a hash; false when there is none. */
bool ww_build_id_add(ww_hash128 *hash);

#endif
