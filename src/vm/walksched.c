#include "vm/walksched.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void ww_walksched_chose_wrongly(const ww_walksched *scheduler, const ww_walk *walk)
{
    fprintf(stderr,
            "internal error: walk.scheduler %s chose %s, though another waits "
            "(src/vm/walksched.h says what it may choose)\n",
            scheduler->policy.name, walk ? "a walk that is held back" : "no walk");
    abort();
}
