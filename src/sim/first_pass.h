/* First passes: some policies are oracles, which need a profile of the same program.
 *
 * pass        a run of the whole host program on a new device with memory of its own
 * first pass  one with other policies instead of these (ww_policy.first_pass), which records what
 *             they need; its values and statistics are dropped
 * identity    a hash of all that determines a pass: the cache finds an equal pass by it
 *
 * Warps that the first pass did not reach (a region or a limit ended it) are not profiled. A warp
 * that was still running has its time so far. */
#ifndef WW_SIM_FIRST_PASS_H
#define WW_SIM_FIRST_PASS_H

#include "base/hash.h"
#include "config/config.h"
#include "core/warp_times.h"

typedef struct ww_first_pass {
    uint64_t cycles; /* that it took, or its region */
    ww_warp_times *warps;
    uint64_t *pages; /* in the order of their first access; empty unless that was recorded */
    size_t page_count;
} ww_first_pass;

void ww_first_pass_destroy(ww_first_pass *pass);

/* What the chosen policies need, as bits of ww_record, or core.inversion; 0: no first pass. */
unsigned ww_first_pass_records(const ww_config *config);
/* The configuration of the first pass; `config` has to outlive it. */
ww_config *ww_first_pass_config(const ww_config *config);

/* ---- recording ---- */

typedef struct ww_recorder ww_recorder;
struct ww_gpu_observer;

/* `records` are bits of ww_record. */
ww_recorder *ww_recorder_create(unsigned records);
void ww_recorder_destroy(ww_recorder *recorder);
/* For the GPU of the first pass; valid until the recorder is destroyed. */
const struct ww_gpu_observer *ww_recorder_observer(const ww_recorder *recorder);
/* What was recorded; the caller owns it. */
ww_first_pass *ww_recorder_take(ww_recorder *recorder, uint64_t cycles);

/* ---- the cache: host.first_pass_cache ---- */

/* NULL: this build of warpwalk has not cached it, or it is damaged. */
ww_first_pass *ww_first_pass_load(const ww_config *config, ww_hash128 identity);
void ww_first_pass_save(const ww_config *config, ww_hash128 identity, const ww_first_pass *pass);

#endif
