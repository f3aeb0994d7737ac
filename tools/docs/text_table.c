#include "text_table.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef WW_VEC(const char *) field_list;

/* Reads one field, in place, and returns where the next one begins; NULL: it was the last of its
 * line. */
static char *read_field(char *from, char separator, field_list *fields)
{
    char *to = from;
    bool quoted = separator == ',' && *from == '"';
    ww_vec_push(fields, from);
    from += quoted;
    while (*from && (quoted || *from != separator)) {
        if (quoted && *from == '"' && *++from != '"') {
            quoted = false;
            continue;
        }
        *to++ = *from++;
    }
    bool more = *from == separator;
    *to = '\0';
    return more ? from + 1 : NULL;
}

static int read_line(char *line, int number, char separator, text_table *table, field_list *fields,
                     ww_errors *errors)
{
    size_t before = fields->count;
    for (char *from = line; from;)
        from = read_field(from, separator, fields);
    size_t count = fields->count - before;
    if (!table->column_count)
        table->column_count = count;
    else if (count != table->column_count)
        return ww_fail(errors, WW_BAD_INPUT, (ww_where){table->file, number, 1},
                       "%zu fields (the first line has %zu)", count, table->column_count);
    return WW_OK;
}

static int read_lines(char *bytes, char separator, ww_arena *arena, text_table *table,
                      ww_errors *errors)
{
    field_list fields = {0};
    WW_VEC(int) lines = {0};
    int number = 0;
    int status = WW_OK;
    for (char *line = bytes, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        number++;
        if (line[0] == '#' || line[0] == '\0')
            continue;
        status |= read_line(line, number, separator, table, &fields, errors);
        ww_vec_push(&lines, number);
    }
    if (!status && lines.count) {
        table->row_count = lines.count - 1;
        table->names = ww_arena_alloc(arena, fields.count, sizeof(*table->names));
        memcpy(table->names, fields.items, fields.count * sizeof(*table->names));
        table->fields = table->names + table->column_count;
        table->lines = ww_arena_alloc(arena, lines.count, sizeof(*table->lines));
        memcpy(table->lines, lines.items + 1, table->row_count * sizeof(*table->lines));
    }
    ww_vec_free(&fields);
    ww_vec_free(&lines);
    return status;
}

int text_table_read(const char *path, char separator, ww_arena *arena, text_table *table,
                    ww_errors *errors)
{
    char *bytes;
    size_t count;
    *table = (text_table){.file = ww_arena_strdup(arena, path)};
    int status = ww_read_file(path, WW_NOWHERE, &bytes, &count, errors);
    if (status)
        return status;
    status = read_lines(ww_arena_strndup(arena, bytes, count), separator, arena, table, errors);
    free(bytes);
    return status;
}

int text_table_column(const text_table *table, const char *name, size_t *column, ww_errors *errors)
{
    for (*column = 0; *column < table->column_count; ++*column)
        if (strcmp(table->names[*column], name) == 0)
            return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){table->file, 1, 1}, "no column '%s'", name);
}

const char *text_table_at(const text_table *table, size_t row, size_t column)
{
    return table->fields[row * table->column_count + column];
}
