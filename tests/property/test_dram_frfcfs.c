/* FR-FCFS against a model that tries every bank in every cycle: the same commands at the same
 * cycles. */
#include "support/dram_rig.h"
#include "support/dram_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { END = 100000000, REQUESTS = 400 };

typedef struct waiting {
    uint64_t arrival;
    ww_dram_address at;
    int bursts;
} waiting;

typedef struct naive {
    const ww_dram_type *type;
    waiting requests[REQUESTS];
    size_t left;
    uint64_t row[WW_DRAM_BANKS]; /* plus one; 0: closed */
    WW_VEC(ww_dram_command) commands;
} naive;

/* The request that a bank serves: the oldest of its open row, else its oldest; NULL: none. */
static waiting *served(naive *n, uint32_t bank, uint64_t cycle)
{
    waiting *oldest = NULL;
    for (waiting *w = n->requests; w < n->requests + REQUESTS && w->arrival <= cycle; w++) {
        if (w->bursts == 0 || w->at.bank != bank)
            continue;
        if (w->at.row + 1 == n->row[bank])
            return w;
        oldest = oldest ? oldest : w;
    }
    return oldest;
}

static ww_dram_command command_for(const naive *n, const waiting *w, uint64_t cycle)
{
    uint64_t open = n->row[w->at.bank];
    ww_dram_op op = open == 0               ? WW_DRAM_ACTIVATE
                    : open == w->at.row + 1 ? WW_DRAM_READ
                                            : WW_DRAM_PRECHARGE;
    return (ww_dram_command){.cycle = cycle, .op = op, .bank = w->at.bank, .row = w->at.row};
}

/* The oldest request whose next command is a read, or is none, and is allowed. */
static waiting *best(naive *n, uint64_t cycle, bool read)
{
    waiting *found = NULL;
    for (uint32_t bank = 0; bank < n->type->ranks * n->type->banks; bank++) {
        waiting *w = served(n, bank, cycle);
        if (!w || (found && found < w))
            continue;
        ww_dram_command command = command_for(n, w, cycle);
        if ((command.op == WW_DRAM_READ) == read &&
            rule_is_legal(n->type, n->commands.items, n->commands.count, &command))
            found = w;
    }
    return found;
}

static void step(naive *n, uint64_t cycle)
{
    waiting *w = best(n, cycle, true);
    w = w ? w : best(n, cycle, false);
    if (!w)
        return;
    ww_dram_command command = command_for(n, w, cycle);
    ww_vec_push(&n->commands, command);
    if (command.op == WW_DRAM_READ)
        n->left -= --w->bursts == 0;
    else
        n->row[command.bank] = command.op == WW_DRAM_ACTIVATE ? command.row + 1 : 0;
}

static void plan(dram_rig *rig, naive *n, ww_rng *rng)
{
    uint64_t lines =
        3 * (uint64_t)rig->c.type.ranks * rig->c.type.banks * rig->c.type.row_bytes / 128;
    uint32_t pause = rule_between(rng, 0, 12);
    ww_tick tick = 1;
    for (size_t i = 0; i < REQUESTS; i++) {
        tick += ww_rng_below(rng, pause + 1);
        rig_request r = {.tick = tick,
                         .address = ww_rng_below(rng, lines) * 128,
                         .sectors = rule_between(rng, 1, 15)};
        rig_plan(rig, &r);
        n->requests[i] = (waiting){.arrival = tick,
                                   .at = ww_dram_map_address(&rig->c.map, r.address),
                                   .bursts = ((r.sectors & 3) != 0) + ((r.sectors & 12) != 0)};
    }
}

static void compare(const dram_rig *rig, const naive *n)
{
    assert_int_equal(n->commands.count, rig->commands.count);
    for (size_t i = 0; i < n->commands.count; i++) {
        const ww_dram_command *want = &n->commands.items[i], *have = &rig->commands.items[i];
        if (want->cycle != have->cycle || want->op != have->op || want->bank != have->bank)
            fail_msg("command %zu: op %d of bank %u at %llu, not op %d of bank %u at %llu", i,
                     have->op, have->bank, (unsigned long long)have->cycle, want->op, want->bank,
                     (unsigned long long)want->cycle);
    }
}

static void commands_are_those_of_a_naive_model(void **state)
{
    static const char *const settings[] = {"dram.refresh=none",
                                           "dram.read_queue=1024",
                                           "dram.age_cap=1000000",
                                           "dram.banks=8",
                                           "dram.bank_groups=2",
                                           "dram.ranks=2",
                                           NULL};
    static naive n;
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        ww_rng rng;
        dram_rig rig;
        printf("seed %llu\n", (unsigned long long)seed);
        ww_rng_seed(&rng, seed);
        rig_create(&rig, settings, (&(rig_machine){800000000, 128, 32, 1024, 1024}));
        rule_random_timing(&rig.c, &rng);
        memset(&n, 0, sizeof(n));
        n.type = &rig.c.type;
        n.left = REQUESTS;
        plan(&rig, &n, &rng);
        rig_run(&rig, END);
        for (uint64_t cycle = 0; n.left; cycle++)
            step(&n, cycle);
        compare(&rig, &n);
        ww_vec_free(&n.commands);
        rig_destroy(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commands_are_those_of_a_naive_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
