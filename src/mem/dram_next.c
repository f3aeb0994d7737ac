#include "mem/dram_next.h"

void ww_dram_next_begin_writes(ww_dram_next *next, uint64_t cycle)
{
    next->writes_since = cycle;
    next->stale |= next->refused;
}

/* ---- the next command of each bank ---- */

/* The cycle from which a bank's oldest request counts as waiting. */
static uint64_t waits_since(const ww_dram_next *next, uint32_t bank)
{
    uint64_t arrived = ww_dram_queue_oldest(next->queue, next->direction, bank)->arrived;
    return arrived < next->writes_since ? next->writes_since : arrived;
}

static bool may_be_passed(const ww_dram_next *next, uint32_t bank)
{
    return next->times.cycle - waits_since(next, bank) < next->age_cap;
}

/* The request that a bank serves instead of its oldest, if that may be passed; NULL: none. */
static ww_dram_entry *find_passing(const ww_dram_next *next, uint32_t bank, uint64_t open_row,
                                   const ww_dram_entry *oldest)
{
    if (next->ranked) {
        ww_dram_entry *first = ww_dram_queue_first(next->queue, next->direction, bank, open_row);
        return first == oldest ? NULL : first;
    }
    return open_row == WW_DRAM_NO_ROW || open_row == oldest->row
               ? NULL
               : ww_dram_queue_hit(next->queue, next->direction, bank, open_row);
}

static void find_next(ww_dram_next *next, uint32_t bank)
{
    const ww_dram_bank *state = &next->device->bank[bank];
    ww_dram_entry *entry = ww_dram_queue_oldest(next->queue, next->direction, bank);
    ww_dram_entry *passing = find_passing(next, bank, state->row, entry);
    uint64_t bit = UINT64_C(1) << bank, time = state->column;
    if (passing && may_be_passed(next, bank)) {
        next->passing |= bit;
        entry = passing;
    } else if (passing) {
        next->refused |= bit;
    }
    if (state->row == entry->row) {
        next->columns |= bit;
    } else if (state->row == WW_DRAM_NO_ROW) {
        next->activates |= bit;
        time = state->activate;
    } else {
        next->precharges |= bit;
        time = state->precharge;
    }
    next->entry[bank] = entry;
    next->age[bank] = entry->order * WW_DRAM_BANKS + bank;
    ww_dram_ready_add(&next->times, bank, time);
}

void ww_dram_next_check_age(ww_dram_next *next, uint64_t cycle)
{
    uint64_t since = UINT64_MAX;
    for (uint64_t rest = next->queue->banks[next->direction]; rest; rest &= rest - 1) {
        uint64_t bank_since = waits_since(next, (uint32_t)__builtin_ctzll(rest));
        since = bank_since < since ? bank_since : since;
    }
    if (__builtin_add_overflow(since, next->age_cap, &next->within_cap_until))
        next->within_cap_until = UINT64_MAX;
    next->over_age_cap = cycle >= next->within_cap_until;
    if (next->over_age_cap)
        next->stale |= next->passing;
}

void ww_dram_next_update_stale(ww_dram_next *next)
{
    uint64_t stale = next->stale, kept = ~stale;
    next->stale = 0;
    next->columns &= kept;
    next->activates &= kept;
    next->precharges &= kept;
    next->passing &= kept;
    next->refused &= kept;
    for (; stale; stale &= stale - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(stale);
        ww_dram_ready_remove(&next->times, bank);
        if (next->queue->banks[next->direction] >> bank & 1)
            find_next(next, bank);
    }
}

/* ---- the earliest commands ---- */

/* Of some banks, those whose next commands are allowed at the earliest cycle: those that read or
 * write, or when there are none, the others. */
typedef struct earliest {
    uint64_t cycle; /* WW_DRAM_NEVER: none before a refresh */
    uint64_t banks; /* a bit for each */
} earliest;

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Adds banks whose next commands are allowed at a cycle. */
static inline earliest consider(earliest first, uint64_t banks, uint64_t cycle)
{
    if (cycle > first.cycle)
        return first;
    return (earliest){cycle, cycle == first.cycle ? banks | first.banks : banks};
}

/* Adds banks that are ready for a command, by group. */
static inline earliest consider_ready(const ww_dram_next *next, earliest first, uint64_t banks,
                                      unsigned op)
{
    const ww_dram_device *device = next->device;
    while (banks) {
        const ww_dram_group *group =
            &device->group[(uint32_t)__builtin_ctzll(banks) >> device->group_bits];
        uint64_t start = later(group->ready[op], next->times.cycle);
        first = consider(first, banks & group->members, start);
        banks &= ~group->members;
    }
    return first;
}

static inline earliest consider_each(const ww_dram_next *next, earliest first, uint64_t banks)
{
    const ww_dram_device *device = next->device;
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        ww_dram_op op = ww_dram_next_op(next, bank);
        uint64_t start = next->times.time[bank];
        if (op != WW_DRAM_PRECHARGE)
            start = later(start, device->group[bank >> device->group_bits].ready[op]);
        first = consider(first, UINT64_C(1) << bank, start);
    }
    return first;
}

/* Adds banks that are not ready yet, as far as they could precede those that are. */
static earliest consider_later(const ww_dram_next *next, earliest first, uint64_t banks)
{
    const ww_dram_ready_times *r = &next->times;
    for (uint64_t ahead = ww_dram_ready_ahead(r); ahead; ahead &= ahead - 1) {
        uint64_t time = r->cycle + 1 + (unsigned)__builtin_ctzll(ahead);
        if (time > first.cycle)
            return first;
        first = consider_each(next, first, r->slot[time % WW_DRAM_SLOTS] & banks);
    }
    return consider_each(next, first, r->far & banks);
}

/* As if there were no refreshes. */
static earliest earliest_without_refresh(const ww_dram_next *next, uint64_t banks)
{
    uint64_t ready = next->times.ready & banks;
    earliest first = {.cycle = WW_DRAM_NEVER};
    if (ready & next->precharges)
        first = (earliest){next->times.cycle, ready & next->precharges};
    first = consider_ready(next, first, ready & next->columns, next->direction);
    first = consider_ready(next, first, ready & next->activates, WW_DRAM_ACTIVATE);
    first = consider_later(next, first, banks);
    if (first.banks & next->columns)
        first.banks &= next->columns;
    return first;
}

static earliest earliest_of(const ww_dram_next *next, uint64_t banks)
{
    for (;;) {
        earliest first = earliest_without_refresh(next, banks);
        if (first.cycle < next->device->first_due)
            return first;
        uint64_t late = ww_dram_refreshing(next->device, first.cycle);
        if (!(first.banks & late))
            return first;
        banks &= ~late;
    }
}

/* ---- what policies ask ---- */

uint64_t ww_dram_banks(const ww_dram_next *next)
{
    return next->columns | next->activates | next->precharges;
}

uint64_t ww_dram_banks_of_rank(const ww_dram_next *next, uint8_t rank)
{
    uint64_t banks = 0;
    for (uint64_t rest = ww_dram_banks(next); rest; rest &= rest - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(rest);
        banks |= (uint64_t)(next->entry[bank]->rank == rank) << bank;
    }
    return banks;
}

static inline uint32_t oldest_of(const ww_dram_next *next, uint64_t banks)
{
    uint64_t oldest = next->age[__builtin_ctzll(banks)];
    while ((banks &= banks - 1)) {
        uint64_t age = next->age[__builtin_ctzll(banks)];
        oldest = age < oldest ? age : oldest;
    }
    return (uint32_t)(oldest % WW_DRAM_BANKS);
}

uint32_t ww_dram_oldest_bank(const ww_dram_next *next, uint64_t banks)
{
    return oldest_of(next, banks);
}

uint64_t ww_dram_bank_start(const ww_dram_next *next, uint32_t bank)
{
    return earliest_of(next, UINT64_C(1) << bank).cycle;
}

bool ww_dram_is_over_age_cap(const ww_dram_next *next)
{
    return next->over_age_cap;
}

/* ---- first ready ---- */

/* Of some banks, those in whose groups a command is allowed now. */
static inline uint64_t allowed_now(const ww_dram_next *next, uint64_t banks, unsigned op)
{
    const ww_dram_device *device = next->device;
    uint64_t cycle = next->times.cycle, allowed = 0;
    while (banks) {
        const ww_dram_group *group =
            &device->group[(uint32_t)__builtin_ctzll(banks) >> device->group_bits];
        allowed |= group->ready[op] <= cycle ? banks & group->members : 0;
        banks &= ~group->members;
    }
    return allowed;
}

/* A short cut: the earliest of some banks, if allowed now. 0: they are not, or a refresh is due. */
static inline uint64_t ready_now(const ww_dram_next *next, uint64_t banks)
{
    const ww_dram_device *device = next->device;
    uint64_t cycle = next->times.cycle, ready = next->times.ready & banks;
    uint64_t columns = ready & next->columns, activates = ready & next->activates;
    if (cycle >= device->first_due)
        return 0;
    if (columns && cycle + device->data_start[next->direction] >= device->data_end) {
        columns = allowed_now(next, columns, next->direction);
        if (columns)
            return columns;
    }
    activates = allowed_now(next, activates, WW_DRAM_ACTIVATE);
    return activates | (ready & next->precharges);
}

static ww_dram_choice choose_oldest(const ww_dram_next *next, earliest first)
{
    if (first.cycle == WW_DRAM_NEVER)
        return (ww_dram_choice){WW_DRAM_NEVER, 0};
    return (ww_dram_choice){first.cycle, oldest_of(next, first.banks)};
}

/* The banks whose next commands are of the same kind as this one's. */
static uint64_t banks_of_kind(const ww_dram_next *next, uint32_t bank)
{
    uint64_t bit = UINT64_C(1) << bank;
    return next->columns & bit     ? next->columns
           : next->activates & bit ? next->activates
                                   : next->precharges;
}

/* The oldest is over the age cap: only earlier commands of another kind precede it. */
static ww_dram_choice choose_beside(const ww_dram_next *next, ww_dram_choice oldest, uint64_t banks)
{
    earliest others = earliest_of(next, banks & ~banks_of_kind(next, oldest.bank));
    return others.cycle < oldest.cycle ? choose_oldest(next, others) : oldest;
}

/* Not inlined: the usual choice would be slower. */
static __attribute__((noinline)) ww_dram_choice choose_at_length(const ww_dram_next *next,
                                                                 uint64_t banks)
{
    if (next->over_age_cap) {
        uint32_t oldest = oldest_of(next, banks);
        ww_dram_choice choice = {ww_dram_bank_start(next, oldest), oldest};
        if (choice.cycle != WW_DRAM_NEVER)
            return choose_beside(next, choice, banks);
    }
    return choose_oldest(next, earliest_of(next, banks));
}

ww_dram_choice ww_dram_first_ready(const ww_dram_next *next, uint64_t banks)
{
    uint64_t now = next->over_age_cap ? 0 : ready_now(next, banks);
    if (!now)
        return choose_at_length(next, banks);
    return (ww_dram_choice){next->times.cycle, oldest_of(next, now)};
}
