/* Arguments of two bytes, char2 and uchar2: LLVM (19) loads four bytes where there are two, and
 * takes the halves of the word for the elements. Calls that pass or return them are wrong or stop
 * it. */
#ifndef WW_HOST_PAIR_ARGUMENTS_H
#define WW_HOST_PAIR_ARGUMENTS_H

#include <stdbool.h>

/* PTX that loads each byte of such arguments by itself, with the same lines; the caller frees it.
 * Takes `ptx` over. */
char *ww_pair_arguments_repair(char *ptx);

bool ww_pair_arguments_have_calls(const char *ptx); /* whether a call passes or returns them */
bool ww_pair_arguments_stop(const char *messages);  /* whether clang's messages are about them */

#endif
