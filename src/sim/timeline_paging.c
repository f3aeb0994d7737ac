/* The part of a timeline that shows paged memory: a process of its own with a thread for faults and
 * replays, one for pages that come, one for pages that leave, one for pages that are mapped on the
 * host, and counters over time. */
#include "sim/timeline_internal.h"
#include "vm/vm_schema.h"

#include <inttypes.h>

/* Events of each kind, at most; the sampling period doubles after a part of them. */
#define MOST_EVENTS 8000u
#define SAMPLES 1000u

enum { FAULTS = 1, COMING, LEAVING, STAYING };

#define KIND_WORD(name, word) word,
static const char *const words[] = {WW_TIMELINE_PAGING(KIND_WORD)};

static unsigned process_of(const ww_timeline *t)
{
    return WW_GPU_PROCESS + 1 + t->compute_units;
}

static unsigned thread_of(const ww_timeline *t, unsigned thread)
{
    return process_of(t) * 100 + thread;
}

/* ---- events ---- */

/* Whether this one is written. */
static bool is_sampled(ww_timeline *t, ww_timeline_kind kind)
{
    ww_timeline_sampling *s = &t->sampling[kind];
    if (s->seen++ % s->period || s->written == MOST_EVENTS)
        return false;
    if (++s->written % SAMPLES == 0)
        s->period *= 2;
    return true;
}

static void write_fault(ww_timeline *t, ww_timeline_kind kind, uint64_t cycle, unsigned cu,
                        uint64_t page, const char *access)
{
    char time[WW_TIME_CHARS];
    ww_timeline_advance(t, cycle);
    if (!is_sampled(t, kind))
        return;
    ww_timeline_event(t,
                      "\"ph\":\"i\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"s\":\"t\",\"name\":\"%s\","
                      "\"args\":{\"address\":\"0x%" PRIx64 "\",\"compute unit\":%u%s}",
                      process_of(t), thread_of(t, FAULTS), ww_timeline_time(t, cycle, time),
                      words[kind], page * t->page_bytes, cu, access);
}

static void faulted(void *context, uint64_t cycle, unsigned cu, uint64_t page, bool writes)
{
    write_fault(context, WW_TIMELINE_FAULT, cycle, cu, page,
                writes ? ",\"access\":\"write\"" : ",\"access\":\"read\"");
}

static void replayed(void *context, uint64_t cycle, unsigned cu, uint64_t page)
{
    write_fault(context, WW_TIMELINE_REPLAY, cycle, cu, page, "");
}

/* Pages overlap: the next one passes the link while this one is written into memory. */
static void migrated(void *context, uint64_t from, uint64_t to, uint64_t page, bool demanded)
{
    ww_timeline *t = context;
    char begin[WW_TIME_CHARS], end[WW_TIME_CHARS];
    ww_timeline_advance(t, to);
    if (!is_sampled(t, WW_TIMELINE_MIGRATION))
        return;
    unsigned process = process_of(t), thread = thread_of(t, COMING);
    uint64_t id = t->sampling[WW_TIMELINE_MIGRATION].written;
    ww_timeline_event(t,
                      "\"ph\":\"b\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"cat\":\"paging\","
                      "\"name\":\"Migration\",\"id\":%" PRIu64 ",\"args\":{\"address\":\"0x%" PRIx64
                      "\",\"cause\":\"%s\",\"bytes HtD\":%" PRIu64 "}",
                      process, thread, ww_timeline_time(t, from, begin), id, page * t->page_bytes,
                      demanded ? "fault" : "prefetch", t->page_bytes);
    ww_timeline_event(t,
                      "\"ph\":\"e\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"cat\":\"paging\","
                      "\"name\":\"Migration\",\"id\":%" PRIu64,
                      process, thread, ww_timeline_time(t, to, end), id);
}

static void evicted(void *context, uint64_t cycle, uint64_t page, bool sent_back)
{
    ww_timeline *t = context;
    char time[WW_TIME_CHARS];
    ww_timeline_advance(t, cycle);
    if (!is_sampled(t, WW_TIMELINE_EVICTION))
        return;
    ww_timeline_event(
        t,
        "\"ph\":\"i\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"s\":\"t\",\"name\":\"Eviction\","
        "\"args\":{\"address\":\"0x%" PRIx64 "\",\"bytes DtH\":%" PRIu64 "}",
        process_of(t), thread_of(t, LEAVING), ww_timeline_time(t, cycle, time),
        page * t->page_bytes, sent_back ? t->page_bytes : 0);
}

static void mapped(void *context, uint64_t cycle, uint64_t page)
{
    ww_timeline *t = context;
    char time[WW_TIME_CHARS];
    ww_timeline_advance(t, cycle);
    if (!is_sampled(t, WW_TIMELINE_MAPPING))
        return;
    ww_timeline_event(
        t,
        "\"ph\":\"i\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"s\":\"t\",\"name\":\"MapRemote\","
        "\"args\":{\"address\":\"0x%" PRIx64 "\"}",
        process_of(t), thread_of(t, STAYING), ww_timeline_time(t, cycle, time),
        page * t->page_bytes);
}

/* ---- counters ---- */

static void write_count(ww_timeline *t, const char *time, const char *name, uint64_t count)
{
    ww_timeline_event(t,
                      "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"%s\","
                      "\"args\":{\"count\":%" PRIu64 "}",
                      process_of(t), thread_of(t, 0), time, name, count);
}

void ww_timeline_sample_paging(ww_timeline *t, const char *time, const ww_gpu_sample *sample)
{
    const ww_paging_sample *s = &sample->paging, *before = &t->before.paging;
    double ticks = (double)(s->ticks - before->ticks);
    ww_timeline_event(t,
                      "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"PCIe use\","
                      "\"args\":{\"in\":%.4f,\"out\":%.4f}",
                      process_of(t), thread_of(t, 0), time,
                      ww_ratio((double)(s->link_in - before->link_in), ticks),
                      ww_ratio((double)(s->link_out - before->link_out), ticks));
    ww_timeline_event(
        t,
        "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"bytes\",\"args\":{\"HtD\":%" PRIu64
        ",\"DtH\":%" PRIu64 ",\"prefetch\":%" PRIu64 "}",
        process_of(t), thread_of(t, 0), time, s->bytes_in - before->bytes_in,
        s->bytes_out - before->bytes_out, (s->prefetched - before->prefetched) * t->page_bytes);
    write_count(t, time, "far-faults", s->faults - before->faults);
    write_count(t, time, "evictions", s->evictions - before->evictions);
    write_count(t, time, "resident pages", s->resident);
    write_count(t, time, "pages waiting", s->coming);
}

/* ---- the file ---- */

static void name_thread(ww_timeline *t, unsigned thread, const char *name)
{
    ww_timeline_event(t,
                      "\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
                      "\"args\":{\"name\":\"%s\"}",
                      process_of(t), thread_of(t, thread), name);
}

void ww_timeline_begin_paging(ww_timeline *t, const ww_config *config)
{
    t->paged = ww_paging_mode_of(config) != WW_PAGING_RESIDENT;
    if (!t->paged)
        return;
    t->page_bytes = ww_vm_page_bytes(config);
    for (unsigned i = 0; i < WW_TIMELINE_KINDS; i++)
        t->sampling[i].period = 1;
    t->pages = (ww_paging_observer){.faulted = faulted,
                                    .replayed = replayed,
                                    .migrated = migrated,
                                    .evicted = evicted,
                                    .mapped = mapped,
                                    .context = t};
    ww_timeline_event(t,
                      "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\","
                      "\"args\":{\"name\":\"paging\"}",
                      process_of(t));
    ww_timeline_event(t,
                      "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_sort_index\","
                      "\"args\":{\"sort_index\":%u}",
                      process_of(t), WW_GPU_PROCESS);
    name_thread(t, FAULTS, "faults and replays");
    name_thread(t, COMING, "to the GPU");
    name_thread(t, LEAVING, "to the host");
    name_thread(t, STAYING, "mapped on the host");
}

void ww_timeline_end_paging(ww_timeline *t)
{
    if (!t->paged)
        return;
    const ww_timeline_sampling *s = t->sampling;
    ww_timeline_event(t,
                      "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_labels\",\"args\":{\"labels\":\""
                      "%" PRIu64 " of %" PRIu64 " faults, %" PRIu64 " of %" PRIu64
                      " replays, %" PRIu64 " of %" PRIu64 " migrations, %" PRIu64 " of %" PRIu64
                      " evictions, %" PRIu64 " of %" PRIu64 " mappings on the host\"}",
                      process_of(t), s[WW_TIMELINE_FAULT].written, s[WW_TIMELINE_FAULT].seen,
                      s[WW_TIMELINE_REPLAY].written, s[WW_TIMELINE_REPLAY].seen,
                      s[WW_TIMELINE_MIGRATION].written, s[WW_TIMELINE_MIGRATION].seen,
                      s[WW_TIMELINE_EVICTION].written, s[WW_TIMELINE_EVICTION].seen,
                      s[WW_TIMELINE_MAPPING].written, s[WW_TIMELINE_MAPPING].seen);
}
