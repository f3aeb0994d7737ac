/* The keys of paging: "paging.". */
#ifndef WW_PAGING_PAGING_SCHEMA_H
#define WW_PAGING_PAGING_SCHEMA_H

#include "config/config.h"

typedef enum ww_paging_mode { WW_PAGING_RESIDENT, WW_PAGING_COPY, WW_PAGING_DEMAND } ww_paging_mode;

typedef enum ww_copy_mode {
    WW_COPY_ALL,
    WW_COPY_INPUTS,
    WW_COPY_ALL_BACK,
    WW_COPY_INPUTS_BACK
} ww_copy_mode;

extern const ww_schema ww_paging_schema; /* the mode */
extern const ww_schema ww_paging_copy_schema;
extern const ww_schema ww_paging_link_schema; /* idle while all pages are resident */
extern const ww_schema ww_paging_demand_schema;

ww_paging_mode ww_paging_mode_of(const ww_config *config);

#endif
