#include "workload/catalogue.h"

#include "base/embedded.h"
#include "base/text.h"
#include "host/host_memory.h"
#include "workload/host_internal.h"

const ww_workload *ww_catalogue_find(const char *name)
{
    for (size_t i = 0; i < ww_catalogue_count; i++)
        if (strcmp(ww_catalogue[i]->name, name) == 0)
            return ww_catalogue[i];
    return NULL;
}

const char *ww_catalogue_nearest(const char *misspelt)
{
    const char **names = ww_calloc(ww_catalogue_count + 1, sizeof(*names));
    for (size_t i = 0; i < ww_catalogue_count; i++)
        names[i] = ww_catalogue[i]->name;
    const char *near = ww_nearest(misspelt, names, ww_catalogue_count);
    free(names);
    return near;
}

ww_module *ww_workload_module(const ww_workload *workload, ww_errors *errors)
{
    char *source = ww_format("kernels/%s/kernel.cl (PTX)", workload->name);
    char *path = ww_format("kernels/%s/kernel.ptx", workload->name);
    const ww_embedded *ptx = ww_embedded_find(path);
    ww_module *module = NULL;
    if (ptx)
        module = ww_module_parse(source, ptx->bytes, ptx->size, errors);
    else
        ww_fail(errors, WW_FAILED, WW_NOWHERE, "'%s' is not part of this program", path);
    free(path);
    free(source);
    return module;
}

/* ---- a run ---- */

static void check_hints(ww_host *host)
{
    const char **names = ww_calloc(host->arrays.count + 1, sizeof(*names));
    for (size_t i = 0; i < host->arrays.count; i++)
        names[i] = host->arrays.items[i]->buffer->name;
    ww_host_fail(host, ww_hint_list_check(host->options->hints, host->choice->workload->name, names,
                                          host->arrays.count, host->errors));
    free(names);
}

static void allocate(ww_host *host, void *state)
{
    host->choice->workload->allocate(host, state);
    if (ww_host_ok(host))
        check_hints(host);
    if (ww_host_ok(host))
        ww_host_fail(host, ww_check_host_memory(ww_host_footprint(host), host->errors));
}

static void fill(ww_host *host, void *state)
{
    host->choice->workload->fill(host, state);
    for (size_t i = 0; ww_host_ok(host) && i < host->arrays.count; i++) {
        ww_array *array = host->arrays.items[i];
        if (array->role == WW_INPUT)
            array->hash = ww_hash64(array->host, array->buffer->size, 0);
        if (array->role == WW_INPUT || array->role == WW_INOUT)
            ww_host_fail(host, ww_device_written(host->device, array->buffer, host->errors));
    }
}

static void run(ww_host *host, void *state)
{
    host->program = ww_device_load(host->device, host->module, host->errors);
    if (!host->program) {
        ww_host_fail(host, ww_errors_status(host->errors));
        return;
    }
    host->choice->workload->run(host, state);
    for (size_t i = 0; ww_host_ok(host) && i < host->arrays.count; i++) {
        const ww_array *array = host->arrays.items[i];
        if (array->role == WW_OUTPUT || array->role == WW_INOUT)
            ww_host_fail(host, ww_device_readable(host->device, array->buffer, host->errors));
    }
    if (ww_host_ok(host))
        ww_host_fail(host, ww_device_finish(host->device, host->errors));
}

static ww_verdict verify(ww_host *host, void *state)
{
    host->choice->workload->verify(host, state);
    if (!ww_host_ok(host))
        return WW_NOT_VERIFIED;
    ww_host_fail(host, ww_host_judge(host));
    return ww_host_ok(host) ? WW_VERIFIED : WW_WRONG;
}

int ww_workload_run(const ww_choice *choice, const ww_module *module, ww_device *device,
                    const ww_workload_options *options, ww_verdict *verdict, ww_errors *errors)
{
    ww_host host = {
        .choice = choice, .options = options, .module = module, .device = device, .errors = errors};
    void *state = ww_calloc(1, choice->workload->state_size);
    *verdict = WW_NOT_VERIFIED;
    allocate(&host, state);
    if (ww_host_ok(&host))
        fill(&host, state);
    if (ww_host_ok(&host))
        run(&host, state);
    if (ww_host_ok(&host) && options->verify)
        *verdict = verify(&host, state);
    free(state);
    ww_host_close(&host);
    return host.status;
}
