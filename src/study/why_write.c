/* The answer: for people, and as JSON. */
#include "base/fold.h"
#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "mem/blame.h"
#include "study/why.h"

#include <string.h>

#define CELL 64
#define SHOWN_SHARE 0.005
/* A gain below this is none. */
#define SMALL_GAIN 1.02

static const char *const cause_names[] = {
#define NAME(id, statistic, doc) statistic,
    WW_CAUSES(NAME)
#undef NAME
};
static const char *const cause_docs[] = {
#define DOC(id, statistic, doc) doc,
    WW_CAUSES(DOC)
#undef DOC
};

static double base_cycles(const ww_why *why)
{
    return json_number_value(json_object_get(why->base, "cycles"));
}

static double gain_of(const ww_why *why, const ww_relaxation *r)
{
    return r->cycles ? base_cycles(why) / (double)r->cycles : 0;
}

/* The largest gain first; of equal ones that which stands first in the table. */
void ww_why_rank(ww_why *why)
{
    ww_relaxation *r = why->relaxations.items;
    for (size_t i = 1; i < why->relaxations.count; i++) {
        ww_relaxation moved = r[i];
        size_t to = i;
        for (; to > 0 && gain_of(why, &r[to - 1]) < gain_of(why, &moved); to--)
            r[to] = r[to - 1];
        r[to] = moved;
    }
}

/* ---- texts ---- */

/* Of the warps' time, that in which they wait for memory. */
static double memory_share(const ww_why *why)
{
    double share = 0;
    for (unsigned i = 0; i < WW_CAUSE_COUNT; i++)
        share += ww_why_warp_share(why, i);
    return share;
}

static unsigned largest_cause(const ww_why *why)
{
    unsigned largest = 0;
    for (unsigned i = 1; i < WW_CAUSE_COUNT; i++)
        if (ww_why_warp_share(why, i) > ww_why_warp_share(why, largest))
            largest = i;
    return largest;
}

static const char *factor_text(const ww_relaxation *r, char text[CELL])
{
    if (r->factor)
        snprintf(text, CELL, "%c %u", r->less ? '/' : 'x', r->factor);
    else
        snprintf(text, CELL, "ideal");
    return text;
}

static const char *storage_text(const ww_relaxation *r, char text[CELL])
{
    double bytes = (double)r->bytes;
    if (!r->stored)
        snprintf(text, CELL, "-");
    else if (bytes < 10240)
        snprintf(text, CELL, "+%.0f B", bytes);
    else if (bytes < 10240.0 * 1024)
        snprintf(text, CELL, "+%.0f KiB", bytes / 1024);
    else
        snprintf(text, CELL, "+%.0f MiB", bytes / 1024 / 1024);
    return text;
}

/* The text with another word behind it, and frees the text; the caller frees the result. */
static char *with_word(char *text, const char *before, const char *prefix, const char *word)
{
    char *longer = ww_format("%s%s%s%s", text, before, prefix, word);
    free(text);
    return longer;
}

/* Each setting after `prefix`, and what is left out; the caller frees it. */
static char *settings_text(const ww_relaxation *r, const char *prefix)
{
    char *text = ww_strdup("");
    for (size_t i = 0; r->settings[i]; i++)
        text = with_word(text, i ? " " : "", prefix, r->settings[i]);
    for (size_t i = 0; i < r->without.count; i++)
        text = with_word(text, i ? ", " : " without ", prefix, r->without.items[i]);
    return text;
}

/* What it waits for, and what helps most; the caller frees it. */
static char *sentence_of(const ww_why *why)
{
    unsigned cause = largest_cause(why);
    const ww_relaxation *best = why->relaxations.count ? &why->relaxations.items[0] : NULL;
    double gain = best ? gain_of(why, best) : 0;
    double waiting = memory_share(why);
    char *settings = best ? settings_text(best, "") : NULL;
    char *waits =
        waiting > 0
            ? ww_format(
                  "Warps wait for memory in %.0f%% of their time, most of it for %s (%.0f%%: %s)",
                  100 * waiting, cause_names[cause], 100 * ww_why_warp_share(why, cause),
                  cause_docs[cause])
            : ww_strdup("Warps never wait for memory");
    char *sentence =
        gain >= SMALL_GAIN
            ? ww_format("%s; of what was tried, %s (%s) helps most: %.2f times as fast.", waits,
                        best->what, settings, gain)
            : ww_format("%s; nothing that was tried makes it faster by 2%% or more.", waits);
    free(waits);
    free(settings);
    return sentence;
}

/* ---- for people ---- */

static void write_causes(const ww_why *why, size_t width, FILE *out)
{
    char requests[CELL], warps[CELL];
    ww_table *table = ww_table_create(4);
    ww_table_add(table, (const char *[]){"waits for", "requests", "warps", ""});
    for (unsigned i = 0; i < WW_CAUSE_COUNT; i++) {
        double of_requests = ww_why_request_share(why, i), of_warps = ww_why_warp_share(why, i);
        if (of_requests < SHOWN_SHARE && of_warps < SHOWN_SHARE)
            continue;
        snprintf(requests, sizeof(requests), "%.1f%%", 100 * of_requests);
        snprintf(warps, sizeof(warps), "%.1f%%", 100 * of_warps);
        ww_table_add(table, (const char *[]){cause_names[i], requests, warps, cause_docs[i]});
    }
    ww_table_write(table, width, out);
    ww_table_destroy(table);
}

static void write_row(const ww_why *why, const ww_relaxation *r, ww_table *table)
{
    char gain[CELL], cycles[CELL], factor[CELL], storage[CELL];
    char *settings = settings_text(r, "-s ");
    snprintf(gain, sizeof(gain), "%.3f", gain_of(why, r));
    snprintf(cycles, sizeof(cycles), "%llu", (unsigned long long)r->cycles);
    if (!r->cycles)
        snprintf(cycles, sizeof(cycles), "%s", r->failure ? "failed" : "not run");
    ww_table_add(table,
                 (const char *[]){r->cycles ? gain : "-", cycles, r->what, factor_text(r, factor),
                                  storage_text(r, storage), settings});
    free(settings);
}

static void write_relaxations(const ww_why *why, size_t width, FILE *out)
{
    ww_table *table = ww_table_create(6);
    ww_table_add(table, (const char *[]){"times as fast", "cycles", "resource", "", "storage",
                                         "warpwalk run ..."});
    for (size_t i = 0; i < why->relaxations.count; i++)
        write_row(why, &why->relaxations.items[i], table);
    ww_table_write(table, width, out);
    ww_table_destroy(table);
}

static size_t measured(const ww_why *why)
{
    size_t count = 0;
    for (size_t i = 0; i < why->relaxations.count; i++)
        count += why->relaxations.items[i].cycles || why->relaxations.items[i].failure;
    return count;
}

void ww_why_write(const ww_why *why, FILE *out)
{
    size_t width = why->options->width;
    char *sentence = sentence_of(why);
    const char *size = json_string_value(json_object_get(why->base, "size"));
    ww_fold_line(out, width, 4, "%s%s%s%s on %s: %.0f cycles", why->options->workload,
                 size ? " (" : "", size ? size : "", size ? ")" : "", why->options->machine,
                 base_cycles(why));
    ww_fold_line(out, width, 0, "%s", sentence);
    fputc('\n', out);
    write_causes(why, width, out);
    fputs("\nwhat would help, one at a time, as measured\n", out);
    write_relaxations(why, width, out);
    if (why->interrupted)
        fprintf(out, "\ninterrupted: %zu of %zu runs were made\n", measured(why),
                why->relaxations.count);
    free(sentence);
}

/* ---- for scripts ---- */

static json_t *causes_json(const ww_why *why, bool warps)
{
    json_t *all = json_object();
    for (unsigned i = 0; i < WW_CAUSE_COUNT; i++) {
        double share = warps ? ww_why_warp_share(why, i) : ww_why_request_share(why, i);
        json_object_set_new(all, cause_names[i], ww_json_real(share));
    }
    return all;
}

static json_t *relaxation_json(const ww_why *why, const ww_relaxation *r)
{
    json_t *one = json_object(), *settings = json_array(), *without = json_array();
    for (size_t i = 0; r->settings[i]; i++)
        json_array_append_new(settings, ww_json_text(r->settings[i]));
    json_object_set_new(one, "resource", json_string(r->what));
    json_object_set_new(one, "factor", r->factor ? json_integer(r->factor) : json_null());
    for (size_t i = 0; i < r->without.count; i++)
        json_array_append_new(without, ww_json_text(r->without.items[i]));
    json_object_set_new(one, "settings", settings);
    json_object_set_new(one, "without", without);
    json_object_set_new(one, "cycles",
                        r->cycles ? json_integer((json_int_t)r->cycles) : json_null());
    json_object_set_new(one, "speedup", r->cycles ? ww_json_real(gain_of(why, r)) : json_null());
    json_object_set_new(one, "storage_bytes",
                        r->stored ? json_integer((json_int_t)r->bytes) : json_null());
    json_object_set_new(one, "blame_share", ww_json_real(r->share));
    json_object_set_new(one, "failure", r->failure ? ww_json_text(r->failure) : json_null());
    return one;
}

/* What repeats the base: `run` with these gives its cycles. */
static void add_inputs(const ww_why *why, json_t *all)
{
    static const char *const of_base[] = {"size",   "parameters", "seed",
                                          "region", "version",    "hints"};
    json_t *settings = json_array();
    for (size_t i = 0; i < why->options->settings.count; i++)
        json_array_append_new(settings, ww_json_text(why->options->settings.items[i]));
    json_object_set_new(all, "workload", ww_json_text(why->options->workload));
    json_object_set_new(all, "machine", ww_json_text(why->options->machine));
    json_object_set_new(all, "settings", settings);
    for (size_t i = 0; i < sizeof(of_base) / sizeof(of_base[0]); i++)
        json_object_set(all, of_base[i], json_object_get(why->base, of_base[i]));
}

void ww_why_write_json(const ww_why *why, FILE *out)
{
    json_t *all = json_object(), *runs = json_array();
    char *sentence = sentence_of(why);
    add_inputs(why, all);
    json_object_set_new(all, "complete", json_boolean(!why->interrupted));
    json_object_set(all, "cycles", json_object_get(why->base, "cycles"));
    json_object_set_new(all, "sentence", ww_json_text(sentence));
    json_object_set_new(all, "waits_for_memory", ww_json_real(memory_share(why)));
    json_object_set_new(all, "requests", causes_json(why, false));
    json_object_set_new(all, "warps", causes_json(why, true));
    for (size_t i = 0; i < why->relaxations.count; i++)
        json_array_append_new(runs, relaxation_json(why, &why->relaxations.items[i]));
    json_object_set_new(all, "relaxations", runs);
    ww_json_write(all, out);
    json_decref(all);
    free(sentence);
}

/* ---- both ---- */

static int write_answer(const ww_why *why, ww_errors *errors)
{
    const char *path = why->options->json;
    bool only_json = path && strcmp(path, "-") == 0;
    char *text = NULL;
    size_t length = 0;
    int status = WW_OK;
    FILE *json = path ? open_memstream(&text, &length) : NULL;
    if (json) {
        ww_why_write_json(why, json);
        fclose(json);
    }
    if (only_json)
        fputs(text, why->options->out);
    else if (path)
        status = ww_write_file(path, text, length, errors);
    if (!only_json)
        ww_why_write(why, why->options->out);
    free(text);
    return status;
}

int ww_why_answer(const ww_why_options *options, int *signal, ww_errors *errors)
{
    ww_why why = {.options = options};
    int status = ww_why_run(&why, errors);
    if (why.base && !status) {
        ww_why_rank(&why);
        status = write_answer(&why, errors);
    } else if (why.interrupted) {
        ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted before anything was known");
    }
    *signal = why.interrupted;
    ww_why_clear(&why);
    return status;
}
