/* Page-walk schedulers: buffers written out, and the exact order in which their walks are served.
 *
 * A walk is a small letter; an instruction is a number. Tables have them in the order in which they
 * come. */
#include "support/walk_bench.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NO_AGING UINT64_MAX

typedef struct arrival {
    char walk;
    unsigned instruction;
    uint32_t estimate;
} arrival;

/* The buffer of most scenarios. What all walks of an instruction are expected to read: 1: 9, 2: 5,
 * 3: 3, 4: 3.
 *
 *     walk          a  b  c  d  e  f  g  h
 *     instruction   1  2  1  3  2  1  4  4
 *     estimate      4  4  4  3  1  1  2  1 */
static const arrival example[] = {{'a', 1, 4}, {'b', 2, 4}, {'c', 1, 4}, {'d', 3, 3},
                                  {'e', 2, 1}, {'f', 1, 1}, {'g', 4, 2}, {'h', 4, 1}};
enum { EXAMPLE = sizeof(example) / sizeof(example[0]) };

static void arrive_all(walk_bench *b, const arrival *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        walk_bench_arrive(b, (unsigned)list[i].walk, list[i].instruction, list[i].estimate);
}

static void serve_all(walk_bench *b, char *order)
{
    int walk;
    while ((walk = walk_bench_serve(b)) >= 0)
        *order++ = (char)walk;
    *order = '\0';
}

static void check_served(walk_bench *b, const char *expected)
{
    for (const char *next = expected; *next; next++) {
        int walk = walk_bench_serve(b);
        if (walk != *next)
            fail_msg("'%c' was served before '%s' of '%s'", walk, next, expected);
    }
}

static void check_rest(walk_bench *b, const char *expected)
{
    char order[WALK_BENCH_WALKS + 1];
    serve_all(b, order);
    assert_string_equal(order, expected);
}

static void check_example(const char *scheduler, const char *expected)
{
    walk_bench *b = walk_bench_create(scheduler, EXAMPLE, NO_AGING, 1);
    arrive_all(b, example, EXAMPLE);
    assert_true(ww_walk_buffer_is_full(b->buffer));
    check_rest(b, expected);
    assert_int_equal(ww_walk_buffer_count(b->buffer), 0);
    walk_bench_destroy(b);
}

static void fcfs_serves_the_oldest(void **state)
{
    (void)state;
    check_example("fcfs", "abcdefgh");
}

/* 3 and 4 both expect three reads: the instruction whose walk is oldest goes first, then 2, then 1.
 * The walk of 4 that is left when g has gone still has the score of both. */
static void sjf_serves_the_least_score(void **state)
{
    (void)state;
    check_example("sjf", "dghbeacf");
}

/* a is the oldest, and all of 1 follow; b is, and 2 follow; d; g, and 4. */
static void batch_serves_one_instruction_after_the_other(void **state)
{
    (void)state;
    check_example("batch", "acfbedgh");
}

/* Nothing was served before: d has the least score. Then as above, by instruction. */
static void simt_serves_the_shortest_instruction_and_all_of_it(void **state)
{
    (void)state;
    check_example("simt", "dghbeacf");
}

/* a b c (1) wait, a is served; then f g (3) come, which are shorter, and h (1): sjf leaves 1 for
 * them, batch and simt do not, and take up h with it. */
static void a_shorter_one_that_comes_later(void **state)
{
    static const arrival before[] = {{'a', 1, 4}, {'b', 1, 4}, {'c', 1, 4}};
    static const arrival after[] = {{'f', 3, 1}, {'g', 3, 1}, {'h', 1, 4}};
    static const struct {
        const char *scheduler, *rest;
    } cases[] = {{"fcfs", "bcfgh"}, {"sjf", "fgbch"}, {"batch", "bchfg"}, {"simt", "bchfg"}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        walk_bench *b = walk_bench_create(cases[i].scheduler, 16, NO_AGING, 1);
        arrive_all(b, before, 3);
        check_served(b, "a");
        arrive_all(b, after, 3);
        check_rest(b, cases[i].rest);
        walk_bench_destroy(b);
    }
}

/* The score of all waiting walks of an instruction, after each arrival and service:
 *
 *     a comes (1, 4 reads)    4        b comes (1, 2)  6        c comes (2, 3)    6, 3
 *     c goes, d comes (2, 1)  1: none of 2 waited, it starts over
 *     a goes, e comes (1, 4)  10: what a needed is not subtracted */
static void scores_are_sums_that_nothing_is_subtracted_from(void **state)
{
    (void)state;
    walk_bench *b = walk_bench_create("sjf", 16, NO_AGING, 1);
    walk_bench_arrive(b, 'a', 1, 4);
    assert_int_equal(walk_bench_score(b, 'a'), 4);
    walk_bench_arrive(b, 'b', 1, 2);
    assert_int_equal(walk_bench_score(b, 'a'), 6);
    assert_int_equal(walk_bench_score(b, 'b'), 6);
    walk_bench_arrive(b, 'c', 2, 3);
    assert_int_equal(walk_bench_score(b, 'a'), 6);
    assert_int_equal(walk_bench_score(b, 'c'), 3);
    check_served(b, "c");
    walk_bench_arrive(b, 'd', 2, 1);
    assert_int_equal(walk_bench_score(b, 'd'), 1);
    check_served(b, "da");
    assert_int_equal(walk_bench_score(b, 'b'), 6);
    walk_bench_arrive(b, 'e', 1, 4);
    assert_int_equal(walk_bench_score(b, 'b'), 10);
    assert_int_equal(walk_bench_score(b, 'e'), 10);
    walk_bench_answer(b, 'b'); /* nor when it is answered by another one's line */
    assert_int_equal(walk_bench_score(b, 'e'), 10);
    walk_bench_hold(b, 'e');
    walk_bench_arrive(b, 'f', 1, 1); /* one that is held waits, too */
    assert_int_equal(walk_bench_score(b, 'f'), 11);
    walk_bench_destroy(b);
}

/* 64 walks of four reads are the most, 256; what comes then changes nothing. */
static void scores_end_at_256(void **state)
{
    (void)state;
    walk_bench *b = walk_bench_create("simt", 128, NO_AGING, 1);
    for (unsigned i = 0; i < 70; i++) {
        walk_bench_arrive(b, i, 1, 4);
        assert_int_equal(walk_bench_score(b, 0), i < 64 ? 4 * (i + 1) : 256);
        assert_int_equal(walk_bench_score(b, i), walk_bench_score(b, 0));
    }
    walk_bench_destroy(b);
}

static void between_two_at_the_most_the_older_goes(void **state)
{
    (void)state;
    walk_bench *b = walk_bench_create("sjf", 140, NO_AGING, 1);
    walk_bench_arrive(b, 0, 5, 4);
    for (unsigned i = 1; i < 66; i++)
        walk_bench_arrive(b, i, 6, 4);
    for (unsigned i = 66; i < 135; i++)
        walk_bench_arrive(b, i, 5, 4);
    assert_int_equal(walk_bench_score(b, 0), 256);
    assert_int_equal(walk_bench_score(b, 1), 256);
    assert_int_equal(walk_bench_serve(b), 0); /* now the oldest of 5 is younger than that of 6 */
    for (int i = 1; i < 135; i++)
        assert_int_equal(walk_bench_serve(b), i);
    walk_bench_destroy(b);
}

/* The oldest waiting walk decides a tie between instructions, whatever came in between. */
static void ties_go_to_the_oldest(void **state)
{
    static const arrival list[] = {{'a', 2, 1}, {'b', 1, 2}, {'c', 2, 1}, {'d', 3, 2}};
    (void)state;
    walk_bench *b = walk_bench_create("sjf", 8, NO_AGING, 1);
    arrive_all(b, list, 4); /* all scores are 2 */
    check_rest(b, "abcd");
    walk_bench_destroy(b);
    b = walk_bench_create("simt", 8, NO_AGING, 1);
    arrive_all(b, list, 4);
    check_rest(b, "acbd");
    walk_bench_destroy(b);
}

/* A walk that found a walker idle is the one served last: 2 goes on before the older and shorter 1
 * and 3. */
static void a_start_at_once_is_followed(void **state)
{
    static const arrival list[] = {{'a', 1, 1}, {'b', 3, 1}, {'c', 2, 4}, {'d', 2, 4}};
    static const struct {
        const char *scheduler, *order;
    } cases[] = {{"fcfs", "abcd"}, {"sjf", "abcd"}, {"batch", "cdab"}, {"simt", "cdab"}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        for (int later = 0; later < 2; later++) { /* before its others come, or when they wait */
            walk_bench *b = walk_bench_create(cases[i].scheduler, 8, NO_AGING, 1);
            if (!later)
                walk_bench_at_once(b, 2);
            arrive_all(b, list, 4);
            if (later)
                walk_bench_at_once(b, 2);
            check_rest(b, cases[i].order);
            walk_bench_destroy(b);
        }
    }
}

/* The one served last is remembered when none of it waits any more. */
static void an_instruction_is_followed_after_a_gap(void **state)
{
    (void)state;
    walk_bench *b = walk_bench_create("simt", 8, NO_AGING, 1);
    walk_bench_arrive(b, 'a', 7, 1);
    check_served(b, "a");
    walk_bench_arrive(b, 'b', 8, 1);
    walk_bench_arrive(b, 'c', 7, 4);
    check_rest(b, "cb");
    walk_bench_destroy(b);
}

/* With an aging of 3, a is passed by three and no more:
 *
 *     a (1, 4 reads) waits; b c d e f (2, 1 read each) are shorter     b c d | a | e f */
static void aging_fires_after_so_many_younger_ones(void **state)
{
    static const arrival list[] = {{'a', 1, 30}, {'b', 2, 1}, {'c', 2, 1},
                                   {'d', 2, 1},  {'e', 2, 1}, {'f', 2, 1}};
    static const struct {
        const char *scheduler;
        uint64_t aging;
        const char *order;
    } cases[] = {{"sjf", 1, "bacdef"}, {"sjf", 3, "bcdaef"}, {"simt", 3, "bcdaef"},
                 {"sjf", 4, "bcdeaf"}, {"sjf", 5, "bcdefa"}, {"sjf", 6, "bcdefa"},
                 {"fcfs", 1, "abcdef"}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        walk_bench *b = walk_bench_create(cases[i].scheduler, 8, cases[i].aging, 1);
        arrive_all(b, list, 6);
        check_rest(b, cases[i].order);
        walk_bench_destroy(b);
    }
    /* batch: 2 is being served when a comes; the younger c d e f of it pass a. */
    walk_bench *b = walk_bench_create("batch", 8, 2, 1);
    walk_bench_at_once(b, 2);
    arrive_all(b, list, 6);
    check_rest(b, "bcadef");
    walk_bench_destroy(b);
}

/* A selection of an older walk passes none; several starved walks are selected by age. */
static void only_younger_ones_count(void **state)
{
    static const arrival list[] = {{'a', 2, 1}, {'b', 1, 40}, {'c', 2, 1}, {'d', 3, 50},
                                   {'e', 2, 1}, {'f', 2, 1},  {'g', 2, 1}};
    (void)state;
    walk_bench *b = walk_bench_create("sjf", 8, 2, 1);
    arrive_all(b, list, 7);
    /* a is older than b and d; c passes b; e passes b (2) and d (1); b goes, which is older than d;
     * f passes d (2). */
    check_rest(b, "aceb"
                  "fdg");
    walk_bench_destroy(b);
}

/* One that is held starves, but goes when it is released; others that starve go meanwhile. */
static void aging_with_held_walks(void **state)
{
    static const arrival list[] = {{'a', 1, 40}, {'b', 3, 50}, {'c', 2, 1}, {'d', 2, 1},
                                   {'e', 2, 1},  {'f', 2, 1},  {'g', 2, 1}};
    (void)state;
    walk_bench *b = walk_bench_create("sjf", 8, 2, 1);
    arrive_all(b, list, 7);
    walk_bench_hold(b, 'a');
    check_served(b, "cd"); /* a and b were passed twice */
    check_served(b, "b");  /* a third time for a */
    check_served(b, "e");
    walk_bench_release(b, 'a');
    check_rest(b, "afg");
    walk_bench_destroy(b);

    /* A walk that is answered while it waits passes none. */
    b = walk_bench_create("sjf", 8, 2, 1);
    arrive_all(b, list, 7);
    walk_bench_answer(b, 'c');
    walk_bench_answer(b, 'e');
    check_served(b, "df");
    check_rest(b, "abg");
    walk_bench_destroy(b);
}

/* What is held is skipped by every order; it keeps its age and its position in its instruction. */
static void held_walks_are_skipped(void **state)
{
    static const struct {
        const char *scheduler, *before, *after;
    } cases[] = {
        {"fcfs", "bc", "adefgh"},
        {"sjf", "gh", "dbeacf"}, /* d, of 3 with the same score, is older when it is free */
        {"batch", "be", "acfdgh"},
        {"simt", "gh", "dbeacf"}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        walk_bench *b = walk_bench_create(cases[i].scheduler, 8, NO_AGING, 1);
        arrive_all(b, example, EXAMPLE);
        bool by_score = b->scheduler->scores;
        walk_bench_hold(b, by_score ? 'd' : 'a');
        if (i == 2) {
            walk_bench_hold(b, 'c');
            walk_bench_hold(b, 'f'); /* none of 1 can go */
        }
        check_served(b, cases[i].before);
        walk_bench_release(b, by_score ? 'd' : 'a');
        if (i == 2) {
            walk_bench_release(b, 'f');
            walk_bench_release(b, 'c');
        }
        check_rest(b, cases[i].after);
        walk_bench_destroy(b);
    }
}

static void when_all_are_held_none_goes(void **state)
{
    (void)state;
    for (size_t i = 0; i < ww_walksched_family.count; i++) {
        walk_bench *b = walk_bench_create(ww_walksched_family.members[i]->name, 8, 1, 1);
        walk_bench_arrive(b, 'a', 1, 1);
        walk_bench_arrive(b, 'b', 2, 1);
        walk_bench_hold(b, 'a');
        walk_bench_hold(b, 'b');
        assert_int_equal(ww_walk_buffer_eligible(b->buffer), 0);
        assert_int_equal(ww_walk_buffer_count(b->buffer), 2);
        assert_null(ww_walk_buffer_oldest(b->buffer));
        assert_null(ww_walk_buffer_followed(b->buffer));
        assert_null(ww_walk_buffer_starved(b->buffer, 0));
        if (b->scheduler->scores)
            assert_null(ww_walk_buffer_least(b->buffer));
        assert_int_equal(walk_bench_serve(b), -1);
        walk_bench_release(b, 'b');
        check_rest(b, "b");
        walk_bench_answer(b, 'a'); /* also while it is held */
        assert_int_equal(ww_walk_buffer_count(b->buffer), 0);
        walk_bench_destroy(b);
    }
}

static void random_serves_each_as_often_as_the_seed_says(void **state)
{
    (void)state;
    enum { ROUNDS = 40000 };
    unsigned first[8] = {0}, same = 0;
    walk_bench *b = walk_bench_create("random", 8, NO_AGING, 1);
    walk_bench *twin = walk_bench_create("random", 8, NO_AGING, 1);
    walk_bench *other = walk_bench_create("random", 8, NO_AGING, 2);
    for (int round = 0; round < ROUNDS; round++) {
        char orders[3][16];
        arrive_all(b, example, EXAMPLE);
        arrive_all(twin, example, EXAMPLE);
        arrive_all(other, example, EXAMPLE);
        serve_all(b, orders[0]);
        serve_all(twin, orders[1]);
        serve_all(other, orders[2]);
        assert_string_equal(orders[0], orders[1]);
        same += strcmp(orders[0], orders[2]) == 0;
        first[orders[0][0] - 'a']++;
        bool seen[8] = {false};
        for (int i = 0; i < 8; i++)
            seen[orders[0][i] - 'a'] = true;
        for (int i = 0; i < 8; i++)
            assert_true(seen[i]);
    }
    for (int i = 0; i < 8; i++) /* 5000 each, with a deviation of 66 */
        assert_in_range(first[i], 5000 - 330, 5000 + 330);
    assert_true(same < 20);
    walk_bench_destroy(b);
    walk_bench_destroy(twin);
    walk_bench_destroy(other);
}

typedef struct visits {
    char names[16];
    size_t count;
    walk_bench *bench;
    bool answers;
} visits;

static void visit(void *owner, ww_walk *walk)
{
    visits *v = owner;
    char name = (char)walk->translation->page;
    v->names[v->count++] = name;
    if (v->answers)
        walk_bench_answer(v->bench, (unsigned)name);
}

/* Names are page numbers here: 'a' is 0x61, and `a` to `g` are in the line of 0x60 to 0x67. */
static void walks_of_a_neighbourhood_are_visited(void **state)
{
    (void)state;
    walk_bench *b = walk_bench_create("simt", 16, NO_AGING, 1);
    for (unsigned name = 'e'; name <= 'k'; name++)
        walk_bench_arrive(b, name, name % 2, 1);
    walk_bench_hold(b, 'f');
    visits v = {.bench = b};
    ww_walk_buffer_each(b->buffer, 'e' >> 3, 15, visit, &v);
    assert_string_equal(v.names, "efg");
    v = (visits){.bench = b, .answers = true};
    ww_walk_buffer_each(b->buffer, 'h' >> 3, 15, visit, &v);
    assert_string_equal(v.names, "hijk");
    v = (visits){.bench = b};
    ww_walk_buffer_each(b->buffer, 'h' >> 3, 15, visit, &v);
    assert_int_equal(v.count, 0);
    v = (visits){.bench = b, .answers = true};
    ww_walk_buffer_each(b->buffer, 0, 24, visit, &v); /* an upper level's: all that are left */
    assert_string_equal(v.names, "efg");
    assert_int_equal(ww_walk_buffer_count(b->buffer), 0);
    v = (visits){.bench = b};
    ww_walk_buffer_each(b->buffer, UINT64_MAX >> 15, 15, visit, &v); /* no free entry */
    assert_int_equal(v.count, 0);
    walk_bench_destroy(b);
}

static ww_walk *choose_none(void *state, const ww_walk_buffer *buffer)
{
    (void)state;
    (void)buffer;
    return NULL;
}

/* Chooses the walk that `state` points to. */
static ww_walk *choose_given(void *state, const ww_walk_buffer *buffer)
{
    (void)buffer;
    return *(ww_walk **)state;
}

static void check_end(ww_walk *(*choose)(void *, const ww_walk_buffer *), walk_bench *b,
                      const char *line)
{
    const ww_walksched wrong = {.policy = {.name = "wrong"}, .choose = choose};
    int pipes[2], status = 0;
    char said[200] = {0};
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        ww_walksched_choose(&wrong, &b->walks['a'], b->buffer);
        _exit(99);
    }
    close(pipes[1]);
    assert_true(read(pipes[0], said, sizeof(said) - 1) > 0);
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_string_equal(said, line);
}

static void a_wrong_choice_ends_with_a_line(void **state)
{
    (void)state;
    walk_bench *b = walk_bench_create("fcfs", 8, NO_AGING, 1);
    const ww_walksched given = {.policy = {.name = "given"}, .choose = choose_given};
    walk_bench_arrive(b, 'a', 1, 1);
    walk_bench_arrive(b, 'b', 2, 1);
    assert_ptr_equal(ww_walksched_choose(&given, &b->walks['a'], b->buffer), b->walks['a']);
    check_end(choose_none, b,
              "internal error: walk.scheduler wrong chose no walk, though another waits "
              "(src/vm/walksched.h says what it may choose)\n");
    walk_bench_hold(b, 'a');
    check_end(choose_given, b,
              "internal error: walk.scheduler wrong chose a walk that is held back, though another "
              "waits (src/vm/walksched.h says what it may choose)\n");
    walk_bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcfs_serves_the_oldest),
        cmocka_unit_test(sjf_serves_the_least_score),
        cmocka_unit_test(batch_serves_one_instruction_after_the_other),
        cmocka_unit_test(simt_serves_the_shortest_instruction_and_all_of_it),
        cmocka_unit_test(a_shorter_one_that_comes_later),
        cmocka_unit_test(scores_are_sums_that_nothing_is_subtracted_from),
        cmocka_unit_test(scores_end_at_256),
        cmocka_unit_test(between_two_at_the_most_the_older_goes),
        cmocka_unit_test(ties_go_to_the_oldest),
        cmocka_unit_test(a_start_at_once_is_followed),
        cmocka_unit_test(an_instruction_is_followed_after_a_gap),
        cmocka_unit_test(aging_fires_after_so_many_younger_ones),
        cmocka_unit_test(only_younger_ones_count),
        cmocka_unit_test(aging_with_held_walks),
        cmocka_unit_test(held_walks_are_skipped),
        cmocka_unit_test(when_all_are_held_none_goes),
        cmocka_unit_test(random_serves_each_as_often_as_the_seed_says),
        cmocka_unit_test(walks_of_a_neighbourhood_are_visited),
        cmocka_unit_test(a_wrong_choice_ends_with_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
