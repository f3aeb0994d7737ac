/* Memory instructions of one work-item. */
#include "support/scalar_state.h"

#include <string.h>

static uint8_t *inside(uint8_t *bytes, uint64_t size, uint64_t at, unsigned count)
{
    return at <= size && size - at >= count ? bytes + at : NULL;
}

/* Where an address is on the host; NULL when it is nowhere. */
static uint8_t *host_of(const scalar_group *g, const scalar_item *item, unsigned space,
                        uint64_t address, unsigned count, bool write)
{
    const ww_buffer *buffer;
    if (address % count)
        return NULL;
    if (space == WW_SPACE_GENERIC) {
        unsigned window = (unsigned)(address / WW_WINDOW_BYTES);
        if (window == WW_SHARED_WINDOW / WW_WINDOW_BYTES)
            return host_of(g, item, WW_SPACE_SHARED, address - WW_SHARED_WINDOW, count, write);
        if (window == WW_LOCAL_WINDOW / WW_WINDOW_BYTES)
            return host_of(g, item, WW_SPACE_LOCAL, address - WW_LOCAL_WINDOW, count, write);
        space = window == WW_PARAM_WINDOW / WW_WINDOW_BYTES ? WW_SPACE_PARAM : WW_SPACE_GLOBAL;
    }
    switch (space) {
    case WW_SPACE_SHARED: return inside(g->shared, g->shared_bytes, address, count);
    case WW_SPACE_LOCAL: return inside(item->local, g->kernel->local_bytes, address, count);
    case WW_SPACE_PARAM:
        return write ? NULL
                     : inside((uint8_t *)(uintptr_t)g->launch->params,
                              g->kernel->entry->param_bytes, address - WW_PARAM_WINDOW, count);
    default:
        buffer = ww_memory_find(g->memory, address, count);
        return buffer && !(write && buffer->read_only) ? buffer->host + (address - buffer->address)
                                                       : NULL;
    }
}

static uint64_t address_of(const scalar_group *g, const scalar_item *item, ww_slot base,
                           int64_t offset, unsigned flags)
{
    uint64_t address = (uint64_t)offset;
    if (flags & WW_UOP_FRAME)
        address += item->top->frame;
    if (!(flags & WW_UOP_NO_BASE))
        address += scalar_get(g, item, base, flags & WW_UOP_WIDE_BASE);
    return address;
}

static uint64_t extend(uint64_t value, unsigned bytes, bool is_signed)
{
    if (is_signed && bytes < 8 && value >> (bytes * 8 - 1))
        value |= ~0ull << (bytes * 8);
    return value;
}

static void load(const scalar_group *g, scalar_item *item, const ww_uop *u, const uint8_t *host)
{
    for (unsigned e = 0; e < u->count; e++) {
        uint64_t value = 0;
        memcpy(&value, host + e * u->bytes, u->bytes);
        scalar_set(item, u->count > 1 ? g->kernel->lists[(unsigned)u->d + e] : u->d,
                   u->flags & WW_UOP_WIDE, extend(value, u->bytes, u->flags & WW_UOP_SIGNED));
    }
}

static void store(const scalar_group *g, scalar_item *item, const ww_uop *u, uint8_t *host)
{
    for (unsigned e = 0; e < u->count; e++) {
        ww_slot from = u->count > 1 ? g->kernel->lists[(unsigned)u->b + e] : u->b;
        uint64_t value = scalar_get(g, item, from, u->flags & WW_UOP_WIDE);
        memcpy(host + e * u->bytes, &value, u->bytes);
    }
}

static uint64_t truncate(uint64_t value, unsigned bytes)
{
    return bytes == 8 ? value : value & ((1ull << bytes * 8) - 1);
}

static uint64_t smaller(const ww_uop *u, uint64_t a, uint64_t b)
{
    if (ww_type_is_signed((ww_type)u->type))
        return (int64_t)extend(a, u->bytes, true) <= (int64_t)extend(b, u->bytes, true) ? a : b;
    return a <= b ? a : b;
}

static uint64_t sum(const ww_uop *u, uint64_t a, uint64_t b)
{
    _Alignas(64) uint64_t row_a[SCALAR_LANES] = {a}, row_b[SCALAR_LANES] = {b};
    _Alignas(64) uint64_t d[SCALAR_LANES] = {0};
    if (!u->fn)
        return a + b;
    u->fn(d, row_a, row_b, row_b, 1, NULL);
    return d[0];
}

static uint64_t update(const ww_uop *u, uint64_t old, uint64_t b, uint64_t c)
{
    switch (u->combine) {
    case WW_COMBINE_ADD: return sum(u, old, b);
    case WW_COMBINE_MIN: return smaller(u, old, b);
    case WW_COMBINE_MAX: return smaller(u, old, b) == old ? b : old;
    case WW_COMBINE_AND: return old & b;
    case WW_COMBINE_OR: return old | b;
    case WW_COMBINE_XOR: return old ^ b;
    case WW_COMBINE_INC: return old < b ? old + 1 : 0;
    case WW_COMBINE_DEC: return old && old <= b ? old - 1 : b;
    case WW_COMBINE_CAS: return old == b ? c : old;
    default: return b; /* exch */
    }
}

static void atomic(const scalar_group *g, scalar_item *item, const ww_uop *u, uint8_t *host)
{
    bool wide = u->bytes == 8;
    uint64_t old = 0, b = truncate(scalar_get(g, item, u->b, wide), u->bytes), c = 0;
    if (u->combine == WW_COMBINE_CAS)
        c = scalar_get(g, item, u->c, wide);
    memcpy(&old, host, u->bytes);
    uint64_t fresh = update(u, old, b, c);
    memcpy(host, &fresh, u->bytes);
    scalar_set(item, u->d, wide, old);
}

static int async_copy(const scalar_group *g, scalar_item *item, const ww_uop *u,
                      const uint8_t *from)
{
    uint64_t address = address_of(g, item, u->b, u->target, u->variant);
    uint8_t *to = host_of(g, item, WW_SPACE_SHARED, address, u->bytes, true);
    uint64_t some = scalar_get(g, item, u->c, false);
    if (!to)
        return scalar_fault(g, item, "an address that is nowhere");
    memset(to, 0, u->bytes);
    memcpy(to, from, some < u->bytes ? some : u->bytes);
    return WW_OK;
}

int scalar_access(const scalar_group *g, scalar_item *item, const ww_uop *u)
{
    bool write = u->kind == WW_UOP_STORE || u->kind == WW_UOP_ATOMIC;
    uint8_t *host = host_of(g, item, u->space, address_of(g, item, u->a, u->imm, u->flags),
                            (unsigned)u->bytes * u->count, write);
    if (!host)
        return scalar_fault(g, item, "an address that is nowhere");
    switch (u->kind) {
    case WW_UOP_LOAD: load(g, item, u, host); break;
    case WW_UOP_STORE: store(g, item, u, host); break;
    case WW_UOP_ATOMIC: atomic(g, item, u, host); break;
    default: return async_copy(g, item, u, host);
    }
    return WW_OK;
}
