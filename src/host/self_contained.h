/* Whether what a compiler reads is the source's own text and nothing else. */
#ifndef WW_HOST_SELF_CONTAINED_H
#define WW_HOST_SELF_CONTAINED_H

#include <stdbool.h>

/* False when the text could include another file, ask for one, or depend on the time. It may return
 * false needlessly: a directive in a comment counts. */
bool ww_is_self_contained(const char *text);

#endif
