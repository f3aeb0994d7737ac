#include "sim/result.h"

#include "base/fold.h"
#include "base/json.h"
#include "base/memory.h"
#include "sim/summary.h"

#include <math.h>

static double speed(const ww_result *r)
{
    return r->host_seconds > 0 ? (double)r->warp_instructions / r->host_seconds : 0;
}

static json_t *verified(const ww_result *r)
{
    return r->verdict == WW_NOT_VERIFIED ? json_null() : json_boolean(r->verdict == WW_VERIFIED);
}

static json_t *region_json(const ww_result *r)
{
    if (!r->region.measure)
        return json_null();
    return json_pack("{s:I, s:I, s:I}", "skip", (json_int_t)r->region.skip, "warm",
                     (json_int_t)r->region.warm, "measure", (json_int_t)r->region.measure);
}

static double unless_negative(double number)
{
    return number > 0 ? number : 0;
}

/* The interval of cycles, and what it rests on. */
static json_t *sample_json(const ww_result *r)
{
    const ww_sampler_result *s = &r->sample;
    json_t *interval =
        json_pack("{s:I, s:I}", "low", (json_int_t)unless_negative(s->cycles - s->half_width),
                  "high", (json_int_t)ceil(s->cycles + s->half_width));
    json_object_set_new(interval, "confidence", ww_json_real(r->confidence));
    json_object_set_new(interval, "error", ww_json_real(ww_ratio(s->half_width, s->cycles)));
    return json_pack("{s:o, s:I, s:I, s:I, s:I}", "interval", interval, "launches",
                     (json_int_t)s->launches, "classes", (json_int_t)s->classes, "timed",
                     (json_int_t)s->timed, "passes", (json_int_t)s->passes);
}

static json_t *first_pass_json(const ww_result *r)
{
    if (!r->had_first_pass)
        return json_null();
    return json_pack("{s:I}", "cycles", (json_int_t)r->first_pass_cycles);
}

json_t *ww_result_object(const ww_result *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "machine", ww_json_text(r->machine));
    json_object_set_new(o, "workload", ww_json_text(r->workload));
    json_object_set_new(o, "size", r->size ? ww_json_text(r->size) : json_null());
    json_object_set_new(o, "parameters", r->parameters ? json_incref(r->parameters) : json_null());
    json_object_set_new(o, "seed", json_integer((json_int_t)r->seed));
    json_object_set_new(o, "version", json_string(WW_VERSION));
    json_object_set_new(o, "config", ww_config_json(r->config));
    json_object_set_new(o, "verified", verified(r));
    json_object_set_new(o, "complete", json_boolean(r->complete));
    json_object_set_new(o, "cycles", r->timed ? json_integer((json_int_t)r->cycles) : json_null());
    json_object_set_new(o, "region", region_json(r));
    if (r->confidence > 0)
        json_object_set_new(o, "sample", sample_json(r));
    json_object_set_new(o, "first_pass", first_pass_json(r));
    if (r->hints)
        json_object_set(o, "hints", r->hints);
    json_object_set_new(o, "warp_instructions", json_integer((json_int_t)r->warp_instructions));
    json_object_set_new(o, "thread_instructions", json_integer((json_int_t)r->thread_instructions));
    json_object_set_new(o, "footprint", json_integer((json_int_t)r->footprint));
    json_object_set_new(o, "host_seconds", ww_json_real(r->host_seconds));
    json_object_set_new(o, "host_peak_bytes", json_integer((json_int_t)r->host_peak_bytes));
    json_object_set_new(o, "warp_instructions_per_host_second", ww_json_real(speed(r)));
    json_object_set(o, "kernels", r->kernels);
    if (r->series)
        json_object_set(o, "series", r->series);
    if (r->reuse)
        json_object_set(o, "reuse", r->reuse);
    if (r->groups)
        json_object_update(o, r->groups);
    json_object_set_new(o, "stats", ww_stats_json(r->stats));
    return o;
}

char *ww_result_json(const ww_result *r)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    json_t *object = ww_result_object(r);
    ww_json_write(object, out);
    json_decref(object);
    fclose(out);
    return text;
}

static const char *verdict_text(const ww_result *r)
{
    if (!r->complete)
        return "INCOMPLETE: it did not come to its end";
    if (r->verdict == WW_NOT_VERIFIED && r->region.measure)
        return "a part of it, not verified";
    if (r->verdict == WW_NOT_VERIFIED)
        return r->unverified ? "not verified (--no-verify)" : "nothing to verify";
    return r->verdict == WW_VERIFIED ? "verified" : "WRONG";
}

static void write_kernels(const ww_result *r, FILE *out)
{
    size_t index;
    json_t *kernel;
    size_t count = json_array_size(r->kernels);
    fprintf(out, "  %-24s%s %16s %20s\n", "launch", r->timed ? "           cycles" : "",
            "warp instr.", "thread instr.");
    json_array_foreach(r->kernels, index, kernel)
    {
        if (index >= 10 && index + 1 < count) {
            if (index == 10)
                fprintf(out, "  ... %zu more\n", count - 11);
            continue;
        }
        fprintf(out, "  %-24s", json_string_value(json_object_get(kernel, "entry")));
        const json_t *cycles = json_object_get(kernel, "cycles");
        if (r->timed && json_is_null(cycles))
            fprintf(out, " %16s", "not timed");
        else if (r->timed)
            fprintf(out, " %16lld", (long long)json_integer_value(cycles));
        fprintf(out, " %16lld %20lld\n",
                (long long)json_integer_value(json_object_get(kernel, "warp_instructions")),
                (long long)json_integer_value(json_object_get(kernel, "thread_instructions")));
    }
}

void ww_result_write_summary(const ww_result *r, size_t width, FILE *out)
{
    ww_fold_line(out, width, 4, "%s%s%s%s on %s: %s", r->workload, r->size ? " (" : "",
                 r->size ? r->size : "", r->size ? ")" : "", r->machine, verdict_text(r));
    if (r->had_first_pass)
        fprintf(out, "after a first pass of %llu cycles\n",
                (unsigned long long)r->first_pass_cycles);
    fprintf(out, "%.1f MiB in buffers; ", (double)r->footprint / (1 << 20));
    fprintf(out, "%.3f s of processor time, %.1f million warp instructions a second\n\n",
            r->host_seconds, speed(r) / 1e6);
    write_kernels(r, out);
    fputc('\n', out);
    if (r->timed)
        ww_summary_write(r, width, out);
    else
        ww_stats_write(r->stats, width, out);
}

void ww_result_clear(ww_result *r)
{
    json_decref(r->kernels);
    json_decref(r->parameters);
    json_decref(r->hints);
    json_decref(r->series);
    json_decref(r->reuse);
    json_decref(r->groups);
    free(r->size);
    ww_stats_destroy(r->stats);
    *r = (ww_result){0};
}
