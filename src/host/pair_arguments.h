/* Arguments of two bytes, char2 and uchar2: LLVM (19) loads four bytes where there are two, and
 * takes the halves of the word for the elements. */
#ifndef WW_HOST_PAIR_ARGUMENTS_H
#define WW_HOST_PAIR_ARGUMENTS_H

/* PTX that loads each byte of such arguments by itself, with the same lines; the caller frees it.
 * Takes `ptx` over. */
char *ww_pair_arguments_repair(char *ptx);

#endif
