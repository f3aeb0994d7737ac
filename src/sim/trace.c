#include "sim/trace.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define WAIT_CHARS 256
#define LOCATION_CHARS 512

struct ww_trace {
    ww_trace_selector selector;
    FILE *out;
    ww_cu_observer observer;
    uint64_t launch;                   /* that runs */
    uint64_t reasons[WW_REASON_COUNT]; /* cycles of the warp when it last issued */
    uint64_t instructions;
    bool seen;
};

/* ---- the selector ---- */

static bool read_warp(char *text, ww_trace_selector *s)
{
    char *dot = strchr(text, '.');
    if (!dot)
        return false;
    *dot = '\0';
    return ww_parse_u64(text, &s->group) && ww_parse_u64(dot + 1, &s->warp);
}

static bool read_selector(char *text, ww_trace_selector *s)
{
    char *comma = strchr(text, ',');
    if (comma) {
        *comma = '\0';
        if (strncmp(text, "launch=", 7) != 0 || !ww_parse_u64(text + 7, &s->launch) || !s->launch)
            return false;
        text = comma + 1;
    }
    return strncmp(text, "warp=", 5) == 0 && read_warp(text + 5, s);
}

int ww_trace_selector_read(const char *text, ww_trace_selector *selector, ww_errors *errors)
{
    char *copy = ww_strdup(text);
    *selector = (ww_trace_selector){0};
    bool ok = read_selector(copy, selector);
    free(copy);
    if (ok)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--trace is '%.60s' (warp=GROUP.WARP is needed, such as warp=0.0, or "
                   "launch=N,warp=GROUP.WARP)",
                   text);
}

int ww_trace_selector_check(const ww_trace_selector *s, const ww_config *config, ww_errors *errors)
{
    uint64_t slots = ww_config_u64(config, "core.wavefronts");
    if (s->warp < slots)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--trace: no group can have warp %" PRIu64
                   " (a compute unit holds core.wavefronts, %" PRIu64 ", counted from 0)",
                   s->warp, slots);
}

/* ---- lines ---- */

static bool is_selected(const ww_trace *t, const ww_observed *o)
{
    const ww_trace_selector *s = &t->selector;
    return o->warp->group->number == s->group && o->warp->index == s->warp &&
           (!s->launch || s->launch == t->launch);
}

static void started(void *context, const ww_observed *o)
{
    ww_trace *t = context;
    if (!is_selected(t, o))
        return;
    t->seen = true;
    t->instructions = 0;
    memset(t->reasons, 0, sizeof(t->reasons));
    fprintf(t->out,
            "# launch %" PRIu64 ", %s: warp %" PRIu64 ".%" PRIu64 " starts in cycle %" PRIu64
            ", compute unit %u, slot %u\n"
            "#    cycle    pc lanes, location, instruction; cycles waited since the one before\n",
            t->launch, o->launch->launch->entry, t->selector.group, t->selector.warp, o->cycle,
            o->compute_unit, o->slot);
}

/* "data_cache 120, scheduling 3", or nothing. */
static void describe_wait(ww_trace *t, const ww_observed *o, char text[WAIT_CHARS])
{
    static const char *const names[] = {
#define NAME(name, statistic, doc) statistic,
        WW_REASONS(NAME)
#undef NAME
    };
    uint64_t now[WW_REASON_COUNT];
    size_t length = 0;
    text[0] = '\0';
    ww_cu_reasons(o->cu, o->slot, now);
    for (unsigned r = 0; r < WW_REASON_COUNT; r++) {
        uint64_t cycles = now[r] - t->reasons[r];
        if (cycles && r != WW_REASON_EXECUTION && length < WAIT_CHARS)
            length += (size_t)snprintf(text + length, WAIT_CHARS - length, "%s%s %" PRIu64,
                                       length ? ", " : "; ", names[r], cycles);
        t->reasons[r] = now[r];
    }
}

static void issued(void *context, const ww_observed *o, uint32_t pc, uint64_t lanes)
{
    ww_trace *t = context;
    if (!is_selected(t, o))
        return;
    const ww_executor *x = o->launch->executor;
    const ww_instruction *i = x->kernel->instructions[pc];
    char wait[WAIT_CHARS], location[LOCATION_CHARS];
    describe_wait(t, o, wait);
    t->instructions++;
    fprintf(t->out, "%10" PRIu64 " %5u %0*" PRIx64 ", %s, %s%s\n", o->cycle, pc,
            (int)(x->width + 3) / 4, lanes, ww_pc_location(x, pc, location, sizeof(location)),
            i ? i->text : "ret", wait);
}

static void ended(void *context, const ww_observed *o)
{
    const ww_trace *t = context;
    if (is_selected(t, o))
        fprintf(t->out, "# ended before cycle %" PRIu64 " after %" PRIu64 " instructions\n",
                o->cycle, t->instructions);
}

ww_trace *ww_trace_create(const ww_trace_selector *selector, FILE *out)
{
    ww_trace *t = ww_calloc(1, sizeof(*t));
    t->selector = *selector;
    t->out = out;
    t->observer =
        (ww_cu_observer){.started = started, .issued = issued, .ended = ended, .context = t};
    return t;
}

void ww_trace_destroy(ww_trace *trace)
{
    free(trace);
}

const ww_cu_observer *ww_trace_observer(const ww_trace *trace)
{
    return &trace->observer;
}

void ww_trace_launched(ww_trace *trace, uint64_t number)
{
    trace->launch = number;
}

int ww_trace_check(const ww_trace *trace, ww_errors *errors)
{
    const ww_trace_selector *s = &trace->selector;
    if (trace->seen)
        return WW_OK;
    if (s->launch > trace->launch)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--trace: there was no launch %" PRIu64 " (the last is %" PRIu64 ")",
                       s->launch, trace->launch);
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--trace: no launch had warp %" PRIu64 ".%" PRIu64
                   " (groups are counted in launch order and warps in their group, from 0)",
                   s->group, s->warp);
}
