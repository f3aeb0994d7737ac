/* A cache on random traffic. One request at a time, it hits, misses and evicts as a naive model
 * does. With many at once, every request is answered once, nothing is fetched that is known, and
 * what was written is in the cache or below, never lost and never overwritten by older bytes. */
#include "base/memory.h"
#include "sim/components.h"
#include "support/cache_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 48, SECTORS = 4, STEPS = 4000 };

static cache_bench b;
static ww_rng rng;
static ww_config *defaults; /* for policies with keys */

static uint64_t below(uint64_t bound)
{
    return ww_rng_below(&rng, bound);
}

/* ---- the naive model: a list of lines for each set, with its own view of each policy ---- */

typedef struct line {
    bool present;
    uint64_t number;
    uint32_t valid, dirty;
    uint64_t used;     /* lru */
    unsigned interval; /* srrip */
} line;

typedef struct naive {
    ww_cache_config config;
    uint32_t sets;
    line lines[16][8];
    unsigned points_up[16][8]; /* plru: by node */
    ww_rng rng;                /* random */
    uint64_t uses;
    uint64_t hits, misses, evictions, write_backs;
    uint64_t asked; /* sectors fetched */
} naive;

static line *find_naive(naive *n, uint64_t number)
{
    line *set = n->lines[number % n->sets];
    for (uint32_t way = 0; way < n->config.ways; way++)
        if (set[way].present && set[way].number == number)
            return &set[way];
    return NULL;
}

/* The halves are described by their first way and size, not by node numbers. */
static void plru_use(naive *n, uint64_t set, uint32_t way)
{
    unsigned node = 0;
    for (uint32_t first = 0, size = n->config.ways; size > 1; size /= 2) {
        bool high = way >= first + size / 2;
        n->points_up[set][node] = !high;
        first += high ? size / 2 : 0;
        node = 2 * node + 1 + high;
    }
}

static uint32_t plru_victim(const naive *n, uint64_t set)
{
    unsigned node = 0;
    uint32_t first = 0;
    for (uint32_t size = n->config.ways; size > 1; size /= 2) {
        bool high = n->points_up[set][node];
        first += high ? size / 2 : 0;
        node = 2 * node + 1 + high;
    }
    return first;
}

static uint32_t srrip_victim(const naive *n, line *set)
{
    for (;;) {
        for (uint32_t way = 0; way < n->config.ways; way++)
            if (set[way].interval == 3)
                return way;
        for (uint32_t way = 0; way < n->config.ways; way++)
            set[way].interval++;
    }
}

static uint32_t lru_victim(const naive *n, const line *set)
{
    uint32_t oldest = 0;
    for (uint32_t way = 1; way < n->config.ways; way++)
        if (set[way].used < set[oldest].used)
            oldest = way;
    return oldest;
}

static void use_naive(naive *n, line *used, unsigned interval)
{
    uint64_t set = used->number % n->sets;
    used->used = ++n->uses;
    used->interval = interval;
    plru_use(n, set, (uint32_t)(used - n->lines[set]));
}

static line *insert_naive(naive *n, uint64_t number)
{
    uint64_t set = number % n->sets;
    line *lines = n->lines[set];
    const char *policy = n->config.replace->policy.name;
    uint32_t way = 0;
    while (way < n->config.ways && lines[way].present)
        way++;
    if (way == n->config.ways) {
        way = strcmp(policy, "lru") == 0     ? lru_victim(n, lines)
              : strcmp(policy, "plru") == 0  ? plru_victim(n, set)
              : strcmp(policy, "srrip") == 0 ? srrip_victim(n, lines)
                                             : (uint32_t)ww_rng_below(&n->rng, n->config.ways);
        n->evictions++;
        n->write_backs += lines[way].dirty != 0;
    }
    lines[way] = (line){.present = true, .number = number};
    use_naive(n, &lines[way], 2);
    return &lines[way];
}

static void read_naive(naive *n, uint64_t number, uint32_t sectors, bool is_atomic)
{
    line *l = find_naive(n, number);
    uint32_t missing = sectors & ~(l ? l->valid : 0);
    n->hits += !missing;
    n->misses += !!missing;
    n->asked += (uint64_t)__builtin_popcount(missing);
    if (!missing)
        use_naive(n, l, 0);
    if (!l)
        l = insert_naive(n, number);
    l->valid |= sectors;
    if (is_atomic)
        l->dirty |= sectors;
}

static void drop_naive(line *l, uint32_t sectors)
{
    l->valid &= ~sectors;
    l->dirty &= ~sectors;
    l->present = l->valid || l->dirty;
}

static void write_naive(naive *n, uint64_t number, uint32_t sectors, bool full)
{
    line *l = find_naive(n, number);
    if (n->config.write == WW_WRITE_BACK) {
        n->hits += !!l;
        n->misses += !l;
        if (l)
            use_naive(n, l, 0);
        else
            l = insert_naive(n, number);
        l->dirty |= sectors;
        l->valid |= full ? sectors : 0;
        return;
    }
    bool hit = l && (l->valid & sectors);
    n->hits += hit;
    n->misses += !hit;
    if (hit && n->config.write == WW_WRITE_EVICT)
        drop_naive(l, sectors);
    else if (hit)
        use_naive(n, l, 0);
}

static void atomic_naive(naive *n, uint64_t number, uint32_t sectors)
{
    if (n->config.atomics_here) {
        read_naive(n, number, sectors, true);
        return;
    }
    line *l = find_naive(n, number);
    n->misses++;
    if (!l)
        return;
    n->write_backs += l->dirty != 0;
    l->dirty = 0;
    drop_naive(l, sectors);
}

/* ---- one at a time ---- */

static uint64_t asked;

static void count_asked(cache_bench *bench, const ww_request *request)
{
    (void)bench;
    if (request->kind == WW_REQUEST_READ)
        asked += (uint64_t)__builtin_popcount(request->sectors);
}

static void check_lines(naive *n)
{
    const ww_tags *tags = ww_cache_tags(b.cache);
    for (uint64_t number = 0; number < LINES; number++) {
        const line *l = find_naive(n, number);
        ww_tags_entry entry = ww_tags_find(tags, number);
        assert_int_equal(entry.way != WW_NO_WAY, l != NULL);
        if (!l)
            continue;
        assert_int_equal(ww_tags_line(tags, entry)->valid, l->valid);
        assert_int_equal(ww_tags_line(tags, entry)->dirty, l->dirty);
    }
}

static void one_step(naive *n, ww_tick tick)
{
    uint64_t number = below(LINES);
    uint32_t sectors = 1 + (uint32_t)below((1u << SECTORS) - 1);
    ww_request_kind kind = (ww_request_kind)(below(10) < 6 ? 0 : 1 + below(2));
    ww_request *request = cache_bench_send(&b, tick, 'a', kind, number);
    request->sectors = sectors;
    request->full = below(2);
    bool full = request->full;
    assert_false(ww_engine_run(b.engine, WW_NEVER));
    if (kind == WW_REQUEST_READ)
        read_naive(n, number, sectors, false);
    else if (kind == WW_REQUEST_WRITE)
        write_naive(n, number, sectors, full);
    else
        atomic_naive(n, number, sectors);
    const ww_cache_counters *c = ww_cache_counters_of(b.cache);
    assert_int_equal(c->hits, n->hits);
    assert_int_equal(c->misses, n->misses);
    assert_int_equal(c->evictions, n->evictions);
    assert_int_equal(c->write_backs, n->write_backs);
    assert_int_equal(asked, n->asked);
    check_lines(n);
}

static void run_alone(ww_cache_config config)
{
    static naive n;
    memset(&n, 0, sizeof(n));
    n.config = config;
    n.sets = (uint32_t)(config.size / config.line / config.ways);
    ww_rng_seed(&n.rng, config.start.seed);
    asked = 0;
    cache_bench_begin(&b, &config, 4, 4);
    b.silent = true;
    b.on_below = count_asked;
    for (int i = 0; i < STEPS; i++)
        one_step(&n, ww_engine_now(b.engine));
    assert_int_equal(b.replies, STEPS);
    cache_bench_end(&b);
}

static ww_cache_config random_config(size_t policy, ww_write_policy write)
{
    ww_cache_config config = cache_bench_config();
    config.replace = (const ww_replace *)(const void *)ww_replace_l1d_family.members[policy];
    config.sector = 16;
    config.write = write;
    config.ways = 1u << below(4);
    config.size = (1 + below(6)) * config.ways * config.line;
    config.ports = 1 + (uint32_t)below(3);
    config.banks = (uint32_t)below(4);
    config.latency = (uint32_t)below(6);
    config.allocate = below(2) ? WW_ALLOCATE_ON_MISS : WW_ALLOCATE_ON_FILL;
    config.atomics_here = write == WW_WRITE_BACK && below(2);
    config.atomic_interval = 1 + (uint32_t)below(3);
    config.start.seed = below(1000);
    config.start.config = defaults;
    config.start.prefix = "l1d";
    return config;
}

static bool has_model(const char *policy)
{
    return strcmp(policy, "lru") == 0 || strcmp(policy, "plru") == 0 ||
           strcmp(policy, "srrip") == 0 || strcmp(policy, "random") == 0;
}

static void alone_it_is_the_naive_cache(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (size_t policy = 0; policy < ww_replace_l1d_family.count; policy++)
            for (int write = 0; write < 3; write++) {
                if (!has_model(ww_replace_l1d_family.members[policy]->name))
                    continue;
                ww_rng_seed(&rng, seed * 100 + policy * 10 + (uint64_t)write);
                printf("seed %llu, %s, write policy %d\n", (unsigned long long)seed,
                       ww_replace_l1d_family.members[policy]->name, write);
                run_alone(random_config(policy, (ww_write_policy)write));
            }
}

/* ---- many at once ----
 *
 * Bytes are versions: a sector has two halves, a full write or an atomic writes both, another write
 * the first. `written` is what lookups wrote so far, `memory` what is below, `served` what the last
 * read of a sector got there, `copy` what the cache holds. A watcher looks at the tags after each
 * tick. */

typedef struct sector {
    uint64_t half[2];
} sector;

typedef struct sent {
    uint64_t number;
    uint32_t sectors;
    ww_request_kind kind;
    bool full;
    bool answered;
    ww_tick looked_up;
} sent;

static struct {
    sector written[LINES][SECTORS], memory[LINES][SECTORS], served[LINES][SECTORS],
        copy[LINES][SECTORS];
    uint32_t valid[LINES], dirty[LINES]; /* at the end of the last tick */
    sent requests[STEPS];
    uint64_t sent, looked_up, answered_before;
    ww_tick progress;
    ww_task feeder, watcher;
} m;

static bool writes(const sent *r, int s, int half)
{
    return r->kind != WW_REQUEST_READ && (r->sectors >> s & 1) &&
           (half == 0 || r->full || r->kind == WW_REQUEST_ATOMIC);
}

/* The version of a half as lookups up to a tick left it. */
static uint64_t version_at(uint64_t number, int s, int half, ww_tick tick)
{
    for (uint64_t i = m.looked_up; i-- > 0;) {
        const sent *r = &m.requests[i];
        if (r->number == number && r->looked_up <= tick && writes(r, s, half))
            return i + 1;
    }
    return 0;
}

static void serve(cache_bench *bench, const ww_request *request)
{
    uint64_t number = request->address / bench->config.line;
    bool is_write_back = request->class == WW_CLASS_WRITE_BACK;
    for (int s = 0; s < SECTORS; s++)
        for (int half = 0; half < 2; half++) {
            uint64_t *memory = &m.memory[number][s].half[half];
            if (!(request->sectors >> s & 1))
                continue;
            if (request->kind == WW_REQUEST_READ)
                m.served[number][s].half[half] = *memory;
            else if (is_write_back)
                *memory = version_at(number, s, half, request->made);
            else if (writes(&m.requests[request->warp], s, half))
                *memory = request->warp + 1;
        }
}

static void take_reply(cache_bench *bench, ww_request *request)
{
    (void)bench;
    assert_false(m.requests[request->warp].answered);
    m.requests[request->warp].answered = true;
}

static void note_lookups(ww_tick now)
{
    for (uint64_t count = ww_cache_counters_of(b.cache)->accesses; m.looked_up < count;
         m.looked_up++) {
        sent *r = &m.requests[m.looked_up];
        r->looked_up = now;
        for (int s = 0; s < SECTORS; s++)
            for (int half = 0; half < 2; half++)
                if (writes(r, s, half)) {
                    m.written[r->number][s].half[half] = m.looked_up + 1;
                    m.copy[r->number][s].half[half] = m.looked_up + 1;
                }
    }
}

/* A sector that has become valid has what was served for it, but for the half that had been
 * written; what the tick's lookups wrote comes on top. */
static void note_fills(uint64_t number, uint32_t valid, uint32_t dirty)
{
    for (int s = 0; s < SECTORS; s++) {
        if (!((valid & ~m.valid[number]) >> s & 1))
            continue;
        m.copy[number][s].half[1] = m.served[number][s].half[1];
        if (!(m.dirty[number] >> s & 1))
            m.copy[number][s].half[0] = m.served[number][s].half[0];
    }
    m.valid[number] = valid;
    m.dirty[number] = dirty;
}

static void check_copies(uint64_t number, uint32_t valid, uint32_t dirty, bool at_end)
{
    for (int s = 0; s < SECTORS; s++) {
        if (dirty >> s & 1)
            continue;
        if (valid >> s & 1)
            assert_memory_equal(&m.copy[number][s], &m.written[number][s], sizeof(sector));
        if (at_end)
            assert_memory_equal(&m.memory[number][s], &m.written[number][s], sizeof(sector));
    }
}

static void look_at_tags(ww_tick now, bool at_end)
{
    uint32_t valid[LINES], dirty[LINES];
    const ww_tags *tags = ww_cache_tags(b.cache);
    for (uint64_t number = 0; number < LINES; number++) {
        ww_tags_entry entry = ww_tags_find(tags, number);
        bool absent = entry.way == WW_NO_WAY;
        valid[number] = absent ? 0 : ww_tags_line(tags, entry)->valid;
        dirty[number] = absent ? 0 : ww_tags_line(tags, entry)->dirty;
        note_fills(number, valid[number], dirty[number]);
    }
    note_lookups(now);
    for (uint64_t number = 0; number < LINES; number++)
        check_copies(number, valid[number], dirty[number], at_end);
}

static void watch(void *owner)
{
    (void)owner;
    ww_tick now = ww_engine_now(b.engine);
    look_at_tags(now, false);
    if (b.replies != m.answered_before)
        m.progress = now;
    m.answered_before = b.replies;
    if (now - m.progress > 20000) {
        ww_engine_explain(b.engine, stderr);
        fail_msg("nothing moves");
    }
    if (below(200) == 0)
        b.above_hold = now + below(100);
    if (below(200) == 0)
        b.below_hold = now + below(100);
    if (b.replies < STEPS)
        ww_wake(b.engine, &m.watcher, now + 1);
}

static void feed(void *owner)
{
    (void)owner;
    ww_tick now = ww_engine_now(b.engine);
    uint64_t burst = below(4);
    while (burst-- && m.sent < STEPS) {
        if (!ww_port_has_room(ww_cache_in(b.cache))) {
            ww_port_wait(ww_cache_in(b.cache), &m.feeder);
            return;
        }
        sent *r = &m.requests[m.sent];
        *r = (sent){.number = below(LINES), .kind = (ww_request_kind)(below(10) < 5 ? 0 : 1)};
        if (below(8) == 0)
            r->kind = WW_REQUEST_ATOMIC;
        r->sectors = r->kind == WW_REQUEST_ATOMIC ? 1u << below(SECTORS)
                                                  : 1 + (uint32_t)below((1u << SECTORS) - 1);
        r->full = below(2);
        ww_request *request = cache_bench_send(&b, now + 1, 'a', r->kind, r->number);
        request->sectors = r->sectors;
        request->full = r->full;
        request->warp = (uint32_t)m.sent++;
        request->lanes = (uint16_t)below(5);
    }
    if (m.sent < STEPS)
        ww_wake(b.engine, &m.feeder, now + 1 + below(3));
}

static bool bypass_some(void *state, const ww_request *request)
{
    (void)state;
    return request->warp % 8 == 0;
}

static const ww_bypass some = {.policy = {.name = "some", .doc = "d"}, .bypasses = bypass_some};

static void run_many(ww_cache_config config)
{
    config.in_queue = 1 + (uint32_t)below(8);
    config.fill_queue = 64;
    config.mshrs = 1 + (uint32_t)below(8);
    config.merges = 1 + (uint32_t)below(4);
    config.whole_lines = below(4) == 0;
    config.index = below(2) ? WW_INDEX_XOR : WW_INDEX_LOW;
    if (below(3) == 0)
        config.clock = ww_clock_make(2, 5);
    config.bypass = below(2) ? &some : NULL;
    cache_bench_begin(&b, &config, 1 + (uint32_t)below(4), 1 + (uint32_t)below(4));
    cache_bench_connect(&b, below(2));
    memset(&m, 0, sizeof(m));
    b.silent = true;
    b.on_reply = take_reply;
    b.on_below = serve;
    b.below_latency = 1 + below(40);
    b.above_rate = 1 + (uint32_t)below(2);
    b.below_rate = 1;
    ww_task_init(b.engine, &m.feeder, WW_PHASE_ISSUE, feed, NULL);
    ww_task_init(b.engine, &m.watcher, WW_PHASE_DISPATCH, watch, NULL);
    ww_wake(b.engine, &m.feeder, 0);
    ww_wake(b.engine, &m.watcher, 0);
    assert_false(ww_engine_run(b.engine, WW_NEVER));
    assert_int_equal(b.replies, STEPS);
    look_at_tags(ww_engine_now(b.engine), true);
    cache_bench_end(&b);
}

static void nothing_is_lost_when_many_are_under_way(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (size_t policy = 0; policy < ww_replace_l1d_family.count; policy++)
            for (int write = 0; write < 3; write++) {
                ww_rng_seed(&rng, seed * 1000 + policy * 10 + (uint64_t)write);
                printf("seed %llu, %s, write policy %d\n", (unsigned long long)seed,
                       ww_replace_l1d_family.members[policy]->name, write);
                run_many(random_config(policy, (ww_write_policy)write));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_is_the_naive_cache),
        cmocka_unit_test(nothing_is_lost_when_many_are_under_way),
    };
    defaults = ww_config_create(&ww_all_schemas);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ww_config_destroy(defaults);
    return failed;
}
