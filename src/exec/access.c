/* Memory instructions: addresses of lanes, bounds, and moving the bytes. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

#include <string.h>

bool ww_exec_addresses(ww_executor *x, const ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t offset = (uint64_t)u->imm;
    x->access.lanes = lanes;
    if (!lanes)
        return false;
    x->access.space = u->space;
    x->access.bytes = (uint8_t)(u->bytes * (u->count ? u->count : 1));
    x->access.sequence = false;
    if (u->flags & WW_UOP_FRAME)
        offset += w->splits[w->current].frame;
    if (u->flags & WW_UOP_NO_BASE)
        for (unsigned i = 0; i < x->blocks * 16; i++)
            x->access.address[i] = offset;
    else if (u->flags & WW_UOP_WIDE_BASE)
        x->tools->address64(x->access.address, ww_row_at(x, w, u->a), offset, x->blocks);
    else
        x->tools->address32(x->access.address, ww_row_at(x, w, u->a), offset, x->blocks);
    return true;
}

static const char *verb(const ww_uop *u, bool write)
{
    return u->kind == WW_UOP_ATOMIC ? "atomic" : write ? "store" : "load";
}

static int fault_misaligned(ww_executor *x, const ww_warp *w, const ww_uop *u, unsigned bytes,
                            bool write)
{
    int bad = -1;
    ww_each_lane(lane, x->access.lanes)
        if (bad < 0 && x->access.address[lane] & (bytes - 1))
            bad = lane;
    return ww_fault(x, w, bad, "misaligned %s of %u bytes at 0x%llx (a multiple of %u is needed)",
                    verb(u, write), bytes, (unsigned long long)x->access.address[bad], bytes);
}

/* Where an out-of-bounds access starts beside the buffer, or how far it reaches past the end. */
static const char *where_beside(const ww_buffer *b, unsigned long long address, unsigned bytes,
                                char *text, size_t size)
{
    unsigned long long end = b->address + b->size;
    if (address < b->address)
        snprintf(text, size, "%llu bytes before the start of", b->address - address);
    else if (address == end)
        snprintf(text, size, "just past the end of");
    else if (address > end)
        snprintf(text, size, "%llu bytes past the end of", address - end);
    else
        snprintf(text, size, "reaches %llu bytes past the end of", address + bytes - end);
    return text;
}

static int fault_global(ww_executor *x, const ww_warp *w, const ww_uop *u, int lane, unsigned bytes,
                        bool write)
{
    unsigned long long address = x->access.address[lane];
    const ww_buffer *b = ww_memory_nearest(x->memory, address);
    if (address < 4096)
        return ww_fault(x, w, lane, "%s of %u bytes through a null pointer (address 0x%llx)",
                        verb(u, write), bytes, address);
    const ww_buffer *removed = ww_memory_removed(x->memory, address);
    if (removed)
        return ww_fault(x, w, lane,
                        "%s of %u bytes at 0x%llx, in buffer '%s' (0x%llx, %llu bytes), which was "
                        "released",
                        verb(u, write), bytes, address, removed->name,
                        (unsigned long long)removed->address, (unsigned long long)removed->size);
    if (!b)
        return ww_fault(x, w, lane, "%s of %u bytes at 0x%llx: there are no buffers",
                        verb(u, write), bytes, address);
    if (write && b->read_only && ww_memory_find(x->memory, address, bytes))
        return ww_fault(x, w, lane, "%s of %u bytes at 0x%llx, in the read-only buffer '%s'",
                        verb(u, write), bytes, address, b->name);
    char distance[64];
    return ww_fault(
        x, w, lane,
        "%s of %u bytes at 0x%llx is out of bounds: %s buffer '%s' (0x%llx, %llu bytes)",
        verb(u, write), bytes, address, where_beside(b, address, bytes, distance, sizeof(distance)),
        b->name, (unsigned long long)b->address, (unsigned long long)b->size);
}

static int fault_window(ww_executor *x, const ww_warp *w, const ww_uop *u, ww_space space,
                        uint64_t size, unsigned bytes, bool write)
{
    int lane = -1;
    ww_each_lane(each, x->access.lanes)
        if (lane < 0 && (size < bytes || x->access.address[each] > size - bytes))
            lane = each;
    lane = lane < 0 ? __builtin_ctzll(x->access.lanes) : lane; /* a store to read-only memory */
    return ww_fault(x, w, lane, "%s of %u bytes at %s address 0x%llx is out of bounds (%llu bytes)",
                    verb(u, write), bytes, ww_space_name(space),
                    (unsigned long long)x->access.address[lane], (unsigned long long)size);
}

/* Inactive lanes get the address of an active one. */
static void fill_idle(ww_executor *x, uint64_t lanes, uint64_t all)
{
    uint64_t first = x->access.address[__builtin_ctzll(lanes)];
    for (unsigned i = 0; i < x->blocks * 16; i++)
        x->scratch2[i] = first;
    x->tools->blend64(x->access.address, x->scratch2, ~lanes & all, x->blocks);
}

static ww_space window_of(uint64_t address)
{
    if (address - WW_SHARED_WINDOW < WW_WINDOW_BYTES)
        return WW_SPACE_SHARED;
    if (address - WW_LOCAL_WINDOW < WW_WINDOW_BYTES)
        return WW_SPACE_LOCAL;
    if (address - WW_PARAM_WINDOW < WW_WINDOW_BYTES)
        return WW_SPACE_PARAM;
    return WW_SPACE_GLOBAL;
}

static uint64_t window_base(ww_space space)
{
    return space == WW_SPACE_SHARED  ? WW_SHARED_WINDOW
           : space == WW_SPACE_LOCAL ? WW_LOCAL_WINDOW
           : space == WW_SPACE_PARAM ? WW_PARAM_WINDOW
                                     : 0;
}

/* One lane's host address, for instructions whose lanes are in different buffers or spaces. */
static int resolve_lane(ww_executor *x, ww_warp *w, const ww_uop *u, int lane, unsigned bytes,
                        bool write)
{
    uint64_t address = x->access.address[lane];
    uint64_t one = x->access.lanes;
    ww_space space =
        x->access.space == WW_SPACE_GENERIC ? window_of(address) : (ww_space)x->access.space;
    if (space == WW_SPACE_GLOBAL || space == WW_SPACE_CONST) {
        const ww_buffer *b = ww_memory_find(x->memory, address, bytes);
        if (!b || (write && b->read_only))
            return fault_global(x, w, u, lane, bytes, write);
        x->hosts[lane] = (uint64_t)(uintptr_t)b->host + (address - b->address);
        return WW_OK;
    }
    uint64_t at = x->access.space == WW_SPACE_GENERIC ? address - window_base(space) : address;
    uint64_t size = space == WW_SPACE_SHARED  ? x->shared_bytes
                    : space == WW_SPACE_LOCAL ? x->kernel->local_bytes
                                              : x->param_bytes;
    if (at > size || size - at < bytes || (write && space == WW_SPACE_PARAM)) {
        x->access.lanes = 1ull << lane;
        int status = fault_window(x, w, u, space, size, bytes, write);
        x->access.lanes = one;
        return status;
    }
    const uint8_t *host = space == WW_SPACE_SHARED  ? w->group->shared
                          : space == WW_SPACE_LOCAL ? w->local + (uint64_t)lane * size
                                                    : x->params;
    x->hosts[lane] = (uint64_t)(uintptr_t)host + at;
    return WW_OK;
}

static int resolve_each(ww_executor *x, ww_warp *w, const ww_uop *u, unsigned bytes, bool write,
                        ww_hosts *hosts)
{
    int any = __builtin_ctzll(x->access.lanes);
    ww_each_lane(lane, x->access.lanes) {
        int status = resolve_lane(x, w, u, lane, bytes, write);
        if (status != WW_OK)
            return status;
    }
    for (unsigned i = 0; i < x->blocks * 16; i++)
        if (!(x->access.lanes >> i & 1))
            x->hosts[i] = x->hosts[any];
    *hosts = (ww_hosts){x->hosts, 0};
    return WW_OK;
}

static int resolve_global(ww_executor *x, ww_warp *w, const ww_uop *u, unsigned bytes, bool write,
                          uint64_t low, uint64_t high, ww_hosts *hosts)
{
    size_t pc = (size_t)(u - x->kernel->uops);
    const ww_buffer *b = x->hints[pc];
    if (!b || low < b->address || high - b->address > b->size ||
        b->size - (high - b->address) < bytes)
        b = x->hints[pc] = ww_memory_find(x->memory, low, high - low + bytes);
    if (!b || (write && b->read_only)) {
        x->hints[pc] = NULL;
        return resolve_each(x, w, u, bytes, write, hosts);
    }
    *hosts = (ww_hosts){x->access.address, (uint64_t)(uintptr_t)b->host - b->address};
    return WW_OK;
}

static int resolve_window(ww_executor *x, ww_warp *w, const ww_uop *u, ww_space space,
                          uint64_t high, unsigned bytes, bool write, ww_hosts *hosts)
{
    uint64_t base =
        x->access.space == WW_SPACE_GENERIC || space == WW_SPACE_PARAM ? window_base(space) : 0;
    uint64_t size = space == WW_SPACE_SHARED  ? x->shared_bytes
                    : space == WW_SPACE_LOCAL ? x->kernel->local_bytes
                                              : x->param_bytes;
    bool writable = space != WW_SPACE_PARAM;
    if (high - base > size || size - (high - base) < bytes || (write && !writable)) {
        for (unsigned i = 0; i < x->blocks * 16; i++)
            x->access.address[i] -= base;
        return fault_window(x, w, u, space, size, bytes, write);
    }
    if (space == WW_SPACE_LOCAL)
        for (unsigned i = 0; i < x->blocks * 16; i++)
            x->hosts[i] = x->access.address[i] + i * size;
    const uint8_t *host = space == WW_SPACE_SHARED  ? w->group->shared
                          : space == WW_SPACE_LOCAL ? w->local
                                                    : x->params;
    *hosts = (ww_hosts){space == WW_SPACE_LOCAL ? x->hosts : x->access.address,
                        (uint64_t)(uintptr_t)host - base};
    return WW_OK;
}

int ww_exec_resolve(ww_executor *x, ww_warp *w, const ww_uop *u, bool write, ww_hosts *hosts)
{
    uint64_t low, high, any;
    unsigned bytes = x->access.bytes;
    unsigned all_lanes = x->blocks * 16;
    uint64_t all = all_lanes == 64 ? UINT64_MAX : (1ull << all_lanes) - 1;
    if (x->access.lanes != all)
        fill_idle(x, x->access.lanes, all);
    x->tools->range(x->access.address, x->blocks, &low, &high, &any);
    unsigned align = bytes & (0u - bytes);
    if (any & (align - 1) || align != bytes)
        return fault_misaligned(x, w, u, bytes, write);
    ww_space space = (ww_space)x->access.space;
    if (space == WW_SPACE_GENERIC) {
        space = window_of(low);
        if (space != window_of(high))
            return resolve_each(x, w, u, bytes, write, hosts);
    }
    if (space == WW_SPACE_GLOBAL || space == WW_SPACE_CONST)
        return resolve_global(x, w, u, bytes, write, low, high, hosts);
    if (space == WW_SPACE_PARAM && x->access.space == WW_SPACE_PARAM && low < WW_PARAM_WINDOW)
        return resolve_window(x, w, u, space, UINT64_MAX, bytes, write, hosts);
    return resolve_window(x, w, u, space, high, bytes, write, hosts);
}

static void count_access(ww_executor *x, const ww_uop *u, bool write)
{
    switch (u->space) {
    case WW_SPACE_SHARED: x->counters->shared_accesses++; break;
    case WW_SPACE_LOCAL: x->counters->local_accesses++; break;
    case WW_SPACE_PARAM: break;
    default:
        if (write)
            x->counters->global_stores++;
        else
            x->counters->global_loads++;
    }
}

/* Bytes of one lane into an element of a row, extended to the row's width. */
static void load_lane(void *row, int lane, uint64_t host, unsigned bytes, unsigned flags)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)host, bytes);
    if (flags & WW_UOP_SIGNED && bytes < 8)
        value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    if (flags & WW_UOP_WIDE)
        ((uint64_t *)row)[lane] = value;
    else
        ((uint32_t *)row)[lane] = (uint32_t)value;
}

static void load_element(ww_executor *x, ww_warp *w, const ww_uop *u, ww_slot d, uint64_t lanes,
                         const ww_hosts *hosts, uint64_t offset)
{
    bool whole = lanes == w->live;
    bool direct = u->bytes == (u->flags & WW_UOP_WIDE ? 8 : 4);
    void *row = whole ? w->rows + d : (uint8_t *)x->scratch;
    uint64_t bias = hosts->bias + offset;
    if (!direct) {
        row = w->rows + d;
        ww_each_lane(lane, lanes)
            load_lane(row, lane, hosts->row[lane] + bias, u->bytes, u->flags);
        return;
    }
    if (u->bytes == 8)
        x->tools->gather64(row, hosts->row, bias, x->blocks);
    else
        x->tools->gather32(row, hosts->row, bias, x->blocks);
    if (!whole)
        ww_write_row(x, w, d, row, lanes, u->bytes == 8);
}

/* A load of consecutive addresses by all live lanes, as one copy of all blocks. False: not done. */
static bool load_sequence(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    size_t pc = (size_t)(u - x->kernel->uops);
    unsigned count = x->blocks * 16;
    uint64_t first = x->access.address[0];
    const ww_buffer *b = x->hints[pc];
    if (u->count != 1 || lanes != w->live || u->bytes != (u->flags & WW_UOP_WIDE ? 8 : 4) || !b ||
        first & (u->bytes - 1u) || first < b->address || first - b->address > b->size ||
        b->size - (first - b->address) < count * u->bytes ||
        !x->tools->is_sequence(x->access.address, u->bytes, count))
        return false;
    x->access.sequence = true;
    memcpy(w->rows + u->d, b->host + (first - b->address), count * u->bytes);
    return true;
}

/* The access was to the parameter block: its addresses become those of the block in memory. */
static void move_to_arguments(ww_executor *x)
{
    for (unsigned i = 0; i < x->blocks * 16; i++)
        x->access.address[i] += x->argument_address - WW_PARAM_WINDOW;
}

int ww_exec_load(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_hosts hosts;
    count_access(x, u, false);
    if (!ww_exec_addresses(x, w, u, lanes))
        return WW_OK;
    if (u->space == WW_SPACE_GLOBAL && load_sequence(x, w, u, lanes))
        return WW_OK;
    int status = ww_exec_resolve(x, w, u, false, &hosts);
    if (status != WW_OK)
        return status;
    if (u->count == 1)
        load_element(x, w, u, u->d, lanes, &hosts, 0);
    for (unsigned e = 0; u->count > 1 && e < u->count; e++)
        load_element(x, w, u, x->kernel->lists[(unsigned)u->d + e], lanes, &hosts, e * u->bytes);
    if (u->space == WW_SPACE_PARAM && x->argument_address)
        move_to_arguments(x);
    return WW_OK;
}

static void store_element(ww_executor *x, const ww_warp *w, const ww_uop *u, ww_slot from,
                          uint64_t lanes, const ww_hosts *hosts, uint64_t offset)
{
    const uint8_t *row = ww_row_at(x, w, from);
    unsigned stride = u->flags & WW_UOP_WIDE ? 8 : 4;
    uint64_t bias = hosts->bias + offset;
    ww_each_lane(lane, lanes) {
        void *host = (void *)(uintptr_t)(hosts->row[lane] + bias);
        const uint8_t *value = row + (unsigned)lane * stride;
        if (x->watching && memcmp(host, value, u->bytes) != 0)
            x->changed = true;
        switch (u->bytes) {
        case 1: memcpy(host, value, 1); break;
        case 2: memcpy(host, value, 2); break;
        case 4: memcpy(host, value, 4); break;
        default: memcpy(host, value, 8); break;
        }
    }
}

static bool store_sequence(ww_executor *x, const ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    size_t pc = (size_t)(u - x->kernel->uops);
    unsigned count = x->width;
    uint64_t first = x->access.address[0];
    const ww_buffer *b = x->hints[pc];
    uint64_t all = count == 64 ? UINT64_MAX : (1ull << count) - 1;
    if (u->count != 1 || lanes != all || u->bytes != (u->flags & WW_UOP_WIDE ? 8 : 4) || !b ||
        b->read_only || x->watching || count < 2 || first & (u->bytes - 1u) || first < b->address ||
        first - b->address > b->size || b->size - (first - b->address) < count * u->bytes ||
        !x->tools->is_sequence(x->access.address, u->bytes, count))
        return false;
    x->access.sequence = true;
    memcpy(b->host + (first - b->address), ww_row_at(x, w, u->b), count * u->bytes);
    return true;
}

int ww_exec_store(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_hosts hosts;
    count_access(x, u, true);
    if (!ww_exec_addresses(x, w, u, lanes))
        return WW_OK;
    if (u->space == WW_SPACE_GLOBAL && store_sequence(x, w, u, lanes))
        return WW_OK;
    int status = ww_exec_resolve(x, w, u, true, &hosts);
    if (status != WW_OK)
        return status;
    if (u->count == 1)
        store_element(x, w, u, u->b, lanes, &hosts, 0);
    for (unsigned e = 0; u->count > 1 && e < u->count; e++)
        store_element(x, w, u, x->kernel->lists[(unsigned)u->b + e], lanes, &hosts, e * u->bytes);
    return WW_OK;
}

/* Writes what cp.async has read. */
static int store_copied(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes,
                        uint8_t bytes[][16])
{
    ww_hosts hosts;
    ww_uop to = *u;
    to.a = u->b;
    to.imm = u->target;
    to.flags = u->variant;
    to.space = WW_SPACE_SHARED;
    ww_exec_addresses(x, w, &to, lanes);
    int status = ww_exec_resolve(x, w, u, true, &hosts);
    if (status != WW_OK)
        return status;
    ww_each_lane(lane, lanes)
        memcpy((void *)(uintptr_t)(hosts.row[lane] + hosts.bias), bytes[lane], u->bytes);
    x->changed = true;
    return WW_OK;
}

/* cp.async: from global to shared memory; bytes past the source size become zero. */
int ww_exec_async_copy(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    ww_hosts hosts;
    uint8_t bytes[WW_MOST_LANES][16] = {{0}};
    const uint32_t *size = ww_row_at(x, w, u->c);
    if (!ww_exec_addresses(x, w, u, lanes))
        return WW_OK;
    int status = ww_exec_resolve(x, w, u, false, &hosts);
    if (status != WW_OK)
        return status;
    ww_each_lane(lane, lanes)
        memcpy(bytes[lane], (const void *)(uintptr_t)(hosts.row[lane] + hosts.bias),
               size[lane] < u->bytes ? size[lane] : u->bytes);
    ww_access read = x->access;
    status = store_copied(x, w, u, lanes, bytes);
    x->access = read;
    return status;
}
