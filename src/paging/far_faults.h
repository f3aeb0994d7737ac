/* Far-faults as hardware keeps them (HPCA 2016, section 3): the MMU's far-fault miss registers, and
 * each compute unit's count of refused requests.
 *
 * register   (far-fault MSHR) a page that the driver was told of, and the compute units that want
 *            it. A compute unit may have so many (paging.faults_per_cu); a fault beyond is dropped.
 * Nack       (Nack-Replayable) the answer to a request that faulted. It says whether the request is
 *            tracked. The paper's TLB counts its Nacks to know that, which is the same only if a
 *            page that another compute unit waits for takes a register, too (merged_faults).
 * tracked    the page has a register: the MMU tells the compute unit when the page has come
 * untracked  all registers of the compute unit are in use: nobody works on it. The oldest is
 *            replayed when a notice has come, or when one before it was translated. Where a
 *            replay leads to no request, because the instruction waits for other pages, the next
 *            one follows. If it is refused again since others took the registers, and its page
 *            is urgent, it is tracked beyond the limit: when pages leave as well as come, the turn
 *            could be in vain for ever. When memory is full, that of the oldest instruction goes
 *            first, so that its pages come one after the other.
 * notice     the page has come: its compute units replay it
 * blocking   (paging.faults) from a fault on, the compute unit's L1 TLBs take no request but
 *            replays, until all refused requests are translated, or earlier (blocked_until); then
 *            the next fault blocks again. It has one register.
 *
 * The decision is made when the Nack reaches the compute unit. So a request that merged with that
 * of another compute unit in a shared TLB has its own entry, as without such a TLB. */
#ifndef WW_PAGING_FAR_FAULTS_H
#define WW_PAGING_FAR_FAULTS_H

#include "paging/hardware.h"
#include "paging/residency.h"
#include "paging/timers.h"

/* What ends the blocking, if not the last refused request that is translated. */
typedef enum ww_blocked_until {
    WW_BLOCKED_UNTIL_ALL,
    WW_BLOCKED_UNTIL_FIRST,  /* any one that is translated, if no other is tracked */
    WW_BLOCKED_UNTIL_ARRIVAL /* the notice of a page */
} ww_blocked_until;

typedef struct ww_far_faults_config {
    unsigned cus;
    uint64_t registers; /* of each compute unit */
    bool blocking;
    ww_blocked_until blocked_until;
    bool merged_count; /* a page that has a register already takes one more */
} ww_far_faults_config;

typedef struct ww_far_faults_wiring {
    const ww_timers *timers;
    const ww_page_residency *residency;
    struct ww_paging_counters *counters;
    /* The driver is told of a page, once for each register. */
    void (*fault)(void *context, ww_page_record *record);
    /* Whether the page must come at last, so that the program goes on. NULL: no page is urgent. */
    bool (*is_urgent)(void *context, const ww_page_record *record);
    bool (*is_full)(void *context); /* a page that comes makes one leave; NULL: never */
    void *context;
    const ww_paging_hardware *hardware;
} ww_far_faults_wiring;

typedef struct ww_far_faults ww_far_faults;

ww_far_faults *ww_far_faults_create(const ww_far_faults_config *config,
                                    const ww_far_faults_wiring *wiring);
void ww_far_faults_destroy(ww_far_faults *faults);

/* A request of the compute unit was refused. */
void ww_far_faults_nack(ww_far_faults *faults, unsigned cu, ww_page_record *record,
                        uint64_t instruction);
/* A request of the compute unit for the page was translated. */
void ww_far_faults_translated(ww_far_faults *faults, unsigned cu, ww_page_record *record);
/* The page has come. */
void ww_far_faults_notice(ww_far_faults *faults, ww_page_record *record);
/* Untracked requests whose page has come for others are replayed. */
void ww_far_faults_replay_resident(ww_far_faults *faults);
/* Refused requests of all compute units that are not translated yet. */
void ww_far_faults_explain(const ww_far_faults *faults, FILE *out);
uint64_t ww_far_faults_outstanding(const ww_far_faults *faults);

#endif
