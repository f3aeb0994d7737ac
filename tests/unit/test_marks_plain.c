/* Likewise, of hosts without SSE2. */
#define WW_MARKS_PLAIN
#include "test_marks.c"
