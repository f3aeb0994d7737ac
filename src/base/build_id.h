/* Which build of the program runs: the linker's hash over all of it (the GNU build id of the
 * executable or the shared library that contains this function). Builds that differ in the model
 * have different ids, even with the same version. */
#ifndef WW_BASE_BUILD_ID_H
#define WW_BASE_BUILD_ID_H

#include "base/hash.h"

#include <stdbool.h>

/* Adds it to a hash; false when there is none. */
bool ww_build_id_add(ww_hash128 *hash);

#define WW_COMMIT_CHARS 41

/* The commit that the program was built from, with a '+' when the tree had changes; "unknown" when
 * there was none. It is no part of the build id: two commits may build the same program. */
void ww_build_commit(char text[WW_COMMIT_CHARS]);

#endif
