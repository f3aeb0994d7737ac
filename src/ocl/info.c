/* Answers to queries. */
#include "ocl/ocl.h"

#include <string.h>

cl_int ww_cl_give(const ww_cl_answer *answer, const void *value, size_t size)
{
    if (answer->value && answer->room < size)
        return CL_INVALID_VALUE;
    if (answer->value && size)
        memcpy(answer->value, value, size);
    if (answer->size)
        *answer->size = size;
    return CL_SUCCESS;
}

cl_int ww_cl_give_text(const ww_cl_answer *answer, const char *text)
{
    return ww_cl_give(answer, text, strlen(text) + 1);
}

cl_int ww_cl_give_uint(const ww_cl_answer *answer, cl_uint value)
{
    return ww_cl_give(answer, &value, sizeof(value));
}

cl_int ww_cl_give_ulong(const ww_cl_answer *answer, cl_ulong value)
{
    return ww_cl_give(answer, &value, sizeof(value));
}

cl_int ww_cl_give_size(const ww_cl_answer *answer, size_t value)
{
    return ww_cl_give(answer, &value, sizeof(value));
}

cl_int ww_cl_give_bool(const ww_cl_answer *answer, bool value)
{
    return ww_cl_give_uint(answer, value ? CL_TRUE : CL_FALSE);
}

cl_int ww_cl_give_handle(const ww_cl_answer *answer, const void *handle)
{
    return ww_cl_give(answer, &handle, sizeof(handle));
}

void *ww_cl_none(cl_int *code, cl_int error)
{
    if (code)
        *code = error;
    return NULL;
}
