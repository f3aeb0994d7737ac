#include "study/results.h"

#include "base/embedded.h"
#include "study/results_internal.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA "data/results/schema.sql"
#define VIEWS "data/results/views.sql"
#define SCHEMA_VERSION 6
#define BUSY_MILLISECONDS 30000
#define MOST_VALUE_BYTES (64 << 20)

static int read_version(ww_results *r, int64_t *version, ww_errors *errors)
{
    bool row = false;
    sqlite3_stmt *statement = ww_sql_prepare(&r->sql, "PRAGMA user_version", errors);
    int status =
        statement ? ww_sql_next(&r->sql, statement, &row, errors) : ww_errors_status(errors);
    *version = row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

/* The version number is not enough, because other programs use it, too. Our file has these tables,
 * and no view instead of a table, which could compute without end. */
#define OUR_TABLES 3
static int count_tables(ww_results *r, int64_t *all, int64_t *ours, ww_errors *errors)
{
    bool row = false;
    sqlite3_stmt *statement =
        ww_sql_prepare(&r->sql,
                       "SELECT count(*) FILTER (WHERE type = 'table'), "
                       "total(type = 'table' AND name IN ('runs', 'stat_values', 'points')) "
                       "- 9 * total((type = 'view' OR sql LIKE '%VIRTUAL%') AND lower(name) IN "
                       "('runs', 'configs', 'stat_names', 'stat_values', 'kernels', 'series', "
                       "'reuse', 'lists', 'studies', 'points', 'published')) FROM sqlite_master",
                       errors);
    int status =
        statement ? ww_sql_next(&r->sql, statement, &row, errors) : ww_errors_status(errors);
    *all = row ? sqlite3_column_int64(statement, 0) : 0;
    *ours = row ? sqlite3_column_int64(statement, 1) : 0;
    sqlite3_finalize(statement);
    return status;
}

static int set_version(ww_results *r, ww_errors *errors)
{
    char version[64];
    snprintf(version, sizeof(version), "PRAGMA user_version = %d", SCHEMA_VERSION);
    return ww_sql_run(&r->sql, version, errors);
}

/* Views are the same whatever version the tables come from. */
static int finish_schema(ww_results *r, ww_errors *errors)
{
    int status = ww_sql_run(&r->sql, ww_embedded_find(VIEWS)->bytes, errors);
    return status ? status : set_version(r, errors);
}

static int create_schema(ww_results *r, ww_errors *errors)
{
    int status = ww_sql_run(&r->sql, ww_embedded_find(SCHEMA)->bytes, errors);
    return status ? status : finish_schema(r, errors);
}

static bool is_older(int64_t version)
{
    return version > 0 && version < SCHEMA_VERSION;
}

#define SERIES                                                                                 \
    "series (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT "               \
    "NOT NULL, cycles INTEGER NOT NULL, bins TEXT NOT NULL, PRIMARY KEY (run, name)) WITHOUT " \
    "ROWID"

#define REUSE                                                                               \
    "reuse (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, kernel TEXT NOT NULL, " \
    "pc INTEGER NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (run, kernel, pc)) WITHOUT ROWID"

#define LISTS                                                                             \
    "lists (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL, " \
    "number INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (run, name, number)) WITHOUT ROWID"

/* What version 5 had in a table of its own. */
#define LISTS_OF_REUSE                                                                     \
    "INSERT INTO lists SELECT run, 'reuse', row_number() OVER (PARTITION BY run ORDER BY " \
    "kernel, pc) - 1, '{\"kernel\":' || json_quote(kernel) || ',\"pc\":' || pc || ',' || " \
    "substr(counts, 2) FROM reuse"

/* By version: the statements that upgrade its tables to the next version. */
static const char *const steps[SCHEMA_VERSION] = {
    [1] = "ALTER TABLE runs ADD COLUMN started TEXT; ALTER TABLE runs ADD COLUMN git_commit TEXT",
    [2] = "", /* other views only */
    [3] = "CREATE TABLE " SERIES,
    [4] = "CREATE TABLE " REUSE,
    [5] = "CREATE TABLE " LISTS "; " LISTS_OF_REUSE "; DROP TABLE reuse",
};

static int upgrade(ww_results *r, int64_t version, ww_errors *errors)
{
    int status = WW_OK;
    for (; version < SCHEMA_VERSION && !status; version++)
        status = ww_sql_run(&r->sql, steps[version], errors);
    return status ? status : finish_schema(r, errors);
}

static int refuse_other(const ww_results *r, ww_errors *errors)
{
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){r->sql.path, 0, 0},
                   "a database, but not of warpwalk results");
}

/* Runs in a transaction, unless nothing is to be written. A new file gets the tables, and an older
 * version is upgraded; a later version or another program's database is refused. */
static int check_schema(ww_results *r, bool may_create, ww_errors *errors)
{
    int64_t version = 0, tables = 0, ours = 0;
    if (read_version(r, &version, errors) || count_tables(r, &tables, &ours, errors))
        return ww_errors_status(errors);
    if (version == 0 && tables == 0 && may_create)
        return create_schema(r, errors);
    if (version == SCHEMA_VERSION && ours == OUR_TABLES)
        return WW_OK;
    if (is_older(version) && ours == OUR_TABLES)
        return upgrade(r, version, errors);
    if (version == 0 || ours != OUR_TABLES)
        return refuse_other(r, errors);
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){r->sql.path, 0, 0},
                   "results of version %lld (this warpwalk knows those up to version %d)",
                   (long long)version, SCHEMA_VERSION);
}

/* Two processes may open a file at once: the tables are made or changed by one of them. */
static int make_schema(ww_results *r, bool may_create, ww_errors *errors)
{
    int status = ww_results_begin(r, errors);
    return status ? status : ww_results_end(r, check_schema(r, may_create, errors), errors);
}

/* Finds damage before hours of runs, not after them. Reads the whole file once. Of the overflow
 * pages of long texts, SQLite only checks that they exist. */
static int check_damage(ww_results *r, ww_errors *errors)
{
    bool row = false;
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "SELECT coalesce((SELECT nullif(quick_check, 'ok') FROM pragma_quick_check(1)), "
        "(SELECT 'configuration ' || id || ' is not JSON' FROM configs "
        "WHERE NOT json_valid(keys) LIMIT 1), 'ok')",
        errors);
    int status = s ? ww_sql_next(&r->sql, s, &row, errors) : ww_errors_status(errors);
    const char *answer = row ? ww_sql_column(s, 0) : "ok", *line = strrchr(answer, '\n');
    if (!status && strcmp(answer, "ok") != 0)
        status = ww_sql_fail_damaged(&r->sql, line ? line + 1 : answer, errors);
    sqlite3_finalize(s);
    return status;
}

/* Only after the check that the file is ours: setting the journal mode changes it. */
static int prepare_to_write(ww_results *r, ww_errors *errors)
{
    int status = make_schema(r, true, errors);
    if (!status)
        status = check_damage(r, errors);
    if (status)
        return status;
    return ww_sql_run(&r->sql,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                      "PRAGMA foreign_keys = ON",
                      errors);
}

/* A file of version 3, 4 or 5 that cannot be written to lacks only tables: others, as long as the
 * connection lasts, do as well. */
static bool lacks_tables(ww_results *r, int64_t version)
{
    return version >= 3 && is_older(version) && sqlite3_db_readonly(r->sql.db, "main") == 1;
}

static int read_unchanged(ww_results *r, int64_t version, ww_errors *errors)
{
    int64_t tables = 0, ours = 0;
    if (count_tables(r, &tables, &ours, errors))
        return ww_errors_status(errors);
    if (ours != OUR_TABLES)
        return refuse_other(r, errors);
    int status =
        ww_sql_run(&r->sql, "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE " LISTS, errors);
    if (!status && version == 3)
        status = ww_sql_run(&r->sql, "CREATE TEMP TABLE " SERIES, errors);
    if (!status && version == 5)
        status = ww_sql_run(&r->sql, LISTS_OF_REUSE, errors);
    return status;
}

static int prepare_to_read(ww_results *r, ww_errors *errors)
{
    int64_t version = 0;
    int status = read_version(r, &version, errors);
    if (status)
        return status;
    if (lacks_tables(r, version))
        return read_unchanged(r, version, errors);
    return is_older(version) ? make_schema(r, false, errors) : check_schema(r, false, errors);
}

int ww_results_begin(ww_results *r, ww_errors *errors)
{
    int moved = 0;
    if (sqlite3_file_control(r->sql.db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
        moved)
        return ww_fail(errors, WW_FAILED, (ww_where){r->path, 0, 0},
                       "the database was removed or replaced while it was in use (the same command "
                       "begins a new one)");
    return ww_sql_run(&r->sql, "BEGIN IMMEDIATE", errors);
}

int ww_results_end(ww_results *r, int status, ww_errors *errors)
{
    if (!status)
        status = ww_sql_run(&r->sql, "COMMIT", errors);
    if (status && !sqlite3_get_autocommit(r->sql.db))
        sqlite3_exec(r->sql.db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- files ---- */

static bool is_there(const char *path, const char *end)
{
    char *name = ww_format("%s%s", path, end);
    bool there = access(name, F_OK) == 0;
    free(name);
    return there;
}

static bool folder_is_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? ww_format("%.*s", (int)(slash + 1 - path), path) : ww_strdup(".");
    bool writable = access(folder, W_OK) == 0;
    free(folder);
    return writable;
}

/* The URI of a file that no process can be writing to, in a folder where SQLite cannot create its
 * own files. The caller frees it. */
static char *unchanging_name(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    fputs("file:", out);
    for (; *path; path++)
        if (*path == '?' || *path == '#' || *path == '%')
            fprintf(out, "%%%02x", (unsigned)(unsigned char)*path);
        else
            fputc(*path, out);
    fputs("?immutable=1", out);
    fclose(out);
    return text;
}

/* SQLite has names that mean no file: "", ":memory:" and "file:...". The caller frees it. */
static char *plain_name(const char *path)
{
    return path[0] == '/' ? ww_strdup(path) : ww_format("./%s", path);
}

/* Otherwise SQLite would give an error without a reason, or create files beside a device. */
static int check_kind(const ww_results *r, ww_errors *errors)
{
    struct stat info;
    ww_where at = {r->path, 0, 0};
    if (!r->path[0])
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "the database's name is empty");
    if (stat(r->path, &info) == 0 && !S_ISREG(info.st_mode))
        return ww_fail(errors, WW_BAD_INPUT, at, "%s (a database is a file)",
                       S_ISDIR(info.st_mode) ? "a folder" : "a device or a pipe");
    return WW_OK;
}

/* A database may be untrusted: its schema runs no triggers, no functions but harmless ones, and
 * cannot change what SQLite itself keeps in the file. */
static int distrust(ww_results *r, ww_errors *errors)
{
    sqlite3 *db = r->sql.db;
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES);
    if (sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
        sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) == SQLITE_OK &&
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) == SQLITE_OK)
        return ww_sql_run(&r->sql, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", errors);
    return ww_sql_fail(&r->sql, errors);
}

/* A journal can name a file that joins several databases, which SQLite removes when it has
 * recovered this one. Ours never do; such a name is in front of eight bytes at the end. */
static int check_journal(const ww_results *r, ww_errors *errors)
{
    static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char end[sizeof(mark)] = {0};
    char *name = ww_format("%s-journal", r->path);
    struct stat info;
    int file = lstat(name, &info) == 0 && S_ISREG(info.st_mode)
                   ? open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                   : -1;
    bool marked =
        file >= 0 && info.st_size >= (off_t)sizeof(mark) &&
        pread(file, end, sizeof(end), info.st_size - (off_t)sizeof(end)) == (ssize_t)sizeof(end) &&
        memcmp(end, mark, sizeof(mark)) == 0;
    int status = WW_OK;
    if (marked)
        status = ww_fail(errors, WW_BAD_INPUT, (ww_where){name, 0, 0},
                         "a journal that names another file, which warpwalk does not make "
                         "(remove it)");
    if (file >= 0)
        close(file);
    free(name);
    return status;
}

/* The last reader removes SQLite's own files if it may write. SQLite opens a file read-only if it
 * may not write it. */
static int open_to_read(ww_results *r, ww_errors *errors)
{
    ww_where at = {r->path, 0, 0};
    bool writable = folder_is_writable(r->path), journal = is_there(r->path, "-wal");
    if (!is_there(r->path, ""))
        return ww_fail(errors, WW_BAD_INPUT, at, "no such file");
    if (!writable && journal && !is_there(r->path, "-shm"))
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "it has a journal that can only be read in a folder that can be written to "
                       "(copy it there with its -wal)");
    char *name = writable || journal ? plain_name(r->path) : unchanging_name(r->path);
    int code = sqlite3_open_v2(name, &r->sql.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL);
    free(name);
    sqlite3_busy_timeout(r->sql.db, BUSY_MILLISECONDS);
    int status = code ? ww_sql_fail(&r->sql, errors) : distrust(r, errors);
    return status ? status : prepare_to_read(r, errors);
}

static int open_to_write(ww_results *r, ww_errors *errors)
{
    char *name = plain_name(r->path);
    int code = sqlite3_open_v2(name, &r->sql.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    free(name);
    sqlite3_busy_timeout(r->sql.db, BUSY_MILLISECONDS);
    int status = code ? ww_sql_fail(&r->sql, errors) : distrust(r, errors);
    return status ? status : prepare_to_write(r, errors);
}

ww_results *ww_results_open(const char *path, ww_results_mode mode, ww_errors *errors)
{
    ww_results *r = ww_calloc(1, sizeof(*r));
    r->path = ww_strdup(path);
    r->sql.path = r->path;
    int status = check_kind(r, errors);
    if (!status)
        status = check_journal(r, errors);
    if (!status)
        status = mode == WW_RESULTS_WRITE ? open_to_write(r, errors) : open_to_read(r, errors);
    if (!status)
        return r;
    ww_results_close(r);
    return NULL;
}

void ww_results_close(ww_results *r)
{
    if (!r)
        return;
    sqlite3_close(r->sql.db);
    free(r->path);
    free(r);
}
