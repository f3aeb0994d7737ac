/* Where a module's variables are in memory, once a program has put them there. */
#ifndef WW_TESTS_VARIABLES_H
#define WW_TESTS_VARIABLES_H

#include "exec/memory.h"
#include "ptx/module.h"

/* The youngest buffer of that name, or NULL. */
const ww_buffer *variable_buffer(const ww_memory *memory, const char *name);
/* For ww_kernel_create: the context is the memory. */
uint64_t variable_address(const void *memory, const ww_variable *variable);

#endif
