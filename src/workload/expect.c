/* The verdict: whether all arrays are right, and an error for each that is wrong. */
#include "workload/host_internal.h"

#include <inttypes.h>
#include <stdarg.h>

void ww_array_wrong(ww_array *array, uint64_t index, double got, double want)
{
    if (array->wrong++)
        return;
    array->first = index;
    array->got = got;
    array->want = want;
}

void ww_expect(ww_host *host, bool holds, const char *format, ...)
{
    va_list args;
    if (holds)
        return;
    host->wrong = true;
    va_start(args, format);
    ww_vfail(host->errors, WW_FAILED, WW_NOWHERE, format, args);
    va_end(args);
}

void ww_array_vouch(ww_array *array)
{
    array->vouched = true;
}

static bool all_are_named(const ww_array *array)
{
    uint64_t indices = 0;
    for (uint64_t i = 0; i < array->named; i++)
        indices += ww_mix64(i + 1);
    return indices == array->indices;
}

/* Was every element named, and none twice? */
static int judge_names(ww_host *host, const ww_array *array)
{
    const char *name = array->buffer->name;
    uint64_t size = array->named_size, bytes = array->buffer->size;
    if (size & (size - 1))
        return ww_fail(host->errors, WW_FAILED, WW_NOWHERE,
                       "'%s' was checked in elements of several sizes (one is needed)", name);
    if (array->named * size != bytes)
        return ww_fail(host->errors, WW_FAILED, WW_NOWHERE,
                       "'%s' was checked in %" PRIu64 " of %" PRIu64 " bytes", name,
                       array->named * size, bytes);
    if (!all_are_named(array))
        return ww_fail(host->errors, WW_FAILED, WW_NOWHERE,
                       "'%s' was checked in some elements twice and in others not at all", name);
    return WW_OK;
}

static int judge_array(ww_host *host, const ww_array *array)
{
    const char *name = array->buffer->name;
    uint64_t size = array->buffer->size;
    if (array->role == WW_INPUT && ww_hash64(array->host, size, 0) != array->hash)
        return ww_fail(host->errors, WW_FAILED, WW_NOWHERE, "the input '%s' was overwritten", name);
    if (array->wrong)
        return ww_fail(host->errors, WW_FAILED, WW_NOWHERE,
                       "'%s' is wrong in %" PRIu64 " elements: [%" PRIu64 "] is %.9g (want %.9g)",
                       name, array->wrong, array->first, array->got, array->want);
    bool result = array->role == WW_OUTPUT || array->role == WW_INOUT;
    return result && !array->vouched ? judge_names(host, array) : WW_OK;
}

int ww_host_judge(ww_host *host)
{
    int status = host->wrong ? WW_FAILED : WW_OK;
    for (size_t i = 0; i < host->arrays.count; i++)
        status |= judge_array(host, host->arrays.items[i]);
    return status;
}
