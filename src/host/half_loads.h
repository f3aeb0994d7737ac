/* Loads of halves that become floats or doubles: for vectors of 16, LLVM (19) writes a load of 16
 * bits into wider registers and forgets the conversion. */
#ifndef WW_HOST_HALF_LOADS_H
#define WW_HOST_HALF_LOADS_H

/* PTX that converts them, with the same lines; the caller frees it. Takes `ptx` over. */
char *ww_half_loads_repair(char *ptx);

#endif
