#include "core/scoreboard.h"

#include "base/memory.h"

#include <string.h>

void ww_scoreboard_start(ww_scoreboard *s, uint32_t *capacity, uint32_t registers)
{
    if (registers > *capacity) {
        free(s->ready_at);
        s->ready_at = ww_calloc(registers, sizeof(*s->ready_at));
        *capacity = registers;
        return;
    }
    memset(s->ready_at, 0, registers * sizeof(*s->ready_at));
}

void ww_scoreboard_destroy(ww_scoreboard *s)
{
    free(s->ready_at);
}
