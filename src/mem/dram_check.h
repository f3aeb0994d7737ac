/* What must hold between the keys of the DRAM. */
#ifndef WW_MEM_DRAM_CHECK_H
#define WW_MEM_DRAM_CHECK_H

#include "config/config.h"

int ww_dram_check(const ww_config *config, ww_errors *errors);
/* That cache lines of this size, a power of two, go together with the DRAM's chunks, rows and bursts. `at` is the
 * place to report. */
int ww_dram_check_line(const ww_config *config, uint64_t line, ww_where at, ww_errors *errors);

#endif
