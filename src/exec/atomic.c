/* Atomics: lane after lane, lowest first; each lane reads what the one before wrote. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

#include <string.h>

/* Floating-point additions use the lane operators, so that only these define their rules: `a` and
 * `b` are lane 0 of two rows. */
static uint64_t add_float(const ww_uop *u, uint64_t a, uint64_t b)
{
    _Alignas(64) uint64_t d[16], x[16] = {a}, y[16] = {b};
    u->fn(d, x, y, y, 1, NULL);
    return u->bytes == 8 ? d[0] : (uint32_t)d[0];
}

static int64_t as_signed(uint64_t value, unsigned bytes)
{
    return bytes == 4 ? (int32_t)value : (int64_t)value;
}

static uint64_t combine(const ww_uop *u, uint64_t old, uint64_t b, uint64_t c)
{
    bool is_signed = ww_type_is_signed((ww_type)u->type);
    bool less = is_signed ? as_signed(b, u->bytes) < as_signed(old, u->bytes) : b < old;
    switch (u->combine) {
    case WW_COMBINE_ADD: return u->fn ? add_float(u, old, b) : old + b;
    case WW_COMBINE_MIN: return less ? b : old;
    case WW_COMBINE_MAX: return less || b == old ? old : b;
    case WW_COMBINE_AND: return old & b;
    case WW_COMBINE_OR: return old | b;
    case WW_COMBINE_XOR: return old ^ b;
    case WW_COMBINE_INC: return old >= b ? 0 : old + 1;
    case WW_COMBINE_DEC: return old == 0 || old > b ? b : old - 1;
    case WW_COMBINE_CAS: return old == b ? c : old;
    default: return b; /* exch */
    }
}

static uint64_t element(const void *row, int lane, const ww_uop *u)
{
    if (u->bytes == 8)
        return ((const uint64_t *)row)[lane];
    uint32_t value = ((const uint32_t *)row)[lane];
    return u->bytes == 2 ? (uint16_t)value : value;
}

/* Copies of sizes that the compiler knows are single instructions. */
static uint64_t load(const void *from, unsigned bytes)
{
    uint64_t value = 0;
    if (bytes == 8)
        memcpy(&value, from, 8);
    else if (bytes == 4)
        memcpy(&value, from, 4);
    else
        memcpy(&value, from, 2);
    return value;
}

static void store(void *to, uint64_t value, unsigned bytes)
{
    if (bytes == 8)
        memcpy(to, &value, 8);
    else if (bytes == 4)
        memcpy(to, &value, 4);
    else
        memcpy(to, &value, 2);
}

int ww_exec_atomic(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_hosts hosts;
    x->counters->atomics++;
    if (!ww_exec_addresses(x, w, u, lanes))
        return WW_OK;
    int status = ww_exec_resolve(x, w, u, true, &hosts);
    if (status != WW_OK)
        return status;
    const void *b = ww_row_at(x, w, u->b), *c = ww_row_at(x, w, u->c);
    bool wide = u->bytes == 8;
    ww_each_lane(lane, lanes) {
        void *host = (void *)(uintptr_t)(hosts.row[lane] + hosts.bias);
        uint64_t old = load(host, u->bytes);
        uint64_t fresh = combine(u, old, element(b, lane, u), element(c, lane, u));
        store(host, fresh, u->bytes);
        if (load(&fresh, u->bytes) != old)
            x->changed = true;
        if (wide)
            x->scratch[lane] = old;
        else
            ((uint32_t *)x->scratch)[lane] = (uint32_t)old;
    }
    ww_write_row(x, w, u->d, x->scratch, lanes, wide);
    return WW_OK;
}
