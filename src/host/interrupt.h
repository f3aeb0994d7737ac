/* Signals that ask the process to end (SIGINT, SIGTERM, SIGHUP), held back while something has to
 * be cleaned up first.
 *
 * hold      from its start to its end these signals wait, except those that the process ignores;
 *           then they do what they would have done. Of the calling thread. */
#ifndef WW_HOST_INTERRUPT_H
#define WW_HOST_INTERRUPT_H

#include <signal.h>

typedef struct ww_hold {
    sigset_t before; /* the thread's mask outside of the hold: for a process that it starts */
    int fd;          /* can be read as soon as a signal waits; -1: not known */
} ww_hold;

void ww_hold_start(ww_hold *hold);
void ww_hold_end(ww_hold *hold);

#endif
