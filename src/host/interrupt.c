#include "host/interrupt.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

void ww_hold_start(ww_hold *hold)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&held, signals[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held, &hold->before);
    hold->fd = signalfd(-1, &held, SFD_CLOEXEC);
}

void ww_hold_end(ww_hold *hold)
{
    if (hold->fd >= 0)
        close(hold->fd);
    pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
}
