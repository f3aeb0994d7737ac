#include "core/checked_mode.h"

#include "core/core_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

typedef struct record {
    ww_request sent;
    uint64_t address;
    bool physical; /* the address; else it is virtual */
    ww_mapped_address location;
    const ww_cu_launch *launch; /* of its warp */
    uint64_t group;
    uint32_t warp;
    uint32_t pc;
    unsigned cu;
    bool open; /* no reply yet */
    uint32_t free;
} record;

/* A request's ticket is the number of its record, from 1. */
struct ww_checker {
    ww_mapping mapping;
    WW_VEC(record) records;
    uint32_t free; /* ticket of the first free record, 0: none */
    uint64_t open;
};

ww_checker *ww_checker_create(const ww_mapping *mapping)
{
    ww_checker *check = ww_calloc(1, sizeof(*check));
    check->mapping = *mapping;
    return check;
}

void ww_checker_destroy(ww_checker *check)
{
    if (!check)
        return;
    ww_vec_free(&check->records);
    free(check);
}

/* ---- complaints ---- */

static const char *noun_of(const ww_request *r)
{
    if (r->class == WW_CLASS_INSTRUCTION)
        return "instruction fetch";
    return r->kind == WW_REQUEST_READ ? "load" : r->kind == WW_REQUEST_WRITE ? "store" : "atomic";
}

static int report(ww_errors *errors, const record *r, const char *what)
{
    return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                   "checked: kernel '%s', warp %" PRIu64 ".%u, %s at pc %u, line 0x%" PRIx64
                   " (sectors %x): %s",
                   r->launch->launch->entry, r->group, r->warp, noun_of(&r->sent), r->pc,
                   r->address, r->sent.sectors, what);
}

static bool complain(ww_cu *cu, const record *r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(ww_cu *cu, const record *r, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    ww_cu_fail(cu, report(r->launch->executor->errors, r, what));
    return false;
}

static record describe(const ww_cu *cu, unsigned slot, uint32_t pc)
{
    const ww_stream *stream = &cu->slots[slot].stream;
    return (record){.launch = stream->launch,
                    .group = stream->warp->group->number,
                    .warp = stream->warp->index,
                    .pc = pc,
                    .cu = cu->number};
}

/* ---- lines ---- */

typedef struct cover {
    const ww_warp_lines *lines;
    uint64_t line_bytes, sector_bytes;
    uint32_t at;   /* index of the line that was found last */
    uint64_t lost; /* address of a sector that no line covers */
    uint32_t touched[WW_MOST_LINES];
} cover;

/* Searches from the last line found: lines are in the order in which lanes touch them. */
static bool find(cover *c, uint64_t line)
{
    for (uint32_t i = 0; i < c->lines->count; i++, c->at = (c->at + 1) % c->lines->count)
        if (c->lines->line[c->at].address == line)
            return true;
    return false;
}

static bool touch(cover *c, uint64_t address, uint64_t bytes)
{
    uint64_t sector = address - address % c->sector_bytes;
    for (; sector < address + bytes; sector += c->sector_bytes) {
        uint64_t line = sector - sector % c->line_bytes;
        uint32_t bit = 1u << (sector - line) / c->sector_bytes;
        if (!find(c, line) || !(c->lines->line[c->at].sectors & bit)) {
            c->lost = sector;
            return false;
        }
        c->touched[c->at] |= bit;
    }
    return true;
}

/* Private memory: the copies of a word of all lanes are adjacent; slots follow each other. */
static bool touch_private(cover *c, const ww_cu *cu, unsigned slot, unsigned lane, uint64_t offset,
                          unsigned bytes)
{
    const ww_cu_launch *l = cu->slots[slot].stream.launch;
    uint64_t words = (l->executor->kernel->local_bytes + 3) / 4;
    uint64_t first = ((uint64_t)cu->number * cu->config.slots + slot) * words + offset / 4;
    bool covered = true;
    for (uint64_t word = first; covered && word < first + (bytes + 3) / 4; word++)
        covered = touch(c, l->local_address + (word * cu->config.width + lane) * 4, 4);
    return covered;
}

static bool touch_lane(cover *c, const ww_cu *cu, const ww_access *access, unsigned slot,
                       unsigned lane)
{
    uint64_t address = access->address[lane];
    if (access->space == WW_SPACE_LOCAL)
        return touch_private(c, cu, slot, lane, address, access->bytes);
    if (access->space == WW_SPACE_GENERIC && address - WW_LOCAL_WINDOW < WW_WINDOW_BYTES)
        return touch_private(c, cu, slot, lane, address - WW_LOCAL_WINDOW, access->bytes);
    return touch(c, address, access->bytes);
}

bool ww_check_lines(ww_cu *cu, const ww_memory_op *op, const ww_access *access,
                    const ww_warp_lines *lines)
{
    record r = describe(cu, op->slot, op->pc);
    cover c;
    c.lines = lines;
    c.line_bytes = cu->config.line;
    c.sector_bytes = cu->config.sector;
    c.at = 0;
    memset(c.touched, 0, lines->count * sizeof(c.touched[0]));
    r.sent.kind = op->kind;
    for (uint64_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        r.address = access->address[lane];
        if (!touch_lane(&c, cu, access, op->slot, lane))
            return complain(cu, &r, "lane %u touches 0x%" PRIx64 ", which no request covers", lane,
                            c.lost);
    }
    for (uint32_t i = 0; i < lines->count; i++) {
        r.address = lines->line[i].address;
        r.sent.sectors = lines->line[i].sectors;
        if (c.touched[i] != r.sent.sectors || !r.sent.sectors)
            return complain(cu, &r, "asks for more than its lanes touch (sectors %x)",
                            c.touched[i]);
    }
    return true;
}

/* ---- requests ---- */

static uint32_t allocate_ticket(ww_checker *check)
{
    uint32_t ticket = check->free;
    if (ticket) {
        check->free = check->records.items[ticket - 1].free;
        return ticket;
    }
    ww_vec_push(&check->records, (record){0});
    return (uint32_t)check->records.count;
}

/* Where the record's address is now. */
static ww_mapped_address locate(const ww_checker *check, const record *r)
{
    if (r->physical)
        return (ww_mapped_address){.physical = r->address};
    return check->mapping.translate(check->mapping.context, r->launch->asid, r->address);
}

bool ww_check_send(ww_cu *cu, ww_request *request, uint64_t address, bool physical, unsigned slot,
                   uint32_t pc)
{
    ww_checker *check = cu->wiring.check;
    uint32_t ticket = allocate_ticket(check);
    record *r = &check->records.items[ticket - 1];
    request->ticket = ticket;
    *r = describe(cu, slot, pc);
    r->sent = *request;
    r->address = address;
    r->physical = physical;
    r->location = locate(check, r);
    r->open = true;
    check->open++;
    if (request->address != r->location.physical)
        return complain(cu, r, "sent to 0x%" PRIx64 " (it is at 0x%" PRIx64 ")", request->address,
                        r->location.physical);
    return true;
}

/* How a reply differs from its request; NULL: not at all. */
static const char *difference(const ww_request *sent, const ww_request *reply)
{
    return sent->address != reply->address   ? "comes back with another address"
           : sent->sectors != reply->sectors ? "comes back with other sectors"
           : sent->kind != reply->kind || sent->class != reply->class ? "comes back as another "
                                                                        "kind of request"
           : sent->owner != reply->owner || sent->warp != reply->warp
               ? "comes back for another instruction"
               : NULL;
}

static bool check_location(ww_cu *cu, const ww_checker *check, const record *r)
{
    ww_mapped_address now = locate(check, r);
    if (now.physical == r->location.physical && now.generation == r->location.generation)
        return true;
    return complain(cu, r, "its page was remapped while it was in flight (0x%" PRIx64 ")",
                    now.physical);
}

bool ww_check_reply(ww_cu *cu, const ww_request *request, ww_request_class class)
{
    ww_checker *check = cu->wiring.check;
    if (!request->ticket || request->ticket > check->records.count)
        return complain(cu, &(record){.launch = cu->residency.newest, .sent = *request},
                        "compute unit %u received a reply without a request", cu->number);
    record *r = &check->records.items[request->ticket - 1];
    if (!r->open)
        return complain(cu, r, "comes back twice");
    if (r->cu != cu->number || r->sent.class != class)
        return complain(cu, r, "comes back to compute unit %u (compute unit %u sent it)",
                        cu->number, r->cu);
    const char *what = difference(&r->sent, request);
    if (what)
        return complain(cu, r, "%s (0x%" PRIx64 ", sectors %x)", what, request->address,
                        request->sectors);
    if (!check_location(cu, check, r))
        return false;
    r->open = false;
    r->free = check->free;
    check->free = request->ticket;
    check->open--;
    return true;
}

bool ww_check_release(ww_cu *cu, const ww_memory_op *op)
{
    const uint16_t *registers = op->launch->code->registers + op->first_register;
    record r = describe(cu, op->slot, op->pc);
    r.sent.kind = op->kind;
    r.address = op->address;
    for (unsigned i = 0; i < op->written; i++)
        if (ww_scoreboard_ready(&cu->slots[op->slot].scoreboard,
                                ww_scoreboard_bits(&registers[i], 1), &registers[i], 1) != WW_NEVER)
            return complain(cu, &r, "brings register %u, which does not wait for it", registers[i]);
    return true;
}

int ww_checker_end(const ww_checker *check, ww_errors *errors)
{
    for (size_t i = 0; check->open && i < check->records.count; i++)
        if (check->records.items[i].open)
            return report(errors, &check->records.items[i], "never comes back");
    return WW_OK;
}
