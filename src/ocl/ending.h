/* Signals that end the process: what has to be written is written first.
 *
 * Handlers are set only where the program has none (SIGINT, SIGTERM, SIGHUP and the signals of
 * crashes). A thread of the driver does the work, because a handler may not. */
#ifndef WW_OCL_ENDING_H
#define WW_OCL_ENDING_H

#include <stdbool.h>

/* `write` is called once, with the lock held. */
void ww_cl_ending_watch(void (*write)(void));
int ww_cl_ending_signal(void); /* that asks the process to end; 0: none */

/* The process ends by itself: takes the lock, for which a launch of another thread stops. False: a
 * thread holds it for ever. */
bool ww_cl_ending_lock(void);
bool ww_cl_is_ending(void); /* launches stop */

/* For the thread whose launch the signal has stopped: gives the lock back, and waits for the end of
 * the process, so that the program does not go on. */
void ww_cl_ending_stay(void) __attribute__((noreturn));

#endif
