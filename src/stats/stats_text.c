#include "stats/stats.h"

#include "base/fold.h"

#include <inttypes.h>
#include <string.h>

#define NUMBER_CHARS 40

/* 1234567 as "1,234,567". */
static void write_whole(uint64_t value, char text[NUMBER_CHARS])
{
    char digits[24];
    int count = snprintf(digits, sizeof(digits), "%" PRIu64, value);
    char *to = text;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
}

static void write_number(const ww_reading *reading, char text[NUMBER_CHARS])
{
    if (reading->whole)
        write_whole(reading->count, text);
    else
        snprintf(text, NUMBER_CHARS, "%.6g", reading->real);
}

typedef struct widths {
    int name, number, unit;
} widths;

static int longer(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

static widths measure(const ww_stats *stats)
{
    widths w = {0, 0, 0};
    char number[NUMBER_CHARS];
    for (size_t i = 0; i < ww_stats_count(stats); i++) {
        const ww_reading *reading = ww_stats_at(stats, i);
        write_number(reading, number);
        w.name = longer(w.name, reading->name);
        w.number = longer(w.number, number);
        w.unit = longer(w.unit, reading->unit);
    }
    return w;
}

static void write_heading(const ww_reading *reading, bool is_first, FILE *out)
{
    fprintf(out, "%s%s", is_first ? "" : "\n", reading->table->name);
    if (reading->part != WW_ALL_PARTS)
        fprintf(out, "[%d]", reading->part);
    fprintf(out, ": %s\n", reading->table->doc);
}

void ww_stats_write(const ww_stats *stats, size_t width, FILE *out)
{
    widths w = measure(stats);
    const ww_stat_table *table = NULL;
    int part = WW_ALL_PARTS;
    char number[NUMBER_CHARS];
    for (size_t i = 0; i < ww_stats_count(stats); i++) {
        const ww_reading *reading = ww_stats_at(stats, i);
        if (reading->table != table || reading->part != part)
            write_heading(reading, !table, out);
        table = reading->table;
        part = reading->part;
        write_number(reading, number);
        size_t left = (size_t)fprintf(out, "  %-*s  %*s  %-*s  ", w.name, reading->name, w.number,
                                      number, w.unit, reading->unit);
        ww_fold_write(reading->doc, left, left, width, out);
        fputc('\n', out);
    }
}
