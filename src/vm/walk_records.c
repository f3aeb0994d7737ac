#include "vm/walk_records.h"

#include "base/memory.h"

struct ww_walk_records {
    ww_walk_record **buckets;
    unsigned bucket_bits;
    uint32_t used;
    ww_walk_record *free;
    WW_VEC(ww_walk_record *) blocks;
    ww_instruction_counters counters;
};

static void add_block(ww_walk_records *records, uint32_t count)
{
    ww_walk_record *block = ww_calloc(count, sizeof(*block));
    ww_vec_push(&records->blocks, block);
    for (uint32_t i = count; i-- > 0;) {
        block[i].next = records->free;
        records->free = &block[i];
    }
}

ww_walk_records *ww_walk_records_create(uint32_t capacity)
{
    ww_walk_records *records = ww_calloc(1, sizeof(*records));
    records->bucket_bits = 1;
    while ((1ull << records->bucket_bits) < 2ull * capacity)
        records->bucket_bits++;
    records->buckets = ww_calloc((size_t)1 << records->bucket_bits, sizeof(ww_walk_record *));
    add_block(records, capacity);
    return records;
}

void ww_walk_records_destroy(ww_walk_records *records)
{
    if (!records)
        return;
    for (size_t i = 0; i < records->blocks.count; i++)
        free(records->blocks.items[i]);
    ww_vec_free(&records->blocks);
    free(records->buckets);
    free(records);
}

/* Numbers are consecutive: their low bits spread best. */
static inline ww_walk_record **bucket_of(const ww_walk_records *records, uint64_t number)
{
    return &records->buckets[number & ((1ull << records->bucket_bits) - 1)];
}

static inline ww_walk_record **find(const ww_walk_records *records, uint64_t number)
{
    ww_walk_record **link = bucket_of(records, number);
    while (*link && (*link)->number != number)
        link = &(*link)->next;
    return link;
}

const ww_walk_record *ww_walk_records_find(const ww_walk_records *records, uint64_t number)
{
    return *find(records, number);
}

static ww_walk_record *allocate(ww_walk_records *records, uint64_t number)
{
    if (!records->free)
        add_block(records, records->used);
    ww_walk_record *record = records->free;
    records->free = record->next;
    records->used++;
    *record = (ww_walk_record){.number = number};
    return record;
}

ww_walk_record *ww_walk_records_arrive(ww_walk_records *records,
                                       const ww_instruction_id *instruction, uint64_t walk,
                                       ww_tick missed)
{
    ww_walk_record **link = find(records, instruction->number);
    ww_walk_record *record = *link;
    if (!record) {
        record = *link = allocate(records, instruction->number);
        record->missed = missed;
    } else {
        record->interleaved |= record->last_walk + 1 != walk;
    }
    record->walks++;
    record->last_walk = walk;
    return record;
}

void ww_walk_record_answer(ww_walk_record *record, uint32_t reads, ww_tick missed, ww_tick now)
{
    ww_tick latency = now - missed;
    if (!record->done++) {
        record->first_answer = now - record->missed;
        record->first_latency = latency;
    }
    record->last_answer = now - record->missed;
    record->last_latency = latency;
    record->reads += reads;
}

static void count(ww_instruction_counters *c, const ww_walk_record *record)
{
    uint64_t *work[] = {&c->work_16, &c->work_32, &c->work_48, &c->work_64, &c->work_80};
    c->instructions++;
    if (!record->reads)
        c->work_0++;
    else
        ++*(record->reads <= 80 ? work[(record->reads - 1) / 16] : &c->work_256);
    if (record->walks < 2)
        return;
    c->several++;
    c->interleaved += record->interleaved;
    c->first_latency += record->first_latency;
    c->last_latency += record->last_latency;
    c->first_answer += record->first_answer;
    c->last_answer += record->last_answer;
}

void ww_walk_records_end(ww_walk_records *records, const ww_instruction_id *instruction)
{
    ww_walk_record **link = find(records, instruction->number);
    ww_walk_record *record = *link;
    if (!record)
        return;
    count(&records->counters, record);
    *link = record->next;
    record->next = records->free;
    records->free = record;
    records->used--;
}

uint32_t ww_walk_records_used(const ww_walk_records *records)
{
    return records->used;
}

const ww_instruction_counters *ww_walk_records_count(const ww_walk_records *records)
{
    return &records->counters;
}
