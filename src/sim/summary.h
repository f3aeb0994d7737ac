/* A timed run for people: time, where it went, what the caches and the DRAM did. */
#ifndef WW_SIM_SUMMARY_H
#define WW_SIM_SUMMARY_H

#include "sim/result.h"

void ww_summary_write(const ww_result *result, size_t width, FILE *out);

#endif
