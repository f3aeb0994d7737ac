/* Which build of the program runs: the linker's hash over all of it (the GNU build id of the executable or the
 * shared library that this function is in). Another model has another one, whatever its version says. */
#ifndef WW_BASE_BUILD_ID_H
#define WW_BASE_BUILD_ID_H

#include "base/hash.h"

#include <stdbool.h>

/* Adds it to a hash; false when there is none. */
bool ww_build_id_add(ww_hash128 *hash);

#define WW_COMMIT_CHARS 41

/* The commit that the program was built from, "unknown" when there was none; a '+' behind it: with changes. It is no
 * part of the build id: another commit may well be the same program. */
void ww_build_commit(char text[WW_COMMIT_CHARS]);

#endif
