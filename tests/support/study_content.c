#include "support/study_content.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const questions[] = {
    "SELECT * FROM results",
    "SELECT study, number, name, value FROM result_measures "
    "WHERE name NOT LIKE 'host%' ORDER BY study, number, name",
    "SELECT id, identity, build, workload, size, machine, region, seed, command, status, "
    "exit_status, "
    "message, verified, cycles FROM runs ORDER BY id",
    "SELECT run, key, value FROM settings ORDER BY run, key",
    "SELECT * FROM kernels ORDER BY run, entry",
    "SELECT * FROM series ORDER BY run, name",
    "SELECT * FROM published",
};

static void write_row(sqlite3_stmt *s, FILE *out)
{
    for (int i = 0; i < sqlite3_column_count(s); i++)
        fprintf(out, "%s|",
                sqlite3_column_text(s, i) ? (const char *)sqlite3_column_text(s, i) : "");
    fputc('\n', out);
}

static bool write_answer(sqlite3 *db, const char *question, FILE *out)
{
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, question, -1, &s, NULL) != SQLITE_OK)
        return false;
    while (sqlite3_step(s) == SQLITE_ROW)
        write_row(s, out);
    return sqlite3_finalize(s) == SQLITE_OK;
}

char *study_content(const char *path)
{
    sqlite3 *db = NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    bool read = sqlite3_open(path, &db) == SQLITE_OK;
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]) && read; i++)
        read = write_answer(db, questions[i], out);
    sqlite3_close(db);
    fclose(out);
    if (read)
        return text;
    free(text);
    return NULL;
}
