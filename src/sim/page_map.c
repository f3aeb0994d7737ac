#include "sim/page_map.h"

#include "base/memory.h"
#include "vm/vm_schema.h"

#include <inttypes.h>
#include <string.h>

#define ROWS 128u
#define BINS 160u
#define FIRST_BIN 64u /* cycles */
#define BUFFERS 48u

/* What happens to a page. X(name, word) */
#define EVENTS(X)               \
    X(TOUCHED, "touched")       \
    X(DEMANDED, "demanded")     \
    X(PREFETCHED, "prefetched") \
    X(EVICTED, "evicted")

typedef enum event {
#define EVENT_NAME(name, word) name,
    EVENTS(EVENT_NAME) EVENT_COUNT
} event;

#define EVENT_WORD(name, word) word,
static const char *const words[] = {EVENTS(EVENT_WORD)};

typedef struct cell {
    uint32_t count[EVENT_COUNT];
} cell;

typedef struct mapped_buffer {
    char *name;
    uint64_t address, bytes;
    uint64_t number;     /* in memory.h */
    uint64_t first, end; /* pages */
    uint32_t row;        /* its first */
} mapped_buffer;

struct ww_page_map {
    ww_paging_observer observer;
    unsigned page_shift;
    uint64_t hertz;
    uint64_t row_pages, bin_cycles; /* of a row, of a bin */
    uint64_t end;                   /* the first cycle after all events */
    mapped_buffer buffers[BUFFERS];
    uint32_t buffer_count, row_count;
    uint64_t added;       /* the newest buffer of the memory that is here */
    uint64_t left_out;    /* buffers that are not shown */
    WW_VEC(uint8_t) live; /* buffers that exist now, in the order of addresses */
    uint8_t last;         /* the one of the last event, or BUFFERS */
    cell (*cells)[BINS];  /* by row */
};

/* ---- rows ---- */

static uint32_t rows_of(const mapped_buffer *b, uint64_t row_pages)
{
    uint64_t pages = b->end - b->first;
    return pages ? (uint32_t)((pages + row_pages - 1) / row_pages) : 1;
}

static uint32_t all_rows(const ww_page_map *m, uint64_t row_pages)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < m->buffer_count; i++)
        rows += rows_of(&m->buffers[i], row_pages);
    return rows;
}

static void add_cells(cell *to, const cell *from)
{
    for (unsigned t = 0; t < BINS; t++)
        for (unsigned e = 0; e < EVENT_COUNT; e++)
            to[t].count[e] += from[t].count[e];
}

/* Gives every buffer its rows. `before`: pages of a row so far, of the first `known` buffers. */
static void lay_out(ww_page_map *m, uint64_t before, uint32_t known)
{
    cell(*old)[BINS] = m->cells;
    uint32_t row = 0;
    m->row_count = all_rows(m, m->row_pages);
    m->cells = ww_calloc(m->row_count, sizeof(*m->cells));
    for (uint32_t i = 0; i < m->buffer_count; i++) {
        mapped_buffer *b = &m->buffers[i];
        uint32_t rows = rows_of(b, m->row_pages);
        uint32_t old_rows = i < known ? rows_of(b, before) : 0;
        for (uint32_t r = 0; r < old_rows; r++)
            add_cells(m->cells[row + (uint32_t)(r * before / m->row_pages)], old[b->row + r]);
        b->row = row;
        row += rows;
    }
    free(old);
}

static void add_buffer(ww_page_map *m, const ww_buffer *buffer)
{
    uint64_t before = m->row_pages;
    uint32_t known = m->buffer_count;
    if (known == BUFFERS) {
        m->left_out++;
        return;
    }
    m->buffers[m->buffer_count++] = (mapped_buffer){
        .name = ww_strdup(buffer->name ? buffer->name : ""),
        .address = buffer->address,
        .bytes = buffer->size,
        .number = buffer->number,
        .first = buffer->address >> m->page_shift,
        .end = (buffer->address + buffer->size + (1ull << m->page_shift) - 1) >> m->page_shift};
    while (all_rows(m, m->row_pages) > ROWS)
        m->row_pages *= 2;
    lay_out(m, before, known);
}

/* ---- buffers ---- */

static void add_live(ww_page_map *m, const ww_buffer *buffer)
{
    for (uint8_t i = 0; i < m->buffer_count; i++)
        if (m->buffers[i].number == buffer->number)
            ww_vec_push(&m->live, i);
}

void ww_page_map_launched(ww_page_map *m, const ww_memory *memory)
{
    const ww_buffer *const *buffers;
    size_t count = ww_memory_buffers(memory, &buffers);
    for (size_t i = 0; i < count; i++)
        if (buffers[i]->number > m->added)
            add_buffer(m, buffers[i]);
    m->added = ww_memory_added(memory);
    m->live.count = 0;
    m->last = BUFFERS;
    for (size_t i = 0; i < count; i++)
        add_live(m, buffers[i]);
}

static bool holds(const mapped_buffer *b, uint64_t page)
{
    return page >= b->first && page < b->end;
}

/* NULL: code or private memory. A page of two buffers counts for one of them. */
static const mapped_buffer *find(ww_page_map *m, uint64_t page)
{
    if (m->last < BUFFERS && holds(&m->buffers[m->last], page))
        return &m->buffers[m->last];
    for (size_t i = 0; i < m->live.count; i++)
        if (holds(&m->buffers[m->live.items[i]], page)) {
            m->last = m->live.items[i];
            return &m->buffers[m->last];
        }
    return NULL;
}

/* ---- events ---- */

static void double_bins(ww_page_map *m)
{
    for (uint32_t r = 0; r < m->row_count; r++) {
        cell *row = m->cells[r];
        for (unsigned t = 0; t < BINS / 2; t++)
            for (unsigned e = 0; e < EVENT_COUNT; e++)
                row[t].count[e] = row[2 * t].count[e] + row[2 * t + 1].count[e];
        memset(&row[BINS / 2], 0, BINS / 2 * sizeof(*row));
    }
    m->bin_cycles *= 2;
}

static void add_time(ww_page_map *m, uint64_t cycle)
{
    m->end = cycle + 1 > m->end ? cycle + 1 : m->end;
    while (m->end > BINS * m->bin_cycles)
        double_bins(m);
}

static void add_event(ww_page_map *m, uint64_t cycle, uint64_t page, event what)
{
    const mapped_buffer *b = find(m, page);
    add_time(m, cycle);
    if (!b)
        return;
    cell *row = m->cells[b->row + (uint32_t)((page - b->first) / m->row_pages)];
    row[cycle / m->bin_cycles].count[what]++;
}

static void accessed(void *context, uint64_t cycle, uint64_t page)
{
    add_event(context, cycle, page, TOUCHED);
}

static void migrated(void *context, uint64_t from, uint64_t to, uint64_t page, bool demanded)
{
    (void)from;
    add_event(context, to, page, demanded ? DEMANDED : PREFETCHED);
}

static void evicted(void *context, uint64_t cycle, uint64_t page, bool sent_back)
{
    (void)sent_back;
    add_event(context, cycle, page, EVICTED);
}

/* ---- life ---- */

ww_page_map *ww_page_map_create(const ww_config *config)
{
    ww_page_map *m = ww_calloc(1, sizeof(*m));
    m->page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(config));
    m->hertz = ww_config_hertz(config, "gpu.clock");
    m->row_pages = 1;
    m->bin_cycles = FIRST_BIN;
    m->last = BUFFERS;
    m->observer = (ww_paging_observer){
        .accessed = accessed, .migrated = migrated, .evicted = evicted, .context = m};
    return m;
}

void ww_page_map_destroy(ww_page_map *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->buffer_count; i++)
        free(m->buffers[i].name);
    ww_vec_free(&m->live);
    free(m->cells);
    free(m);
}

const ww_paging_observer *ww_page_map_observer(const ww_page_map *m)
{
    return &m->observer;
}

/* ---- results ---- */

unsigned ww_page_map_bins(const ww_page_map *m)
{
    return (unsigned)((m->end + m->bin_cycles - 1) / m->bin_cycles);
}

uint64_t ww_page_map_end(const ww_page_map *m)
{
    return ww_page_map_bins(m) * m->bin_cycles;
}

void ww_page_map_extend(ww_page_map *m, uint64_t cycle)
{
    if (cycle)
        add_time(m, cycle - 1);
}

static double microseconds(const ww_page_map *m, uint64_t cycles)
{
    return (double)cycles * 1e6 / (double)m->hertz;
}

static uint32_t row_pages_of(const ww_page_map *m, const mapped_buffer *b, uint32_t row)
{
    uint64_t first = b->first + row * m->row_pages;
    return (uint32_t)(b->end - first < m->row_pages ? b->end - first : m->row_pages);
}

static bool is_empty(const cell *c)
{
    uint32_t any = 0;
    for (unsigned e = 0; e < EVENT_COUNT; e++)
        any |= c->count[e];
    return !any;
}

static json_t *buffers_json(const ww_page_map *m)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < m->buffer_count; i++) {
        const mapped_buffer *b = &m->buffers[i];
        json_array_append_new(
            array, json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "name", ww_json_text(b->name),
                             "address", (json_int_t)b->address, "bytes", (json_int_t)b->bytes,
                             "pages", (json_int_t)(b->end - b->first), "row", (json_int_t)b->row,
                             "rows", (json_int_t)rows_of(b, m->row_pages)));
    }
    return array;
}

/* An array for each property: short, though there are many. */
static json_t *cells_json(const ww_page_map *m)
{
    json_t *rows = json_array(), *times = json_array(), *counts[EVENT_COUNT];
    json_t *object = json_pack("{s:o, s:o}", "row", rows, "bin", times);
    for (unsigned e = 0; e < EVENT_COUNT; e++)
        json_object_set_new(object, words[e], counts[e] = json_array());
    for (uint32_t r = 0; r < m->row_count; r++)
        for (unsigned t = 0; t < ww_page_map_bins(m); t++) {
            const cell *c = &m->cells[r][t];
            if (is_empty(c))
                continue;
            json_array_append_new(rows, json_integer(r));
            json_array_append_new(times, json_integer(t));
            for (unsigned e = 0; e < EVENT_COUNT; e++)
                json_array_append_new(counts[e], json_integer(c->count[e]));
        }
    return object;
}

json_t *ww_page_map_json(const ww_page_map *m)
{
    return json_pack("{s:I, s:I, s:i, s:o, s:o, s:I, s:o, s:o}", "page_bytes",
                     (json_int_t)1 << m->page_shift, "row_pages", (json_int_t)m->row_pages, "bins",
                     (int)ww_page_map_bins(m), "bin_us",
                     ww_json_real(microseconds(m, m->bin_cycles)), "end_us",
                     ww_json_real(microseconds(m, m->end)), "buffers_left_out",
                     (json_int_t)m->left_out, "buffers", buffers_json(m), "cells", cells_json(m));
}

/* Quoted, with quotes doubled, where it needs that. */
static void write_name(const char *name, FILE *out)
{
    bool plain = !strpbrk(name, ",\"\n\r");
    for (fputs(plain ? "" : "\"", out); *name; name++)
        fputs(*name == '"' ? "\"\"" : (char[]){*name, 0}, out);
    fputs(plain ? "" : "\"", out);
}

static void write_row(const ww_page_map *m, const mapped_buffer *b, uint32_t row, FILE *out)
{
    for (unsigned t = 0; t < ww_page_map_bins(m); t++) {
        const cell *c = &m->cells[b->row + row][t];
        char from[WW_DOUBLE_CHARS], to[WW_DOUBLE_CHARS];
        if (is_empty(c))
            continue;
        ww_double_text(microseconds(m, t * m->bin_cycles), from);
        ww_double_text(microseconds(m, (t + 1) * m->bin_cycles), to);
        write_name(b->name, out);
        fprintf(out, ",%" PRIu64 ",%" PRIu32 ",%s,%s", row * m->row_pages, row_pages_of(m, b, row),
                from, to);
        for (unsigned e = 0; e < EVENT_COUNT; e++)
            fprintf(out, ",%" PRIu32, c->count[e]);
        fputc('\n', out);
    }
}

void ww_page_map_write_csv(const ww_page_map *m, FILE *out)
{
    fputs("buffer,first_page,pages,from_us,to_us", out);
    for (unsigned e = 0; e < EVENT_COUNT; e++)
        fprintf(out, ",%s", words[e]);
    fputc('\n', out);
    for (uint32_t i = 0; i < m->buffer_count; i++)
        for (uint32_t r = 0; r < rows_of(&m->buffers[i], m->row_pages); r++)
            write_row(m, &m->buffers[i], r, out);
}

ww_page_map_format ww_page_map_format_of(const char *path)
{
    static const char *const endings[] = {".html", ".json", ".csv"};
    size_t length = strlen(path);
    unsigned i = 0;
    for (; i < WW_PAGE_MAP_NONE; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0)
            break;
    }
    return (ww_page_map_format)i;
}
