/* Whether a source's text alone decides what a compiler sees of it. */
#ifndef WW_HOST_SELF_CONTAINED_H
#define WW_HOST_SELF_CONTAINED_H

#include <stdbool.h>

/* False when the text could include another file, ask for one, or depend on the time. It may err on
 * the careful side: the word in a comment counts. */
bool ww_is_self_contained(const char *text);

#endif
