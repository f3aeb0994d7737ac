/* The host side of a workload while it runs: sizes, arrays, launches, and what was expected.
 *
 * host      one run of one workload on one device
 * array     a buffer of the device with its element size and what it is for
 * role      input: copied in, never written by a kernel (a changed byte fails the run);
 *           output: copied out at the end; inout: both; scratch: neither
 * expected  verify names the right value of each element, in any order; every element of every
 *           output and inout array has to be named once, or the run is not verified
 * The first failure is remembered; after it launches do nothing and reads give 0, so that loops
 * which wait for a flag end. */
#ifndef WW_WORKLOAD_HOST_H
#define WW_WORKLOAD_HOST_H

#include "base/hash.h"
#include "host/device.h"

#include <math.h>
#include <string.h>

typedef struct ww_host ww_host;

typedef enum ww_role { WW_INPUT, WW_OUTPUT, WW_INOUT, WW_SCRATCH } ww_role;

typedef struct ww_array {
    const ww_buffer *buffer;
    void *host; /* the values, for fill and verify */
    ww_role role;
    uint64_t stream;   /* of its random values */
    uint64_t hash;     /* of an input's bytes */
    uint64_t named;    /* elements whose right value was named */
    uint64_t indices;  /* of them: a sum of ww_mix64, the same in any order */
    size_t named_size; /* bytes of each; several sizes or-ed together */
    bool vouched;      /* complete without names */
    uint64_t wrong;    /* elements */
    uint64_t first;    /* index of the first wrong one */
    double got, want;  /* of it */
} ww_array;

/* ---- what the user asked for ---- */

/* A number, or the index of a choice. A name that is not in the workload's table fails the run; the
 * value is then 1, which can be divided by. */
uint64_t ww_host_number(ww_host *host, const char *parameter);
const char *ww_host_word(ww_host *host, const char *parameter);
uint64_t ww_host_seed(const ww_host *host);
/* Refuses the size: "n is 100 (a multiple of 16 is needed)". */
void ww_host_refuse(ww_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Readers add their errors here; ww_host_fail then makes the run fail with their status. */
ww_errors *ww_host_errors(ww_host *host);
void ww_host_fail(ww_host *host, int status);
bool ww_host_ok(const ww_host *host);

/* ---- memory ---- */

/* A zeroed array of `count` elements of `size` bytes. */
ww_array *ww_host_array(ww_host *host, const char *name, ww_role role, size_t size, uint64_t count);
/* Where the array's pages should be, as cudaMemAdvise says it. It replaces what the workload said
 * before; the user's hints override it. `prefetch` stays as it is. */
void ww_host_advise(ww_host *host, ww_array *array, ww_buffer_hints hints);
/* The array's pages move to the GPU before the next launch, as by cudaMemPrefetchAsync. */
void ww_host_prefetch(ww_host *host, ww_array *array);
/* Host memory of the workload's own, zeroed; freed at the end of the run. */
void *ww_host_alloc(ww_host *host, uint64_t count, size_t size);

/* Random values of an array: a function of the run's seed, the array's name and the index, the same
 * on every machine, so that verify can make them again without a copy. */
static inline uint64_t ww_random_u64(const ww_array *array, uint64_t index)
{
    return ww_mix64(array->stream + index * 0x9e3779b97f4a7c15u);
}

/* Uniform in [low, high), from 24 random bits. */
static inline float ww_random_f32(const ww_array *array, uint64_t index, float low, float high)
{
    float unit = (float)(ww_random_u64(array, index) >> 40) * 0x1p-24f;
    return low + (high - low) * unit;
}

static inline double ww_random_f64(const ww_array *array, uint64_t index, double low, double high)
{
    double unit = (double)(ww_random_u64(array, index) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

/* Uniform in [0, bound); bound is at most 2^32. */
static inline uint32_t ww_random_below(const ww_array *array, uint64_t index, uint64_t bound)
{
    return (uint32_t)(((ww_random_u64(array, index) >> 32) * bound) >> 32);
}

/* Fills the whole array with ww_random_f32. */
void ww_host_fill_f32(ww_array *array, float low, float high);

/* ---- launches ---- */

typedef struct ww_arg {
    enum { WW_ARG_ARRAY, WW_ARG_VALUE, WW_ARG_LOCAL } kind;
    uint32_t size;         /* bytes of a value */
    uint64_t bits;         /* a value, or bytes of local memory */
    const ww_array *array; /* of WW_ARG_ARRAY */
} ww_arg;

static inline ww_arg ww_mem(const ww_array *array)
{
    return (ww_arg){WW_ARG_ARRAY, 8, 0, array};
}

static inline ww_arg ww_local(uint64_t bytes)
{
    return (ww_arg){WW_ARG_LOCAL, 8, bytes, NULL};
}

/* For `int` and `uint` parameters. */
static inline ww_arg ww_u32(uint64_t value)
{
    return (ww_arg){WW_ARG_VALUE, 4, (uint32_t)value, NULL};
}

static inline ww_arg ww_u64(uint64_t value)
{
    return (ww_arg){WW_ARG_VALUE, 8, value, NULL};
}

static inline ww_arg ww_f32(float value)
{
    ww_arg arg = {WW_ARG_VALUE, 4, 0, NULL};
    memcpy(&arg.bits, &value, sizeof(value));
    return arg;
}

static inline ww_arg ww_f64(double value)
{
    ww_arg arg = {WW_ARG_VALUE, 8, 0, NULL};
    memcpy(&arg.bits, &value, sizeof(value));
    return arg;
}

/* A grid of at least `items` work-items in groups of `group`, rounded up to whole groups. */
typedef struct ww_range {
    uint64_t items[3];
    uint64_t group[3];
    uint32_t dims;
} ww_range;

static inline ww_range ww_range1(uint64_t items, uint64_t group)
{
    return (ww_range){{items, 1, 1}, {group, 1, 1}, 1};
}

static inline ww_range ww_range2(uint64_t x, uint64_t y, uint64_t group_x, uint64_t group_y)
{
    return (ww_range){{x, y, 1}, {group_x, group_y, 1}, 2};
}

/* ww_host_launch(host, "entry", range, arguments...) */
#define ww_host_launch(host, entry, range, ...)                                  \
    ww_host_launch_with((host), (entry), (range), (const ww_arg[]){__VA_ARGS__}, \
                        sizeof((const ww_arg[]){__VA_ARGS__}) / sizeof(ww_arg))
void ww_host_launch_with(ww_host *host, const char *entry, ww_range range, const ww_arg *args,
                         size_t count);

/* One element of 4 bytes, copied between host and device while the program runs. */
uint32_t ww_host_read_u32(ww_host *host, const ww_array *array, uint64_t index);
void ww_host_write_u32(ww_host *host, ww_array *array, uint64_t index, uint32_t value);
float ww_host_read_f32(ww_host *host, const ww_array *array, uint64_t index);
void ww_host_write_f32(ww_host *host, ww_array *array, uint64_t index, float value);
/* A range of elements of `size` bytes, to or from host memory. */
void ww_host_read(ww_host *host, const ww_array *array, uint64_t first, uint64_t count, size_t size,
                  void *values);
void ww_host_write(ww_host *host, ww_array *array, uint64_t first, uint64_t count, size_t size,
                   const void *values);

/* ---- what is right ---- */

void ww_array_wrong(ww_array *array, uint64_t index, double got, double want);

/* Notes that verify named this element, of `size` bytes (one size for all of an array). */
static inline void ww_array_name(ww_array *array, uint64_t index, size_t size)
{
    array->named++;
    array->indices += ww_mix64(index + 1);
    array->named_size |= size;
}

/* The element is within `slack` of `want`. Written so that a NaN is wrong. */
static inline void ww_expect_f32(ww_array *array, uint64_t index, double want, double slack)
{
    double got = ((const float *)array->host)[index];
    ww_array_name(array, index, sizeof(float));
    if (!(fabs(got - want) <= slack))
        ww_array_wrong(array, index, got, want);
}

static inline void ww_expect_f64(ww_array *array, uint64_t index, double want, double slack)
{
    double got = ((const double *)array->host)[index];
    ww_array_name(array, index, sizeof(double));
    if (!(fabs(got - want) <= slack))
        ww_array_wrong(array, index, got, want);
}

static inline void ww_expect_u32(ww_array *array, uint64_t index, uint32_t want)
{
    uint32_t got = ((const uint32_t *)array->host)[index];
    ww_array_name(array, index, sizeof(uint32_t));
    if (got != want)
        ww_array_wrong(array, index, got, want);
}

static inline void ww_expect_i32(ww_array *array, uint64_t index, int32_t want)
{
    int32_t got = ((const int32_t *)array->host)[index];
    ww_array_name(array, index, sizeof(int32_t));
    if (got != want)
        ww_array_wrong(array, index, got, want);
}

static inline void ww_expect_u8(ww_array *array, uint64_t index, uint8_t want)
{
    uint8_t got = ((const uint8_t *)array->host)[index];
    ww_array_name(array, index, sizeof(uint8_t));
    if (got != want)
        ww_array_wrong(array, index, got, want);
}

static inline void ww_expect_u64(ww_array *array, uint64_t index, uint64_t want)
{
    uint64_t got = ((const uint64_t *)array->host)[index];
    ww_array_name(array, index, sizeof(uint64_t));
    if (got != want)
        ww_array_wrong(array, index, (double)got, (double)want);
}

/* How far a sum of `terms` products in single precision, in any order, may be from the exact one:
 * `magnitude` is the sum of the terms' absolute values. */
static inline double ww_sum_slack(uint64_t terms, double magnitude)
{
    return (double)(terms + 2) * 0x1p-24 * fabs(magnitude);
}

/* A property that has no element of its own; what is wrong, when it does not hold. For an array
 * that is verified by properties, ww_array_vouch says that it is complete. */
void ww_expect(ww_host *host, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ww_array_vouch(ww_array *array);

#endif
