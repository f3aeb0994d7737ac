/* Studies and outcomes into the database. */
#include "base/build_id.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "study/results_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- a study ---- */

static int insert_study(ww_results *r, const ww_study *study, const char *size, int64_t *id,
                        ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "INSERT INTO studies (name, doc, file, text, asked_size) VALUES (?1, ?2, ?3, ?4, ?5) "
        "ON CONFLICT (name) DO UPDATE SET doc = ?2, file = ?3, text = ?4, asked_size = ?5 "
        "RETURNING id",
        errors);
    bool row = false;
    if (!s)
        return ww_errors_status(errors);
    ww_sql_text(s, 1, study->name);
    ww_sql_text(s, 2, study->doc);
    ww_sql_text(s, 3, study->file);
    ww_sql_text(s, 4, study->text);
    ww_sql_text(s, 5, size);
    int status = ww_sql_next(&r->sql, s, &row, errors);
    *id = row ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return status;
}

static int forget_points(ww_results *r, int64_t study, ww_errors *errors)
{
    char text[160];
    snprintf(text, sizeof(text),
             "DELETE FROM points WHERE study = %lld; DELETE FROM published WHERE study = %lld",
             (long long)study, (long long)study);
    return ww_sql_run(&r->sql, text, errors);
}

static int insert_runs(ww_results *r, const ww_plan *plan, ww_errors *errors)
{
    sqlite3_stmt *s =
        ww_sql_prepare(&r->sql,
                       "INSERT OR IGNORE INTO runs (identity, build, version, workload, size, "
                       "machine, region, seed, command) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                       errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < plan->runs.count && !status; i++) {
        const ww_planned_run *run = plan->runs.items[i];
        ww_sql_text(s, 1, run->identity);
        ww_sql_text(s, 2, plan->build);
        ww_sql_text(s, 3, WW_VERSION);
        ww_sql_text(s, 4, run->workload);
        ww_sql_text(s, 5, run->size);
        ww_sql_text(s, 6, run->machine);
        ww_sql_text(s, 7, run->region);
        ww_sql_number(s, 8, (int64_t)run->seed);
        ww_sql_text(s, 9, run->command);
        status = ww_sql_step(&r->sql, s, errors);
    }
    sqlite3_finalize(s);
    return status;
}

/* {"tlb": "512"} */
static char *axes_text(const ww_point *point)
{
    json_t *object = json_object();
    for (size_t i = 0; i < point->sweep->axis_count; i++) {
        const ww_axis *axis = &point->sweep->axes[i];
        json_object_set_new(object, axis->name,
                            ww_json_text(axis->labels[point->coordinates.axis[i]]));
    }
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

static int insert_points(ww_results *r, int64_t study, const ww_plan *plan, ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "INSERT INTO points (study, number, sweep, workload, variant, axes, seed, run) "
        "SELECT ?, ?, ?, ?, ?, ?, ?, id FROM runs WHERE identity = ? AND build = ?",
        errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < plan->point_count && !status; i++) {
        const ww_point *p = &plan->points[i];
        char *axes = axes_text(p);
        ww_sql_number(s, 1, study);
        ww_sql_number(s, 2, (int64_t)i);
        ww_sql_text(s, 3, p->sweep->name);
        ww_sql_text(
            s, 4, ww_coordinate_label(plan->study, p->sweep, "workload", p->coordinates.workload));
        ww_sql_text(s, 5,
                    ww_coordinate_label(plan->study, p->sweep, "variant", p->coordinates.variant));
        ww_sql_text(s, 6, axes);
        ww_sql_number(s, 7, (int64_t)p->sweep->seeds.items[p->coordinates.seed]);
        ww_sql_text(s, 8, plan->runs.items[p->run]->identity);
        ww_sql_text(s, 9, plan->build);
        status = ww_sql_step(&r->sql, s, errors);
        free(axes);
    }
    sqlite3_finalize(s);
    return status;
}

static int insert_published(ww_results *r, int64_t study, const ww_figure *figure, sqlite3_stmt *s,
                            ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < figure->reference_count && !status; i++) {
        const ww_reference *reference = &figure->references[i];
        ww_sql_number(s, 1, study);
        ww_sql_text(s, 2, figure->name);
        ww_sql_text(s, 3, reference->row);
        ww_sql_text(s, 4, reference->column);
        ww_sql_real(s, 5, reference->value);
        ww_sql_real(s, 6, reference->low);
        ww_sql_real(s, 7, reference->high);
        ww_sql_text(s, 8, reference->source);
        ww_sql_text(s, 9, reference->note);
        status = ww_sql_step(&r->sql, s, errors);
    }
    return status;
}

static int insert_all_published(ww_results *r, int64_t id, const ww_study *study, ww_errors *errors)
{
    sqlite3_stmt *s =
        ww_sql_prepare(&r->sql, "INSERT INTO published VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < study->figure_count && !status; i++)
        status = insert_published(r, id, &study->figures[i], s, errors);
    sqlite3_finalize(s);
    return status;
}

int ww_results_register(ww_results *r, const ww_plan *plan, const char *size, ww_errors *errors)
{
    int64_t id = 0;
    int status = ww_results_begin(r, errors);
    if (status)
        return status;
    status = insert_study(r, plan->study, size, &id, errors);
    if (!status)
        status = forget_points(r, id, errors);
    if (!status)
        status = insert_runs(r, plan, errors);
    if (!status)
        status = insert_points(r, id, plan, errors);
    if (!status)
        status = insert_all_published(r, id, plan->study, errors);
    return ww_results_end(r, status, errors);
}

/* ---- an outcome ---- */

/* Stores the configuration unless it is there; *id is its row. */
static int store_config(ww_results *r, const json_t *config, int64_t *id, ww_errors *errors)
{
    ww_hash128 hash = {{0}};
    char name[WW_IDENTITY_CHARS];
    bool row = false;
    char *text = json_dumps(config, JSON_COMPACT);
    /* The update changes nothing, but lets RETURNING give the row that was there before. */
    sqlite3_stmt *s = ww_sql_prepare(&r->sql,
                                     "INSERT INTO configs (hash, keys) VALUES (?, ?) "
                                     "ON CONFLICT (hash) DO UPDATE SET hash = hash RETURNING id",
                                     errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    if (!status) {
        ww_hash128_add_text(&hash, text ? text : "");
        snprintf(name, sizeof(name), "%016" PRIx64 "%016" PRIx64, hash.words[0], hash.words[1]);
        ww_sql_text(s, 1, name);
        ww_sql_text(s, 2, text ? text : "{}");
        status = ww_sql_next(&r->sql, s, &row, errors);
        *id = row ? sqlite3_column_int64(s, 0) : 0;
    }
    sqlite3_finalize(s);
    free(text);
    return status;
}

static void bind_json(sqlite3_stmt *s, int parameter, const json_t *number)
{
    if (json_is_integer(number))
        ww_sql_number(s, parameter, json_integer_value(number));
    else if (json_is_boolean(number))
        ww_sql_number(s, parameter, json_is_true(number));
    else
        ww_sql_real(s, parameter, json_is_real(number) ? json_real_value(number) : NAN);
}

static int update_run(ww_results *r, const ww_outcome *o, int64_t config, ww_errors *errors)
{
    static const char *const numbers[] = {
        "verified",  "cycles",       "warp_instructions", "thread_instructions",
        "footprint", "host_seconds", "host_peak_bytes"};
    char host[128] = "", commit[WW_COMMIT_CHARS];
    ww_build_commit(commit);
    gethostname(host, sizeof(host) - 1);
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "UPDATE runs SET status = ?2, exit_status = ?3, message = ?4, wall_seconds = ?5, "
        "host = ?6, finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), started = CASE WHEN ?5 "
        "IS NOT NULL THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now', printf('-%.3f seconds', ?5)) END, "
        "parameters = ?7, "
        "verified = ?8, cycles = ?9, warp_instructions = ?10, thread_instructions = ?11, "
        "footprint = ?12, host_seconds = ?13, host_peak_bytes = ?14, first_pass_cycles = ?15, "
        "config = nullif(?16, 0), git_commit = ?17 WHERE id = ?1",
        errors);
    if (!s)
        return ww_errors_status(errors);
    char *parameters = json_dumps(json_object_get(o->result, "parameters"), JSON_COMPACT);
    ww_sql_number(s, 1, o->run);
    ww_sql_text(s, 2, o->result ? "done" : "failed");
    ww_sql_number(s, 3, o->exit_status);
    ww_sql_text(s, 4, o->message);
    ww_sql_real(s, 5, o->wall_seconds);
    ww_sql_text(s, 6, o->host ? o->host : host);
    ww_sql_text(s, 7, parameters);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        bind_json(s, 8 + (int)i, json_object_get(o->result, numbers[i]));
    if (!o->result)
        ww_sql_number(s, 14, (int64_t)o->peak_bytes);
    bind_json(s, 15, json_object_get(json_object_get(o->result, "first_pass"), "cycles"));
    ww_sql_number(s, 16, config);
    ww_sql_text(s, 17, commit);
    int status = ww_sql_step(&r->sql, s, errors);
    sqlite3_finalize(s);
    free(parameters);
    return status;
}

static int insert_stats(ww_results *r, int64_t run, json_t *stats, ww_errors *errors)
{
    sqlite3_stmt *name =
        ww_sql_prepare(&r->sql, "INSERT OR IGNORE INTO stat_names (name) VALUES (?)", errors);
    sqlite3_stmt *value = ww_sql_prepare(&r->sql,
                                         "INSERT OR REPLACE INTO stat_values "
                                         "SELECT ?, id, ? FROM stat_names WHERE name = ?",
                                         errors);
    int status = name && value ? WW_OK : ww_errors_status(errors);
    for (void *at = json_object_iter(stats); at && !status; at = json_object_iter_next(stats, at)) {
        ww_sql_text(name, 1, json_object_iter_key(at));
        status = ww_sql_step(&r->sql, name, errors);
        ww_sql_number(value, 1, run);
        bind_json(value, 2, json_object_iter_value(at));
        ww_sql_text(value, 3, json_object_iter_key(at));
        if (!status)
            status = ww_sql_step(&r->sql, value, errors);
    }
    sqlite3_finalize(name);
    sqlite3_finalize(value);
    return status;
}

static int insert_kernels(ww_results *r, int64_t run, const json_t *kernels, ww_errors *errors)
{
    sqlite3_stmt *s = ww_sql_prepare(
        &r->sql,
        "INSERT INTO kernels VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (run, entry) DO UPDATE SET "
        "launches = launches + 1, cycles = cycles + excluded.cycles, "
        "warp_instructions = warp_instructions + excluded.warp_instructions, "
        "thread_instructions = thread_instructions + excluded.thread_instructions",
        errors);
    int status = s ? WW_OK : ww_errors_status(errors);
    for (size_t i = 0; i < json_array_size(kernels) && !status; i++) {
        const json_t *kernel = json_array_get(kernels, i);
        ww_sql_number(s, 1, run);
        ww_sql_text(s, 2, json_string_value(json_object_get(kernel, "entry")));
        bind_json(s, 3, json_object_get(kernel, "cycles"));
        bind_json(s, 4, json_object_get(kernel, "warp_instructions"));
        bind_json(s, 5, json_object_get(kernel, "thread_instructions"));
        status = ww_sql_step(&r->sql, s, errors);
    }
    sqlite3_finalize(s);
    return status;
}

/* Removes the rows of an earlier try. */
static int forget_outcome(ww_results *r, int64_t run, ww_errors *errors)
{
    char text[300];
    snprintf(text, sizeof(text),
             "DELETE FROM stat_values WHERE run = %lld; DELETE FROM kernels WHERE run = %lld; "
             "DELETE FROM series WHERE run = %lld; DELETE FROM lists WHERE run = %lld",
             (long long)run, (long long)run, (long long)run, (long long)run);
    return ww_sql_run(&r->sql, text, errors);
}

int ww_results_store(ww_results *r, const ww_outcome *o, ww_errors *errors)
{
    int status = ww_results_begin(r, errors);
    if (status)
        return status;
    int64_t config = 0;
    status = forget_outcome(r, o->run, errors);
    if (!status && o->result)
        status = store_config(r, json_object_get(o->result, "config"), &config, errors);
    if (!status)
        status = update_run(r, o, config, errors);
    if (!status && o->result)
        status = insert_stats(r, o->run, json_object_get(o->result, "stats"), errors);
    if (!status && o->result)
        status = insert_kernels(r, o->run, json_object_get(o->result, "kernels"), errors);
    if (!status && o->result)
        status = ww_results_insert_series(r, o->run, json_object_get(o->result, "series"), errors);
    if (!status && o->result)
        status = ww_results_insert_rows(r, o->run, o->result, errors);
    return ww_results_end(r, status, errors);
}
