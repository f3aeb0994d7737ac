/* Scoreboards, which keep pending writes alone, against a ready time for each register. */
#include "core/scoreboard.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define REGISTERS 300
#define NEVER UINT64_MAX

static uint64_t plain[REGISTERS];

static uint64_t plain_ready(const uint16_t *registers, unsigned count)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < count; i++)
        last = plain[registers[i]] > last ? plain[registers[i]] : last;
    return last;
}

/* Different registers, most of them of a few that are used often. */
static unsigned choose(ww_rng *rng, uint16_t *registers)
{
    unsigned count = (unsigned)ww_rng_below(rng, 9);
    unsigned among = ww_rng_below(rng, 4) ? 12 : REGISTERS;
    uint16_t first = (uint16_t)ww_rng_below(rng, among);
    for (unsigned i = 0; i < count; i++)
        registers[i] = (uint16_t)((first + i * 7) % REGISTERS);
    return count;
}

static void assert_same(const ww_scoreboard *s, const uint16_t *registers, unsigned count,
                        uint64_t cycle)
{
    uint64_t bits = ww_scoreboard_bits(registers, count);
    uint64_t expected = plain_ready(registers, count);
    uint64_t ready = ww_scoreboard_ready(s, bits, registers, count);
    if (expected > cycle)
        assert_true(ready == expected);
    else
        assert_true(ready <= cycle);
}

/* One that loads: completes the load of one of the registers. */
static void complete_one(ww_scoreboard *s, const uint16_t *registers, unsigned count,
                         uint64_t cycle)
{
    for (unsigned i = 0; i < count; i++)
        if (plain[registers[i]] == NEVER) {
            ww_scoreboard_complete(s, &registers[i], 1, cycle);
            plain[registers[i]] = cycle;
            return;
        }
}

/* As an instruction does it: it waits for all of its registers, then writes the first of them. */
static void issue(ww_scoreboard *s, ww_rng *rng, const uint16_t *registers, unsigned count,
                  uint64_t cycle)
{
    unsigned written = (unsigned)ww_rng_below(rng, count + 1);
    uint64_t at = ww_rng_below(rng, 3) ? cycle + 1 + ww_rng_below(rng, 40) : NEVER;
    ww_scoreboard_write(s, registers, written, cycle, at);
    for (unsigned i = 0; i < written; i++)
        plain[registers[i]] = at;
}

static void random_writes_match_plain_times(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 5);
    ww_scoreboard s = {0};
    uint64_t cycle = 0;
    for (unsigned step = 0; step < 300000; step++) {
        uint16_t registers[16];
        if (step % 5000 == 0) {
            ww_scoreboard_start(&s);
            for (unsigned i = 0; i < REGISTERS; i++)
                plain[i] = 0;
        }
        unsigned count = choose(&rng, registers);
        assert_same(&s, registers, count, cycle);
        if (plain_ready(registers, count) <= cycle)
            issue(&s, &rng, registers, count, cycle);
        else
            complete_one(&s, registers, count, cycle);
        cycle += ww_rng_below(&rng, 6);
    }
    ww_scoreboard_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_writes_match_plain_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
