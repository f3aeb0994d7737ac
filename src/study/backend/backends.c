#include "study/backend.h"
#include "study/read.h"

#include <string.h>

/* One line for each back end; the first is the default. */
#define BACKENDS X(local) X(slurm)

#define X(name) extern const ww_backend ww_backend_##name;
BACKENDS
#undef X

#define X(name) &ww_backend_##name,
static const ww_backend *const backends[] = {BACKENDS};
#undef X

#define COUNT (sizeof(backends) / sizeof(backends[0]))

static const ww_backend *find(const char *name, ww_errors *errors)
{
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        names[i] = backends[i]->name;
        if (!name || strcmp(name, names[i]) == 0)
            return backends[i];
    }
    ww_fail_unknown(errors, WW_NOWHERE, "--backend", name, names, COUNT);
    return NULL;
}

const ww_backend *ww_backend_find(const ww_study_options *options, ww_errors *errors)
{
    const ww_backend *backend = find(options->backend, errors);
    const char *option = options->detach               ? "--detach"
                         : options->submit_words.count ? "--slurm"
                                                       : NULL;
    if (!backend || !option || backend->queues)
        return backend;
    ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s needs --backend slurm (runs are made here)",
            option);
    return NULL;
}
