/* What `warpwalk list` can show: each topic makes a JSON array of objects. */
#ifndef WW_CLI_LIST_H
#define WW_CLI_LIST_H

#include "cli/run_options.h"

#include <jansson.h>

json_t *ww_list_machines(const ww_run_options *options);
json_t *ww_list_workloads(const ww_run_options *options);
json_t *ww_list_policies(const ww_run_options *options);
json_t *ww_list_studies(const ww_run_options *options);
json_t *ww_list_keys(const ww_run_options *options);
json_t *ww_list_stats(const ww_run_options *options);

#endif
