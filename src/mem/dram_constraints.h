/* The constraints between the DRAM's keys: organisation, timings, bursts, queues. */
#ifndef WW_MEM_DRAM_CONSTRAINTS_H
#define WW_MEM_DRAM_CONSTRAINTS_H

#include "config/config.h"

int ww_dram_check(const ww_config *config, ww_errors *errors);
/* That cache lines of this size, a power of two, fit the DRAM's chunks, rows and bursts. `at` is
 * the location to report. */
int ww_dram_check_line(const ww_config *config, uint64_t line, ww_where at, ww_errors *errors);

#endif
