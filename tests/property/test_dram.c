/* A DRAM channel on random traffic with random timings and organisations.
 *
 * The checker knows the rules between two commands and nothing of the implementation: each pair of commands is
 * held against them, and the state of the banks is replayed. */
#include "base/rng.h"
#include "support/dram_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { END = 100000000, REQUESTS = 1500 };

/* ---- the rules ---- */

static bool is_column(const ww_dram_command *c)
{
    return c->op == WW_DRAM_READ || c->op == WW_DRAM_WRITE;
}

static bool is_refresh(const ww_dram_command *c)
{
    return c->op == WW_DRAM_REFRESH || c->op == WW_DRAM_REFRESH_BANK;
}

static bool concerns_rank(const ww_dram_command *c)
{
    return c->op == WW_DRAM_REFRESH || c->op == WW_DRAM_PRECHARGE_ALL;
}

typedef struct relation {
    bool rank, group, bank; /* the two commands are to the same */
} relation;

static relation relate(const ww_dram_type *type, const ww_dram_command *a, const ww_dram_command *b)
{
    unsigned per_group = type->banks / type->bank_groups;
    relation r;
    r.rank = a->bank / type->banks == b->bank / type->banks;
    r.group = a->bank / per_group == b->bank / per_group;
    r.bank = a->bank == b->bank || (r.rank && (concerns_rank(a) || concerns_rank(b)));
    return r;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Between the data of two bursts on the bus, as a distance of their commands. */
static int64_t bus_distance(const ww_dram_timing *t, ww_dram_op a, ww_dram_op b, bool same_rank)
{
    int64_t a_latency = a == WW_DRAM_READ ? t->cl : t->cwl;
    int64_t b_latency = b == WW_DRAM_READ ? t->cl : t->cwl;
    int64_t gap = same_rank ? 0 : t->rtrs;
    if (a == WW_DRAM_READ && b == WW_DRAM_WRITE)
        gap = max(gap, t->bta);
    return a_latency + t->burst + gap - b_latency;
}

static int64_t column_distance(const ww_dram_timing *t, const ww_dram_command *a,
                               const ww_dram_command *b, relation r)
{
    int64_t least = bus_distance(t, a->op, b->op, r.rank);
    if (!r.rank)
        return least;
    least = max(least, r.group ? t->ccd_l : t->ccd_s);
    if (a->op == WW_DRAM_WRITE && b->op == WW_DRAM_READ)
        least = max(least, t->cwl + t->burst + (r.group ? t->wtr_l : t->wtr_s));
    return least;
}

/* From a read or write to a precharge of its bank. */
static int64_t recovery(const ww_dram_timing *t, const ww_dram_command *a)
{
    return a->op == WW_DRAM_READ ? t->rtp : t->cwl + t->burst + t->wr;
}

static bool closes_row(const ww_dram_command *c)
{
    return c->op == WW_DRAM_PRECHARGE || c->op == WW_DRAM_PRECHARGE_ALL;
}

/* The least distance of b after a, both of one bank (or of its rank), without auto-precharge. */
static int64_t bank_distance(const ww_dram_timing *t, const ww_dram_command *a,
                             const ww_dram_command *b)
{
    bool opens = b->op == WW_DRAM_ACTIVATE || is_refresh(b);
    if (a->op == WW_DRAM_ACTIVATE && opens)
        return t->rc;
    if (a->op == WW_DRAM_ACTIVATE && is_column(b))
        return t->rcd;
    if (a->op == WW_DRAM_ACTIVATE && closes_row(b))
        return t->ras;
    if (closes_row(a) && opens)
        return t->rp;
    if (is_column(a) && closes_row(b))
        return recovery(t, a);
    if (is_refresh(a) && opens)
        return a->op == WW_DRAM_REFRESH ? t->rfc : t->rfc_bank;
    return 1;
}

static int64_t least_distance(const ww_dram_type *type, const ww_dram_command *a,
                              const ww_dram_command *b)
{
    const ww_dram_timing *t = &type->timing;
    relation r = relate(type, a, b);
    int64_t least = 1; /* one command a cycle */
    if (is_column(a) && is_column(b))
        least = max(least, column_distance(t, a, b, r));
    if (a->op == WW_DRAM_ACTIVATE && b->op == WW_DRAM_ACTIVATE && r.rank)
        least = max(least, r.group ? t->rrd_l : t->rrd_s);
    return r.bank ? max(least, bank_distance(t, a, b)) : least;
}

/* ---- the checker ---- */

typedef struct bank_state {
    bool open;
    uint64_t row, activated, closed; /* closed: when an auto-precharge takes effect */
} bank_state;

/* No timing here is longer: pairs that are further apart need no look. */
enum { FAR = 1000 };

static void check_pairs(const dram_rig *rig)
{
    const ww_dram_command *c = rig->commands.items;
    for (size_t i = 0; i < rig->commands.count; i++)
        for (size_t j = i + 1; j < rig->commands.count; j++) {
            int64_t distance = (int64_t)(c[j].cycle - c[i].cycle);
            int64_t least = least_distance(&rig->c.type, &c[i], &c[j]);
            if (distance < least)
                fail_msg("op %d of bank %u at %llu, then op %d of bank %u at %llu: less than %lld",
                         c[i].op, c[i].bank, (unsigned long long)c[i].cycle, c[j].op, c[j].bank,
                         (unsigned long long)c[j].cycle, (long long)least);
            if (distance > FAR)
                break;
        }
}

static void check_windows(const dram_rig *rig)
{
    const ww_dram_command *c = rig->commands.items;
    for (size_t i = 0; i < rig->commands.count; i++) {
        unsigned others = 0;
        for (size_t j = i + 1; j < rig->commands.count && c[i].op == WW_DRAM_ACTIVATE; j++)
            if (c[j].op == WW_DRAM_ACTIVATE && relate(&rig->c.type, &c[i], &c[j]).rank &&
                ++others == 4) {
                assert_true(c[j].cycle - c[i].cycle >= rig->c.type.timing.faw);
                break;
            }
    }
}

static void replay_column(const dram_rig *rig, bank_state *bank, const ww_dram_command *c)
{
    const ww_dram_timing *t = &rig->c.type.timing;
    assert_true(bank->open);
    assert_int_equal(bank->row, c->row);
    uint64_t closable =
        (uint64_t)max((int64_t)(bank->activated + t->ras), (int64_t)c->cycle + recovery(t, c));
    bank->closed = (uint64_t)max((int64_t)bank->closed, (int64_t)closable);
    bank->open = !c->closes;
}

/* Rows are opened when closed, used when open, and refreshed when closed; what closes by itself is closed
 * when tRP has passed after it could. */
static void replay(const dram_rig *rig)
{
    bank_state banks[WW_DRAM_BANKS] = {0};
    const ww_dram_type *type = &rig->c.type;
    for (size_t i = 0; i < rig->commands.count; i++) {
        const ww_dram_command *c = &rig->commands.items[i];
        unsigned first = c->bank, count = concerns_rank(c) ? type->banks : 1;
        assert_true(first + count <= type->ranks * type->banks);
        for (bank_state *b = &banks[first]; b < &banks[first + count]; b++) {
            if (is_column(c)) {
                replay_column(rig, b, c);
            } else if (closes_row(c)) {
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

static uint32_t between(ww_rng *rng, uint32_t low, uint32_t high)
{
    return low + (uint32_t)ww_rng_below(rng, high - low + 1);
}

static void randomise_timing(ww_dram_config *c, ww_rng *rng)
{
    ww_dram_timing *t = &c->type.timing;
    t->rcd = between(rng, 1, 20);
    t->rp = between(rng, 1, 20);
    t->ras = between(rng, 1, 40);
    t->rc = t->ras + between(rng, 0, 25);
    t->rrd_s = between(rng, 1, 8);
    t->rrd_l = t->rrd_s + between(rng, 0, 4);
    t->faw = between(rng, 1, 50);
    t->burst = between(rng, 1, 4);
    t->ccd_s = t->burst + between(rng, 0, 2);
    t->ccd_l = t->ccd_s + between(rng, 0, 3);
    t->cl = between(rng, 1, 20);
    t->cwl = between(rng, 1, 20);
    t->wr = between(rng, 0, 20);
    t->wtr_s = between(rng, 0, 10);
    t->wtr_l = t->wtr_s + between(rng, 0, 5);
    t->rtp = between(rng, 1, 10);
    t->bta = between(rng, 0, 4);
    t->rtrs = between(rng, 0, 4);
    t->rfc = between(rng, 20, 200);
    t->rfc_bank = between(rng, 20, 100);
    t->refi = between(rng, 700, 4000);
}

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
                           between(rng, 1, 8), between(rng, 1, 8)};
    rig_create(rig, settings, &machine);
    randomise_timing(&rig->c, rng);
}

static void plan_traffic(dram_rig *rig, ww_rng *rng, size_t count, uint32_t longest_pause)
{
    ww_tick tick = 1;
    uint32_t rows = between(rng, 1, 4);
    unsigned writes = between(rng, 0, 90);
    for (size_t i = 0; i < count; i++) {
        if (ww_rng_below(rng, 20) == 0)
            tick += ww_rng_below(rng, longest_pause);
        uint64_t lines =
            (uint64_t)rows * rig->c.type.ranks * rig->c.type.banks * (rig->c.type.row_bytes / 128);
        bool write = ww_rng_below(rng, 100) < writes;
        rig_plan(rig,
                 &(rig_request){.tick = tick,
                                .address = ww_rng_below(rng, lines) * 128,
                                .sectors = between(rng, 1, 15),
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
    assert_int_equal(ww_request_pool_taken(rig->pool), 0);
    assert_true(replied <= rig->requests.count);
}

static void no_command_is_early_and_no_reply_is_lost(void **state)
{
    static const char *const schedulers[][2] = {{"dram.scheduler=frfcfs", NULL},
                                                {"dram.scheduler=fcfs", NULL}};
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ww_rng rng;
        dram_rig rig;
        printf("seed %llu\n", (unsigned long long)seed);
        ww_rng_seed(&rng, seed);
        randomise(&rig, &rng, schedulers[seed % 2]);
        rig.sink_interval = (uint32_t)ww_rng_below(&rng, 3) * 10;
        plan_traffic(&rig, &rng, REQUESTS, 3000);
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

static bool is_legal(const ww_dram_type *type, const ww_dram_command *history, size_t count,
                     const ww_dram_command *next)
{
    unsigned activates = 0;
    for (size_t i = count; i-- > 0;) {
        if ((int64_t)(next->cycle - history[i].cycle) < least_distance(type, &history[i], next))
            return false;
        if (next->op == WW_DRAM_ACTIVATE && history[i].op == WW_DRAM_ACTIVATE &&
            relate(type, &history[i], next).rank && ++activates == 4 &&
            next->cycle - history[i].cycle < type->timing.faw)
            return false;
    }
    return true;
}

typedef struct naive {
    const ww_dram_type *type;
    WW_VEC(ww_dram_command) commands;
    uint64_t row[WW_DRAM_BANKS]; /* plus one; 0: closed */
} naive;

/* Tries cycle after cycle. */
static uint64_t issue_naively(naive *n, ww_dram_command command, uint64_t from)
{
    command.cycle = from;
    while (!is_legal(n->type, n->commands.items, n->commands.count, &command))
        command.cycle++;
    ww_vec_push(&n->commands, command);
    return command.cycle;
}

static void serve_naively(naive *n, const dram_rig *rig, const rig_request *r)
{
    ww_dram_place place = ww_dram_map_place(&rig->c.map, r->address);
    ww_dram_command command = {.bank = place.bank, .row = place.row};
    uint64_t from = r->sent, *row = &n->row[place.bank];
    int bursts = ((r->sectors & 3) != 0) + ((r->sectors & 12) != 0);
    if (*row && *row != place.row + 1) {
        command.op = WW_DRAM_PRECHARGE;
        from = issue_naively(n, command, from);
    }
    if (*row != place.row + 1) {
        command.op = WW_DRAM_ACTIVATE;
        from = issue_naively(n, command, from);
    }
    *row = place.row + 1;
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
        randomise_timing(&rig.c, &rng);
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

/* A stream of row hits, and one read that it could hold back for ever: of the same bank, of another bank, or
 * of another rank, where every switch would cost idle cycles. */
static void nobody_starves_beyond_the_age_cap(void **state)
{
    static const char *const settings[] = {"dram.ranks=2", "dram.age_cap=500", "dram.refresh=none",
                                           NULL};
    (void)state;
    for (unsigned victim = 0; victim < 3; victim++) {
        dram_rig rig;
        rig_create(&rig, settings, NULL);
        for (unsigned i = 0; i < 20; i++)
            rig_read(&rig, 100, rig_address(&rig, 0, 0, 0, 1, i));
        size_t one = rig_read(&rig, 120, rig_address(&rig, victim == 2, 0, victim == 1, 2, 0));
        for (unsigned i = 0; i < 3000; i++)
            rig_read(&rig, 121, rig_address(&rig, 0, 0, 0, 1, i % 128));
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
