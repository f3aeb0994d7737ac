#include "core/scoreboard.h"

#include "base/memory.h"

#include <string.h>

void ww_scoreboard_start(ww_scoreboard *s)
{
    s->bits = 0;
    s->count = 0;
    if (s->capacity)
        return;
    s->writes = s->near;
    s->capacity = WW_SCOREBOARD_NEAR;
}

void ww_scoreboard_destroy(ww_scoreboard *s)
{
    if (s->writes != s->near)
        free(s->writes);
}

void ww_scoreboard_grow(ww_scoreboard *s, uint32_t capacity)
{
    uint64_t *writes = ww_calloc(capacity * 2, sizeof(*writes));
    memcpy(writes, s->writes, s->count * sizeof(*writes));
    ww_scoreboard_destroy(s);
    s->writes = writes;
    s->capacity = capacity * 2;
}

void ww_scoreboard_complete(ww_scoreboard *s, const uint16_t *registers, unsigned count,
                            uint64_t at)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->writes[i] >> WW_PENDING_REGISTER_BITS == WW_PENDING_LOAD &&
            ww_scoreboard_is_one((uint16_t)s->writes[i], registers, count))
            s->writes[i] = at << WW_PENDING_REGISTER_BITS | (uint16_t)s->writes[i];
}
