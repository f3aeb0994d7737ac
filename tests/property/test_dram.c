/* A DRAM channel on random traffic with random timings and organisations.
 *
 * The checker knows the rules between two commands and nothing of the implementation: each pair of
 * commands is held against them, and the state of the banks is replayed. */
#include "base/rng.h"
#include "support/dram_rig.h"
#include "support/dram_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { END = 100000000, REQUESTS = 1500 };

/* ---- the checker ---- */

typedef struct bank_state {
    bool open;
    uint64_t row, activated, closed; /* closed: when an auto-precharge takes effect */
} bank_state;

static void check_pairs(const dram_rig *rig)
{
    const ww_dram_command *c = rig->commands.items;
    for (size_t i = 0; i < rig->commands.count; i++)
        for (size_t j = i + 1; j < rig->commands.count; j++) {
            int64_t distance = (int64_t)(c[j].cycle - c[i].cycle);
            int64_t least = rule_least_distance(&rig->c.type, &c[i], &c[j]);
            if (distance < least)
                fail_msg("op %d of bank %u at %llu, then op %d of bank %u at %llu: less than %lld",
                         c[i].op, c[i].bank, (unsigned long long)c[i].cycle, c[j].op, c[j].bank,
                         (unsigned long long)c[j].cycle, (long long)least);
            if (distance > RULE_FAR)
                break;
        }
}

static void check_windows(const dram_rig *rig)
{
    const ww_dram_command *c = rig->commands.items;
    for (size_t i = 0; i < rig->commands.count; i++) {
        unsigned others = 0;
        for (size_t j = i + 1; j < rig->commands.count && c[i].op == WW_DRAM_ACTIVATE; j++)
            if (c[j].op == WW_DRAM_ACTIVATE && rule_relate(&rig->c.type, &c[i], &c[j]).rank &&
                ++others == 4) {
                assert_true(c[j].cycle - c[i].cycle >= rig->c.type.timing.faw);
                break;
            }
    }
}

static uint64_t max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void replay_column(const dram_rig *rig, bank_state *bank, const ww_dram_command *c)
{
    const ww_dram_timing *t = &rig->c.type.timing;
    assert_true(bank->open);
    assert_int_equal(bank->row, c->row);
    uint64_t closable = max(bank->activated + t->ras, c->cycle + (uint64_t)rule_recovery(t, c));
    bank->closed = max(bank->closed, closable);
    bank->open = !c->closes;
}

/* Rows are opened when closed, used when open, and refreshed when closed; what closes by itself is
 * closed when tRP has passed after it could. */
static void replay(const dram_rig *rig)
{
    bank_state banks[WW_DRAM_BANKS] = {0};
    const ww_dram_type *type = &rig->c.type;
    for (size_t i = 0; i < rig->commands.count; i++) {
        const ww_dram_command *c = &rig->commands.items[i];
        unsigned first = c->bank, count = rule_concerns_rank(c) ? type->banks : 1;
        assert_true(first + count <= type->ranks * type->banks);
        for (bank_state *b = &banks[first]; b < &banks[first + count]; b++) {
            if (rule_is_column(c)) {
                replay_column(rig, b, c);
            } else if (rule_closes_row(c)) {
                b->open = false;
                b->closed = c->cycle;
            } else {
                assert_false(b->open);
                assert_true(b->closed == 0 || c->cycle >= b->closed + type->timing.rp);
                b->open = c->op == WW_DRAM_ACTIVATE;
                b->row = c->row;
                b->activated = c->cycle;
                b->closed = 0;
            }
        }
    }
}

/* ---- random machines and traffic ---- */

static void randomise(dram_rig *rig, ww_rng *rng, const char *const *extra)
{
    char ranks[32], groups[32], refresh[32];
    static const char *const kinds[] = {"none", "all_bank", "per_bank"};
    const char *settings[16] = {"dram.banks=8", ranks, groups, refresh};
    size_t count = 4;
    while (*extra)
        settings[count++] = *extra++;
    settings[count++] = ww_rng_below(rng, 2) ? "dram.page_policy=open" : "dram.page_policy=closed";
    settings[count++] = "dram.clock=1GHz";
    settings[count++] = "dram.read_queue=24";
    settings[count++] = "dram.write_queue=16";
    settings[count++] = "dram.write_high=12";
    settings[count++] = "dram.write_low=4";
    snprintf(ranks, sizeof(ranks), "dram.ranks=%u", 1u << ww_rng_below(rng, 3));
    snprintf(groups, sizeof(groups), "dram.bank_groups=%u", 1u << ww_rng_below(rng, 3));
    snprintf(refresh, sizeof(refresh), "dram.refresh=%s", kinds[ww_rng_below(rng, 3)]);
    rig_machine machine = {1000000000 + ww_rng_below(rng, 2) * 700000000, 128, 32,
                           rule_between(rng, 1, 8), rule_between(rng, 1, 8)};
    rig_create(rig, settings, &machine);
    rule_random_timing(&rig->c, rng);
}

static void plan_traffic(dram_rig *rig, ww_rng *rng, size_t count, uint32_t longest_pause)
{
    ww_tick tick = 1;
    uint32_t rows = rule_between(rng, 1, 4);
    unsigned writes = rule_between(rng, 0, 90);
    for (size_t i = 0; i < count; i++) {
        if (ww_rng_below(rng, 20) == 0)
            tick += ww_rng_below(rng, longest_pause);
        uint64_t lines =
            (uint64_t)rows * rig->c.type.ranks * rig->c.type.banks * (rig->c.type.row_bytes / 128);
        bool write = ww_rng_below(rng, 100) < writes;
        rig_plan(rig,
                 &(rig_request){.tick = tick,
                                .address = ww_rng_below(rng, lines) * 128,
                                .sectors = rule_between(rng, 1, 15),
                                .kind = write ? WW_REQUEST_WRITE : WW_REQUEST_READ,
                                .class = ww_rng_below(rng, 2) ? WW_CLASS_WRITE_BACK : WW_CLASS_DATA,
                                .full = ww_rng_below(rng, 2) != 0});
    }
}

/* As many as the time needs, those of idle time included; the last few may still be due. */
static void check_refreshes(dram_rig *rig)
{
    const ww_dram_type *type = &rig->c.type;
    ww_dram_counters n = rig_counters(rig);
    uint64_t interval = type->timing.refi;
    if (type->refresh == WW_DRAM_REFRESH_PER_BANK)
        interval /= type->banks;
    uint64_t due = type->refresh ? n.cycles / interval * type->ranks : 0;
    assert_in_range(n.refreshes, due - (due ? 4 * type->ranks : 0), due + 2 * type->ranks);
}

static void check_replies(dram_rig *rig)
{
    uint64_t replied = 0;
    for (size_t i = 0; i < rig->requests.count; i++) {
        const rig_request *r = &rig->requests.items[i];
        bool silent = r->kind == WW_REQUEST_WRITE && r->class == WW_CLASS_WRITE_BACK;
        assert_int_equal(r->replies, silent ? 0 : 1);
        replied += r->replies;
        if (r->replies)
            assert_true(r->queue_time + r->dram_time <= r->replied - r->sent);
    }
    ww_dram_counters n = rig_counters(rig);
    assert_int_equal(n.reads + n.writes + n.forwarded, rig->requests.count);
    assert_int_equal(n.row_hits + n.row_misses + n.row_conflicts, n.reads + n.writes);
    assert_int_equal(ww_request_pool_in_use(rig->pool), 0);
    assert_true(replied <= rig->requests.count);
}

static void no_command_is_early_and_no_reply_is_lost(void **state)
{
    static const char *const schedulers[][2] = {{"dram.scheduler=frfcfs", NULL},
                                                {"dram.scheduler=fcfs", NULL},
                                                {"dram.scheduler=pte_first", NULL}};
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ww_rng rng;
        dram_rig rig;
        printf("seed %llu\n", (unsigned long long)seed);
        ww_rng_seed(&rng, seed);
        randomise(&rig, &rng, schedulers[seed % 3]);
        rig.sink_interval = (uint32_t)ww_rng_below(&rng, 3) * 10;
        plan_traffic(&rig, &rng, REQUESTS, 3000);
        for (size_t i = 0; i < rig.requests.count; i++)
            if (rig.requests.items[i].kind == WW_REQUEST_READ && ww_rng_below(&rng, 4) == 0)
                rig.requests.items[i].class = WW_CLASS_PTE;
        rig_run(&rig, END);
        check_pairs(&rig);
        check_windows(&rig);
        replay(&rig);
        check_replies(&rig);
        check_refreshes(&rig);
        rig_destroy(&rig);
    }
}

/* ---- the earliest legal cycle ---- */

typedef struct naive {
    const ww_dram_type *type;
    WW_VEC(ww_dram_command) commands;
    uint64_t row[WW_DRAM_BANKS]; /* plus one; 0: closed */
} naive;

/* Tries cycle after cycle. */
static uint64_t issue_naively(naive *n, ww_dram_command command, uint64_t from)
{
    command.cycle = from;
    while (!rule_is_legal(n->type, n->commands.items, n->commands.count, &command))
        command.cycle++;
    ww_vec_push(&n->commands, command);
    return command.cycle;
}

static void serve_naively(naive *n, const dram_rig *rig, const rig_request *r)
{
    ww_dram_address at = ww_dram_map_address(&rig->c.map, r->address);
    ww_dram_command command = {.bank = at.bank, .row = at.row};
    uint64_t from = r->sent, *row = &n->row[at.bank];
    int bursts = ((r->sectors & 3) != 0) + ((r->sectors & 12) != 0);
    if (*row && *row != at.row + 1) {
        command.op = WW_DRAM_PRECHARGE;
        from = issue_naively(n, command, from);
    }
    if (*row != at.row + 1) {
        command.op = WW_DRAM_ACTIVATE;
        from = issue_naively(n, command, from);
    }
    *row = at.row + 1;
    command.op = r->kind == WW_REQUEST_READ ? WW_DRAM_READ : WW_DRAM_WRITE;
    while (bursts--)
        from = issue_naively(n, command, from);
}

static void single_requests_go_at_the_earliest_cycle(void **state)
{
    static const char *const settings[] = {"dram.scheduler=fcfs", "dram.refresh=none",
                                           "dram.banks=8",        "dram.bank_groups=2",
                                           "dram.ranks=2",        NULL};
    (void)state;
    for (uint64_t seed = 100; seed < 140; seed++) {
        ww_rng rng;
        dram_rig rig;
        naive n = {0};
        printf("seed %llu\n", (unsigned long long)seed);
        ww_rng_seed(&rng, seed);
        rig_create(&rig, settings, (&(rig_machine){800000000, 128, 32, 1, 64}));
        rule_random_timing(&rig.c, &rng);
        rig.c.read_entries = rig.c.write_entries = 1;
        rig.c.write_high = 1;
        plan_traffic(&rig, &rng, 300, 100);
        n.type = &rig.c.type;
        for (size_t i = 0; i < rig.requests.count; i++) {
            rig_request *r = &rig.requests.items[i];
            r->full = false;                                  /* nothing is forwarded */
            r->tick = (i + 1) * 200 + ww_rng_below(&rng, 50); /* the one before is done */
        }
        rig_run(&rig, END);
        for (size_t i = 0; i < rig.requests.count; i++)
            serve_naively(&n, &rig, &rig.requests.items[i]);
        assert_int_equal(n.commands.count, rig.commands.count);
        for (size_t i = 0; i < n.commands.count; i++) {
            assert_int_equal(n.commands.items[i].op, rig.commands.items[i].op);
            assert_int_equal(n.commands.items[i].bank, rig.commands.items[i].bank);
            assert_int_equal(n.commands.items[i].cycle, rig.commands.items[i].cycle);
        }
        ww_vec_free(&n.commands);
        rig_destroy(&rig);
    }
}

/* ---- starvation ---- */

static void stream_hits(dram_rig *rig, ww_tick tick, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        rig_read(rig, tick, rig_address(rig, 0, 0, 0, 1, i % 128));
}

/* A stream of row hits, and one read that it could hold back for ever: of the same bank, of another
 * bank, of another rank, where every switch would cost idle cycles, or there behind a younger one
 * that finds its row open (as long as tRAS, it cannot be closed) and is held back itself. */
static void nobody_starves_beyond_the_age_cap(void **state)
{
    static const char *const settings[] = {"dram.ranks=2",  "dram.age_cap=500", "dram.refresh=none",
                                           "dram.tras=600", "dram.trc=611",     NULL};
    (void)state;
    for (unsigned victim = 0; victim < 4; victim++) {
        dram_rig rig;
        rig_create(&rig, settings, NULL);
        if (victim == 3)
            rig_read(&rig, 20, rig_address(&rig, 1, 0, 0, 1, 0));
        stream_hits(&rig, 100, 20);
        stream_hits(&rig, 140, 10);
        size_t one = rig_read(&rig, 180, rig_address(&rig, victim >= 2, 0, victim == 1, 2, 0));
        stream_hits(&rig, 180, 100);
        if (victim == 3)
            rig_read(&rig, 180, rig_address(&rig, 1, 0, 0, 1, 2));
        stream_hits(&rig, 180, 3000);
        rig_run(&rig, END);
        ww_tick waited = rig.requests.items[one].replied - rig.requests.items[one].sent;
        printf("waited for %llu cycles\n", (unsigned long long)waited);
        assert_true(waited <= 500 + 28 + 37 + 10);
        assert_true(victim == 1 || waited > 500); /* or the cap was never needed */
        rig_destroy(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_is_early_and_no_reply_is_lost),
        cmocka_unit_test(single_requests_go_at_the_earliest_cycle),
        cmocka_unit_test(nobody_starves_beyond_the_age_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
