#include "sim/timeline_internal.h"

#include "base/json.h"
#include "base/memory.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_schema.h"

#include <inttypes.h>

/* Events of each kind, at most. */
#define MOST_WARP_EVENTS 140000u
#define MOST_MEMORY_EVENTS 40000u
#define MOST_COUNTER_EVENTS 20000u
/* The sampling period doubles after this many samples. */
#define MEMORY_SAMPLES 1000u
#define COUNTER_SAMPLES 256u
#define COUNTER_CYCLES 256u /* between the first ones */
#define COUNTERS 7u         /* events of a sample, at most, besides those of paging */

/* ---- events ---- */

const char *ww_timeline_time(const ww_timeline *t, uint64_t cycle, char text[WW_TIME_CHARS])
{
    uint64_t picoseconds = (uint64_t)((unsigned __int128)cycle * 1000000000000u / t->hertz);
    snprintf(text, WW_TIME_CHARS, "%" PRIu64 ".%06" PRIu64, picoseconds / 1000000,
             picoseconds % 1000000);
    return text;
}

void ww_timeline_event(ww_timeline *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs(t->any ? ",\n{" : "{", t->out);
    vfprintf(t->out, format, args);
    fputc('}', t->out);
    va_end(args);
    t->any = true;
}

void ww_timeline_advance(ww_timeline *t, uint64_t cycle)
{
    t->last_cycle = cycle > t->last_cycle ? cycle : t->last_cycle;
}

static unsigned process_of(unsigned compute_unit)
{
    return WW_GPU_PROCESS + 1 + compute_unit;
}

static unsigned thread_of(unsigned compute_unit, unsigned slot)
{
    return process_of(compute_unit) * 100 + slot;
}

static void name_process(ww_timeline *t, unsigned compute_unit)
{
    unsigned process = process_of(compute_unit);
    ww_timeline_event(t,
                      "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\","
                      "\"args\":{\"name\":\"compute unit %u\"}",
                      process, compute_unit);
    ww_timeline_event(
        t, "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%u}",
        process, process);
}

static void name_tracks(ww_timeline *t, unsigned compute_unit, unsigned slot)
{
    ww_timeline_tracks *k = &t->tracks[compute_unit];
    if (!k->named)
        name_process(t, compute_unit);
    k->named = true;
    if (!(k->named_slots >> slot & 1))
        ww_timeline_event(t,
                          "\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
                          "\"args\":{\"name\":\"slot %u\"}",
                          process_of(compute_unit), thread_of(compute_unit, slot), slot);
    k->named_slots |= 1ull << slot;
}

/* ---- warps and launches ---- */

/* A slice is two events: its begin and its end. */
static bool can_add_slice(const ww_timeline *t)
{
    return t->warp_events + 2 <= MOST_WARP_EVENTS;
}

static void started(void *context, const ww_observed *o)
{
    ww_timeline *t = context;
    char time[WW_TIME_CHARS];
    ww_timeline_advance(t, o->cycle);
    if (!can_add_slice(t)) {
        t->warps_left_out++;
        return;
    }
    name_tracks(t, o->compute_unit, o->slot);
    ww_timeline_event(t,
                      "\"ph\":\"B\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"cat\":\"warp\","
                      "\"name\":\"%s %" PRIu64 "\",\"args\":{\"launch\":%" PRIu64
                      ",\"group\":%" PRIu64 ",\"warp\":%u}",
                      process_of(o->compute_unit), thread_of(o->compute_unit, o->slot),
                      ww_timeline_time(t, o->cycle, time), o->launch->launch->entry,
                      o->warp->group->number, t->launch, o->warp->group->number, o->warp->index);
    t->tracks[o->compute_unit].open |= 1ull << o->slot;
    t->warp_events += 2;
}

static void end_warp(ww_timeline *t, unsigned compute_unit, unsigned slot, uint64_t cycle)
{
    char time[WW_TIME_CHARS];
    ww_timeline_event(t, "\"ph\":\"E\",\"pid\":%u,\"tid\":%u,\"ts\":%s", process_of(compute_unit),
                      thread_of(compute_unit, slot), ww_timeline_time(t, cycle, time));
    t->tracks[compute_unit].open &= ~(1ull << slot);
}

static void ended(void *context, const ww_observed *o)
{
    ww_timeline *t = context;
    ww_timeline_advance(t, o->cycle);
    if (t->tracks[o->compute_unit].open >> o->slot & 1)
        end_warp(t, o->compute_unit, o->slot, o->cycle);
}

static void end_launch(ww_timeline *t)
{
    char time[WW_TIME_CHARS];
    if (t->launch_open)
        ww_timeline_event(t, "\"ph\":\"E\",\"pid\":%u,\"tid\":%u,\"ts\":%s", WW_GPU_PROCESS,
                          WW_GPU_PROCESS, ww_timeline_time(t, t->last_cycle, time));
    t->launch_open = false;
}

void ww_timeline_launched(ww_timeline *t, uint64_t number, uint64_t cycle,
                          const ww_cu_launch *launch)
{
    char time[WW_TIME_CHARS];
    end_launch(t);
    t->launch = number;
    ww_timeline_advance(t, cycle);
    if (!can_add_slice(t))
        return;
    ww_timeline_event(
        t,
        "\"ph\":\"B\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"cat\":\"launch\",\"name\":\"%s\","
        "\"args\":{\"launch\":%" PRIu64 "}",
        WW_GPU_PROCESS, WW_GPU_PROCESS, ww_timeline_time(t, t->last_cycle, time),
        launch->launch->entry, number);
    t->launch_open = true;
    t->warp_events += 2;
}

/* ---- memory instructions ---- */

static void write_access(ww_timeline *t, const ww_observed_access *a)
{
    static const char *const kinds[] = {"load", "store", "atomic"};
    const ww_instruction *i = a->launch->executor->kernel->instructions[a->pc];
    json_t *value = ww_json_text(i ? i->text : "");
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    char from[WW_TIME_CHARS], to[WW_TIME_CHARS];
    unsigned process = process_of(a->compute_unit);
    unsigned thread = thread_of(a->compute_unit, a->slot);
    ww_timeline_event(
        t,
        "\"ph\":\"b\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"cat\":\"memory\",\"name\":\"%s\","
        "\"id\":%" PRIu64 ",\"args\":{\"slot\":%u,\"pc\":%u,\"instruction\":%s,\"lines\":%u,"
        "\"missed\":%s}",
        process, thread, ww_timeline_time(t, a->issued, from), kinds[a->kind], t->accesses, a->slot,
        a->pc, text, a->lines, a->missed ? "true" : "false");
    ww_timeline_event(
        t,
        "\"ph\":\"e\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"cat\":\"memory\",\"name\":\"%s\","
        "\"id\":%" PRIu64,
        process, thread, ww_timeline_time(t, a->done, to), kinds[a->kind], t->accesses);
    free(text);
    json_decref(value);
}

static void accessed(void *context, const ww_observed_access *a)
{
    ww_timeline *t = context;
    ww_timeline_advance(t, a->done);
    if (t->accesses++ % t->access_period || t->memory_events + 2 > MOST_MEMORY_EVENTS)
        return;
    name_tracks(t, a->compute_unit, a->slot);
    write_access(t, a);
    t->memory_events += 2;
    if (++t->accesses_written % MEMORY_SAMPLES == 0)
        t->access_period *= 2;
}

/* ---- counters ---- */

static void write_count(ww_timeline *t, const char *time, const char *name, uint64_t count)
{
    ww_timeline_event(t,
                      "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"%s\","
                      "\"args\":{\"count\":%" PRIu64 "}",
                      WW_GPU_PROCESS, WW_GPU_PROCESS, time, name, count);
}

static void write_walks(ww_timeline *t, const char *time, const char *name, const char *by,
                        uint64_t waiting, uint64_t walking)
{
    ww_timeline_event(t,
                      "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"%s\","
                      "\"args\":{\"waiting\":%" PRIu64 ",\"%s\":%" PRIu64 "}",
                      WW_GPU_PROCESS, WW_GPU_PROCESS, time, name, waiting, by, walking);
}

/* Rates since the sample before. */
static void write_rates(ww_timeline *t, const char *time, const ww_gpu_sample *s)
{
    double cycles = (double)(s->cycle - t->before.cycle);
    double rate[WW_UNIT_COUNT];
    for (unsigned u = 0; u < WW_UNIT_COUNT; u++)
        rate[u] = 1000 * (double)(s->unit_issues[u] - t->before.unit_issues[u]) / cycles;
    ww_timeline_event(
        t,
        "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"issues per kilocycle\","
        "\"args\":{\"simd\":%.1f,\"sfu\":%.1f,\"fp64\":%.1f,\"scalar\":%.1f,\"branch\":%.1f,"
        "\"lds\":%.1f,\"memory\":%.1f}",
        WW_GPU_PROCESS, WW_GPU_PROCESS, time, rate[WW_UNIT_SIMD], rate[WW_UNIT_SFU],
        rate[WW_UNIT_FP64], rate[WW_UNIT_SCALAR], rate[WW_UNIT_BRANCH], rate[WW_UNIT_LDS],
        rate[WW_UNIT_MEMORY]);
    double seconds = cycles / (double)t->hertz;
    ww_timeline_event(t,
                      "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"DRAM GB/s\","
                      "\"args\":{\"rate\":%.3f}",
                      WW_GPU_PROCESS, WW_GPU_PROCESS, time,
                      (double)(s->dram_bytes - t->before.dram_bytes) / seconds / 1e9);
}

/* Watts since the sample before, by group of components. */
static void write_power(ww_timeline *t, const char *time, const ww_gpu_sample *s)
{
    double now[WW_ENERGY_GROUP_COUNT], before[WW_ENERGY_GROUP_COUNT];
    char args[32 * WW_ENERGY_GROUP_COUNT];
    double seconds = s->energy.seconds - t->before.energy.seconds;
    size_t length = 0;
    ww_energy_by_group(&s->energy, now);
    ww_energy_by_group(&t->before.energy, before);
    for (unsigned i = 0; i < WW_ENERGY_GROUP_COUNT; i++)
        length +=
            (size_t)snprintf(args + length, sizeof(args) - length, "%s\"%s\":%.3f", i ? "," : "",
                             ww_energy_group_names[i], ww_ratio(now[i] - before[i], seconds));
    ww_timeline_event(t,
                      "\"ph\":\"C\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"name\":\"power W\","
                      "\"args\":{%s}",
                      WW_GPU_PROCESS, WW_GPU_PROCESS, time, args);
}

uint64_t ww_timeline_sample(ww_timeline *t, const ww_gpu_sample *s)
{
    char time[WW_TIME_CHARS];
    bool first = s->cycle == t->before.cycle;
    uint64_t events = COUNTERS + (s->paged ? WW_PAGING_COUNTERS_OF_SAMPLE : 0);
    if (first || t->counter_events + events > MOST_COUNTER_EVENTS)
        return first ? t->sample_period : UINT32_MAX;
    ww_timeline_advance(t, s->cycle);
    ww_timeline_time(t, s->cycle, time);
    write_rates(t, time, s);
    write_power(t, time, s);
    write_count(t, time, "requests in flight", s->requests);
    write_count(t, time, "warps", s->warps);
    if (t->has_walks)
        write_walks(t, time, "page walks", "walkers", s->walks_waiting, s->walkers_busy);
    if (t->has_cu_walks)
        write_walks(t, time, "page walks on compute units", "threads", s->cu_walks_waiting,
                    s->cu_walks);
    if (s->paged)
        ww_timeline_sample_paging(t, time, s);
    t->before = *s;
    t->counter_events += events;
    if (++t->samples % COUNTER_SAMPLES == 0)
        t->sample_period *= 2;
    return t->sample_period;
}

/* ---- the file ---- */

ww_timeline *ww_timeline_create(const ww_config *config, FILE *out)
{
    ww_timeline *t = ww_calloc(1, sizeof(*t));
    t->out = out;
    t->hertz = ww_config_hertz(config, "gpu.clock");
    t->compute_units = (unsigned)ww_config_u64(config, "gpu.compute_units");
    t->has_walks = !ww_vm_is_ideal(config);
    t->has_cu_walks = ww_cuptw_is_on(config);
    t->tracks = ww_calloc(t->compute_units, sizeof(*t->tracks));
    t->access_period = 1;
    t->sample_period = COUNTER_CYCLES;
    t->observer =
        (ww_cu_observer){.started = started, .accessed = accessed, .ended = ended, .context = t};
    fputs("[\n", out);
    ww_timeline_event(
        t, "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"GPU\"}",
        WW_GPU_PROCESS);
    ww_timeline_event(t,
                      "\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
                      "\"args\":{\"name\":\"launches\"}",
                      WW_GPU_PROCESS, WW_GPU_PROCESS);
    ww_timeline_begin_paging(t, config);
    return t;
}

void ww_timeline_finish(ww_timeline *t)
{
    for (unsigned c = 0; c < t->compute_units; c++)
        while (t->tracks[c].open)
            end_warp(t, c, (unsigned)__builtin_ctzll(t->tracks[c].open), t->last_cycle);
    end_launch(t);
    ww_timeline_event(
        t,
        "\"ph\":\"M\",\"pid\":%u,\"name\":\"process_labels\",\"args\":{\"labels\":\"%" PRIu64
        " of %" PRIu64 " memory instructions, %" PRIu64 " warps left out\"}",
        WW_GPU_PROCESS, t->accesses_written, t->accesses, t->warps_left_out);
    ww_timeline_end_paging(t);
    fputs("\n]\n", t->out);
}

void ww_timeline_destroy(ww_timeline *timeline)
{
    if (!timeline)
        return;
    free(timeline->tracks);
    free(timeline);
}

const ww_cu_observer *ww_timeline_observer(const ww_timeline *timeline)
{
    return &timeline->observer;
}

const ww_paging_observer *ww_timeline_pages(const ww_timeline *timeline)
{
    return timeline->paged ? &timeline->pages : NULL;
}
