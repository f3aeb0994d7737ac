#include "support/variables.h"

#include <string.h>

const ww_buffer *variable_buffer(const ww_memory *memory, const char *name)
{
    const ww_buffer *const *buffers;
    for (size_t i = ww_memory_buffers(memory, &buffers); i > 0; i--)
        if (strcmp(buffers[i - 1]->name, name) == 0)
            return buffers[i - 1];
    return NULL;
}

uint64_t variable_address(const void *memory, const ww_variable *variable)
{
    const ww_buffer *buffer = variable_buffer(memory, variable->name);
    return buffer ? buffer->address : 0;
}
