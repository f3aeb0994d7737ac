#include "base/build_id.h"

#define COMMIT_BYTES 40 /* WW_COMMIT_BYTES of cmake/commit.cmake, which writes into the section */

/* Volatile: the build writes the commit after compilation, so the compiler must not assume the
 * text that is here now. */
__attribute__((section(".ww_commit"))) static const volatile char commit[COMMIT_BYTES] = "unknown";

void ww_build_commit(char text[WW_COMMIT_CHARS])
{
    size_t length = 0;
    while (length < COMMIT_BYTES && commit[length] > ' ') {
        text[length] = commit[length];
        length++;
    }
    text[length] = 0;
}
