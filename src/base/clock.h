/* Time on the host. */
#ifndef WW_BASE_CLOCK_H
#define WW_BASE_CLOCK_H

#include <time.h>

/* Processor time of this process so far, in seconds. */
static inline double ww_processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
