/* What must hold between the keys of the DRAM. */
#ifndef WW_MEM_DRAM_CHECK_H
#define WW_MEM_DRAM_CHECK_H

#include "config/config.h"

int ww_dram_check(const ww_config *config, ww_errors *errors);

#endif
