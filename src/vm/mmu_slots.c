/* The walkers' slots for walks, and the batches of walkers that have several. */
#include "base/memory.h"
#include "vm/mmu_internal.h"

#include <assert.h>

void ww_mmu_create_slots(ww_mmu *mmu)
{
    const ww_walkmerge *merge = mmu->config.merge;
    uint32_t walkers = mmu->config.walkers;
    mmu->per_walker = merge->walker_walks ? merge->walker_walks(mmu->merge_state) : 1;
    assert(mmu->per_walker >= 1 && mmu->per_walker <= WW_MOST_WALKER_WALKS);
    mmu->slot_count = mmu->free_count = walkers * mmu->per_walker;
    mmu->slots = ww_calloc(mmu->slot_count, sizeof(*mmu->slots));
    if (merge->walker_walks) {
        mmu->walkers = ww_calloc(walkers, sizeof(*mmu->walkers));
        return;
    }
    for (uint32_t i = mmu->slot_count; i-- > 0;) {
        mmu->slots[i].link = mmu->free;
        mmu->free = &mmu->slots[i];
    }
}

void ww_mmu_destroy_slots(ww_mmu *mmu)
{
    free(mmu->slots);
    free(mmu->walkers);
}

static ww_walker *walker_of(const ww_mmu *mmu, const ww_walk_slot *slot)
{
    return &mmu->walkers[ww_mmu_walker_of(mmu, slot)];
}

static uint64_t bit_of(const ww_mmu *mmu, const ww_walk_slot *slot)
{
    return 1ull << (uint32_t)(slot - mmu->slots) % mmu->per_walker;
}

/* ---- walks that come and go ---- */

/* The next walker in turn that has a free slot gets the walk. */
static ww_walk_slot *take_in_turn(ww_mmu *mmu)
{
    uint64_t all = UINT64_MAX >> (64 - mmu->per_walker);
    while (mmu->walkers[mmu->next_walker].used == all)
        mmu->next_walker = (mmu->next_walker + 1) % mmu->config.walkers;
    uint32_t index = mmu->next_walker;
    ww_walker *walker = &mmu->walkers[index];
    mmu->next_walker = (index + 1) % mmu->config.walkers;
    mmu->busy += !walker->used;
    uint32_t slot = (uint32_t)__builtin_ctzll(~walker->used);
    walker->used |= 1ull << slot;
    return &mmu->slots[index * mmu->per_walker + slot];
}

ww_walk_slot *ww_mmu_take_slot(ww_mmu *mmu)
{
    assert(mmu->free_count);
    mmu->free_count--;
    if (mmu->walkers)
        return take_in_turn(mmu);
    ww_walk_slot *slot = mmu->free;
    mmu->free = slot->link;
    mmu->busy++;
    return slot;
}

void ww_mmu_free_slot(ww_mmu *mmu, ww_walk_slot *slot)
{
    mmu->free_count++;
    slot->level = 0;
    if (mmu->walkers) {
        ww_walker *walker = walker_of(mmu, slot);
        walker->used &= ~bit_of(mmu, slot);
        mmu->busy -= !walker->used;
        return;
    }
    mmu->busy--;
    slot->link = mmu->free;
    mmu->free = slot;
}

/* ---- batches ---- */

static void append(ww_mmu *mmu, ww_walker *walker)
{
    walker->at_work = true;
    walker->link = NULL;
    if (mmu->at_work)
        mmu->last_at_work->link = walker;
    else
        mmu->at_work = walker;
    mmu->last_at_work = walker;
}

/* A walker without outstanding reads chooses a batch at the end of the cycle. */
static void set_to_work(ww_mmu *mmu, ww_walker *walker)
{
    if (!walker->at_work && !walker->outstanding && walker->ready)
        append(mmu, walker);
}

void ww_mmu_slot_ready(ww_mmu *mmu, ww_walk_slot *slot)
{
    if (!mmu->walkers) {
        ww_mmu_read_entry(mmu, slot);
        return;
    }
    slot->ready = ww_engine_now(mmu->engine);
    ww_walker *walker = walker_of(mmu, slot);
    walker->ready |= bit_of(mmu, slot);
    set_to_work(mmu, walker);
}

void ww_mmu_slot_has_read(ww_mmu *mmu, const ww_walk_slot *slot)
{
    if (!mmu->walkers)
        return;
    ww_walker *walker = walker_of(mmu, slot);
    walker->outstanding--;
    set_to_work(mmu, walker);
}

/* Lists the slots that are ready, by the age of their walks. */
static void list_ready(const ww_mmu *mmu, const ww_walker *walker, ww_ready_walks *ready,
                       uint8_t *slots)
{
    const ww_walk_slot *first = &mmu->slots[(walker - mmu->walkers) * mmu->per_walker];
    for (uint64_t rest = walker->ready; rest; rest &= rest - 1) {
        uint8_t index = (uint8_t)__builtin_ctzll(rest);
        const ww_walk_slot *slot = &first[index];
        uint32_t at = ready->count++;
        for (; at && ready->walks[at - 1].number > slot->walk.number; at--) {
            ready->walks[at] = ready->walks[at - 1];
            slots[at] = slots[at - 1];
        }
        ready->walks[at] =
            (ww_ready_walk){slot->walk.number, slot->walk.address, slot->level, slot->ready};
        slots[at] = index;
    }
}

static void choose_batch(ww_mmu *mmu, ww_walker *walker, ww_tick now)
{
    ww_ready_walks ready = {.now = now};
    uint8_t slots[WW_MOST_WALKER_WALKS];
    list_ready(mmu, walker, &ready, slots);
    uint64_t batch = mmu->config.merge->batch(mmu->merge_state, &ready);
    assert(batch);
    walker->count = walker->sent = 0;
    for (; batch; batch &= batch - 1) {
        uint8_t slot = slots[__builtin_ctzll(batch)];
        walker->batch[walker->count++] = slot;
        walker->ready &= ~(1ull << slot);
    }
    walker->outstanding = walker->count;
}

/* The walker's next read. False: its batch has no further one. */
static bool read_next(ww_mmu *mmu, ww_walker *walker, ww_tick now)
{
    if (walker->sent == walker->count)
        choose_batch(mmu, walker, now);
    if (now >= walker->next_read) {
        uint32_t first = (uint32_t)(walker - mmu->walkers) * mmu->per_walker;
        walker->next_read = ww_clock_after(mmu->config.clock, now, 1);
        ww_mmu_read_entry(mmu, &mmu->slots[first + walker->batch[walker->sent++]]);
    }
    return walker->sent < walker->count;
}

void ww_mmu_read_batches(ww_mmu *mmu, ww_tick now)
{
    ww_walker *walker = mmu->at_work, *next;
    mmu->at_work = NULL;
    for (; walker; walker = next) {
        next = walker->link;
        walker->at_work = false;
        if (read_next(mmu, walker, now))
            append(mmu, walker);
    }
    if (mmu->at_work)
        ww_wake(mmu->engine, &mmu->task, ww_clock_after(mmu->config.clock, now, 1));
}
