#include "sim/passes.h"

#include "base/memory.h"
#include "sim/session.h"
#include "sim/timed_device.h"

/* One pass: the context of its callbacks. */
typedef struct pass {
    const ww_execution *what;
    const ww_host_program *program;
    const ww_gpu_observer *observer; /* or NULL */
    const ww_first_pass *first_pass; /* made before; NULL: there was none */
    ww_sampler *sampler;             /* NULL: all is timed */
    bool recording;                  /* it is a first pass */
    bool repeated;                   /* kernels have printed already */
    ww_session session;
    json_t *hints; /* about buffers, by name */
    bool stopped;
} pass;

static int progress(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all)
{
    pass *p = context;
    if (p->what->progress)
        p->stopped = p->what->progress(p->what->context, counters, groups_done, groups_all) != 0;
    return p->stopped;
}

static void announce(const pass *p, size_t number)
{
    size_t all = p->program->launches;
    if (p->what->launch && (number <= all || !all))
        p->what->launch(p->what->context, number, all);
}

static int launched(void *context, size_t index, const char *entry, ww_errors *errors)
{
    pass *p = context;
    const json_t *kernel = ww_session_launched(&p->session, entry, true);
    if (p->what->launched && !p->recording)
        p->stopped = p->what->launched(p->what->context, kernel) != 0;
    announce(p, index + 2);
    return p->stopped ? ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted") : WW_OK;
}

/* Makes the device; WW_BAD_INPUT with errors. */
static int begin(pass *p, ww_errors *errors)
{
    const ww_execution *what = p->what;
    ww_session_setting setting = {.config = what->config,
                                  .seed = what->seed,
                                  .max_instructions = what->max_instructions,
                                  .timed = what->timed,
                                  .output = what->output,
                                  .silent = p->recording || p->repeated,
                                  .region = what->region,
                                  .observer = p->observer,
                                  .first_pass = p->first_pass,
                                  .sampler = p->sampler,
                                  .progress = progress,
                                  .context = p};
    if (what->pass)
        what->pass(what->context, p->recording);
    announce(p, 1);
    p->hints = json_object();
    return ww_session_begin(&p->session, &setting, errors);
}

static void end(pass *p)
{
    ww_session_end(&p->session);
    json_decref(p->hints);
}

/* Lets the host program drive the device. */
static int drive(pass *p, ww_verdict *verdict, ww_errors *errors)
{
    ww_host_program_options how = {.seed = p->what->seed,
                                   .verify = p->what->verify,
                                   .leave_no_files = p->recording,
                                   .hints = p->what->hints,
                                   .hints_given = p->hints,
                                   .launched = launched,
                                   .context = p};
    int status = ww_host_program_run(p->program, p->session.device, &how, verdict, errors);
    bool over = p->what->timed && ww_timed_device_is_over(p->session.device);
    return over && !p->stopped ? WW_OK : status;
}

/* ---- the first pass ---- */

/* The limit ends the first pass without an error; the second pass reports it. */
static ww_execution recording_execution(const ww_execution *what, const ww_config *config)
{
    ww_execution first = *what;
    first.config = config;
    first.verify = false;
    first.watch = (ww_run_observer_options){0};
    if (what->max_instructions && !what->region.measure) {
        first.region.measure = what->max_instructions;
        first.max_instructions = 0;
    }
    return first;
}

/* `records`: what the policies of the pass that counts need; those of this pass need nothing. */
static int record(const ww_execution *what, unsigned records, const ww_host_program *program,
                  ww_first_pass **made, bool *stopped, ww_errors *errors)
{
    ww_verdict none = WW_NOT_VERIFIED;
    ww_recorder *recorder = ww_recorder_create(records);
    pass p = {.what = what,
              .program = program,
              .observer = ww_recorder_observer(recorder),
              .recording = true};
    int status = begin(&p, errors);
    if (status == WW_OK)
        status = drive(&p, &none, errors);
    if (status == WW_OK)
        *made = ww_recorder_take(recorder, ww_session_cycles(&p.session));
    else if (status == WW_FAILED && !p.stopped)
        ww_fail(errors, WW_FAILED, WW_NOWHERE,
                "that was in the first pass, which a policy of this configuration needs");
    *stopped = p.stopped;
    end(&p);
    ww_recorder_destroy(recorder);
    return status;
}

#define FORMAT 1 /* of what is recorded: older passes in the cache are not found */

/* From the cache, or by a run; *made stays NULL when no policy needs one. */
static int make_first_pass(const ww_execution *what, const ww_host_program *program,
                           ww_first_pass **made, bool *stopped, ww_errors *errors)
{
    unsigned records = what->timed ? ww_first_pass_records(what->config) : 0;
    if (!records)
        return WW_OK;
    ww_config *config = ww_first_pass_config(what->config);
    ww_execution first = recording_execution(what, config);
    ww_hash128 identity = {{records, FORMAT}};
    int status = WW_OK;
    ww_execution_identify(&first, &identity);
    ww_host_program_identify(program, &identity);
    *made = ww_first_pass_load(config, identity);
    if (!*made) {
        status = record(&first, records, program, made, stopped, errors);
        if (status == WW_OK)
            ww_first_pass_save(config, identity, *made);
    }
    ww_config_destroy(config);
    return status;
}

/* ---- sampling ---- */

/* The functional pass that finds launches that are alike. */
static int make_plan(const ww_execution *what, const ww_host_program *program, ww_sampler *sampler,
                     bool *stopped, ww_errors *errors)
{
    ww_verdict none = WW_NOT_VERIFIED;
    ww_execution plan = *what;
    plan.verify = false;
    pass p = {.what = &plan, .program = program, .sampler = sampler, .recording = true};
    int status = begin(&p, errors);
    if (status == WW_OK)
        status = drive(&p, &none, errors);
    ww_sampler_choose(sampler);
    *stopped = p.stopped;
    end(&p);
    return status;
}

/* ---- the pass that counts ---- */

static int fill_result(const pass *p, ww_verdict verdict, bool complete, ww_result *result,
                       ww_errors *errors)
{
    const ww_execution *what = p->what;
    *result = (ww_result){.machine = what->machine,
                          .workload = what->workload,
                          .verdict = verdict,
                          .unverified = !what->verify,
                          .confidence = p->sampler ? what->sample.confidence : 0,
                          .hints = json_object_size(p->hints) ? json_incref(p->hints) : NULL};
    return ww_session_fill(&p->session, complete, result, errors);
}

/* A verification cannot be stopped: after an interrupt during it there is no verdict. */
static int check_interrupt(pass *p, ww_verdict *verdict, ww_errors *errors)
{
    ww_exec_counters counters = ww_session_counters(&p->session);
    if (!progress(p, &counters, 0, 0))
        return WW_OK;
    *verdict = WW_NOT_VERIFIED;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted");
}

/* `status`: of the first pass. After a failure nothing runs, and the result's counters are 0. */
static int run_and_take_result(pass *p, int status, ww_run_observer *observer, ww_result *result,
                               ww_errors *errors)
{
    ww_verdict verdict = WW_NOT_VERIFIED;
    if (status == WW_OK)
        status = drive(p, &verdict, errors);
    if (status == WW_OK)
        status = check_interrupt(p, &verdict, errors);
    bool complete = status == WW_OK || verdict == WW_WRONG;
    int law = status == WW_BAD_INPUT ? WW_OK : fill_result(p, verdict, complete, result, errors);
    status = status ? status : law;
    result->series = result->kernels && !p->sampler ? ww_run_observer_series(observer) : NULL;
    result->groups = ww_run_observer_groups(observer);
    int finished = ww_run_observer_finish(observer, complete, errors);
    result->interrupted = p->stopped;
    return status ? status : finished;
}

/* The pass that counts; with sampling again, as long as its interval is too wide. */
static int count(pass *p, int status, ww_run_observer *observer, ww_result *result,
                 ww_errors *errors)
{
    for (bool again = true; again;) {
        int made = begin(p, errors);
        status = made ? made : run_and_take_result(p, status, observer, result, errors);
        end(p);
        again = status == WW_OK && p->sampler && ww_sampler_refine(p->sampler);
        if (again)
            ww_result_clear(result);
        p->repeated = true;
    }
    return status;
}

int ww_run_passes(const ww_execution *what, const ww_host_program *program, ww_result *result,
                  ww_errors *errors)
{
    ww_first_pass *first = NULL;
    pass p = {.what = what, .program = program};
    ww_run_observer *observer = ww_run_observer_create(&what->watch, what->config, errors);
    if (!observer)
        return WW_BAD_INPUT;
    p.observer = ww_run_observer_of_gpu(observer);
    p.sampler = what->sample.error > 0 ? ww_sampler_create(&what->sample, what->seed) : NULL;
    int status = p.sampler ? make_plan(what, program, p.sampler, &p.stopped, errors)
                           : make_first_pass(what, program, &first, &p.stopped, errors);
    p.first_pass = first;
    if (status != WW_BAD_INPUT)
        status = count(&p, status, observer, result, errors);
    ww_run_observer_destroy(observer);
    ww_first_pass_destroy(first);
    ww_sampler_destroy(p.sampler);
    return status;
}
