/* Properties of every operator in the table: all levels give the same bits, the result row may be a
 * source row, and nothing beyond the asked blocks is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "exec/lanes/table.h"
#include "support/lane_reference.h"

enum { WIDTH = 64, ROUNDS = 8 };

typedef struct row {
    _Alignas(64) uint64_t lanes[WIDTH];
} row;

typedef struct operands {
    row d, a, b, c, e;
} operands;

static ww_form form_of(uint64_t key)
{
    return (ww_form){.op = (uint8_t)(key >> 56),
                     .type = (uint8_t)(key >> 48),
                     .type2 = (uint8_t)(key >> 40),
                     .round = (uint8_t)(key >> 32),
                     .compare = (uint8_t)(key >> 24),
                     .variant = (uint8_t)(key >> 16),
                     .flags = (uint32_t)(key & 0xffff)};
}

static void fill(operands *rows, const lane_shape *shape, ww_rng *rng)
{
    memset(rows, 0xa5, sizeof *rows);
    lane_fill(rng, rows->a.lanes, shape->a);
    lane_fill(rng, rows->b.lanes, shape->b);
    lane_fill(rng, rows->c.lanes, shape->c);
    lane_fill(rng, rows->e.lanes, shape->e);
}

static void run(ww_lane_fn *fn, operands *rows, unsigned blocks)
{
    fn(rows->d.lanes, rows->a.lanes, rows->b.lanes, rows->c.lanes, blocks, rows->e.lanes);
}

static void expect_same(const void *got, const void *want, size_t size, uint64_t key,
                        const char *what, int level)
{
    char name[128];
    const ww_form form = form_of(key);
    lane_form_text(&form, name, sizeof name);
    if (memcmp(got, want, size) != 0)
        fail_msg("%s (%s): %s", name, ww_lane_level_name((ww_lane_level)level), what);
}

typedef void check_operator(uint64_t key, ww_lane_fn *portable, ww_lane_fn *fn, int level,
                            ww_rng *rng);

/* Calls `check` for every entry of every level that this machine has. */
static void for_each_operator(check_operator *check)
{
    ww_rng rng;
    ww_rng_seed(&rng, 7);
    const ww_lane_family *const *portable = ww_lane_families(WW_LANE_PORTABLE);
    for (int level = 0; level <= (int)ww_lane_best(); level++) {
        const ww_lane_family *const *families = ww_lane_families((ww_lane_level)level);
        for (int f = 0; f < WW_LANE_FAMILY_COUNT; f++) {
            assert_int_equal(families[f]->count, portable[f]->count);
            for (size_t i = 0; i < families[f]->count; i++) {
                assert_int_equal(families[f]->entries[i].key, portable[f]->entries[i].key);
                check(families[f]->entries[i].key, portable[f]->entries[i].fn,
                      families[f]->entries[i].fn, level, &rng);
            }
        }
    }
}

static void check_same_bits(uint64_t key, ww_lane_fn *portable, ww_lane_fn *fn, int level,
                            ww_rng *rng)
{
    const ww_form form = form_of(key);
    const lane_shape shape = lane_shape_of(&form);
    for (int round = 0; round < ROUNDS; round++) {
        operands want, got;
        fill(&want, &shape, rng);
        got = want;
        run(portable, &want, WIDTH / 16);
        run(fn, &got, WIDTH / 16);
        expect_same(&got, &want, sizeof got, key, "not the portable bits", level);
    }
}

static void levels_agree(void **state)
{
    (void)state;
    for_each_operator(check_same_bits);
}

/* The result row in place of the source row at offset `at` of the operands. */
static void check_alias(uint64_t key, ww_lane_fn *fn, const operands *before, const operands *want,
                        size_t at, int level)
{
    operands got = *before;
    void *shared = (char *)&got + at;
    void *const sources[] = {got.a.lanes, got.b.lanes, got.c.lanes};
    fn(shared, sources[0], sources[1], sources[2], WIDTH / 16, got.e.lanes);
    const ww_form form = form_of(key);
    const size_t bytes = lane_shape_of(&form).d / 8 * WIDTH;
    expect_same(shared, want->d.lanes, bytes, key, "wrong in place", level);
}

static void check_in_place(uint64_t key, ww_lane_fn *portable, ww_lane_fn *fn, int level,
                           ww_rng *rng)
{
    (void)portable;
    const ww_form form = form_of(key);
    const lane_shape shape = lane_shape_of(&form);
    operands before, after;
    fill(&before, &shape, rng);
    after = before;
    run(fn, &after, WIDTH / 16);
    if (shape.a == shape.d)
        check_alias(key, fn, &before, &after, offsetof(operands, a), level);
    if (shape.b == shape.d)
        check_alias(key, fn, &before, &after, offsetof(operands, b), level);
    if (shape.c == shape.d)
        check_alias(key, fn, &before, &after, offsetof(operands, c), level);
}

static void result_may_be_a_source(void **state)
{
    (void)state;
    for_each_operator(check_in_place);
}

/* A source row twice: d = a op a, in place. */
static void check_all_one_row(uint64_t key, ww_lane_fn *portable, ww_lane_fn *fn, int level,
                              ww_rng *rng)
{
    const ww_form form = form_of(key);
    const lane_shape shape = lane_shape_of(&form);
    operands want, got;
    fill(&want, &shape, rng);
    got = want;
    if (shape.a != shape.d || shape.b != shape.d)
        return;
    portable(want.d.lanes, want.a.lanes, want.a.lanes, want.c.lanes, WIDTH / 16, want.e.lanes);
    fn(got.a.lanes, got.a.lanes, got.a.lanes, got.c.lanes, WIDTH / 16, got.e.lanes);
    expect_same(got.a.lanes, want.d.lanes, shape.d / 8 * WIDTH, key, "wrong on one row", level);
}

static void all_may_be_one_row(void **state)
{
    (void)state;
    for_each_operator(check_all_one_row);
}

static void check_blocks(uint64_t key, ww_lane_fn *portable, ww_lane_fn *fn, int level, ww_rng *rng)
{
    (void)portable;
    const ww_form form = form_of(key);
    const lane_shape shape = lane_shape_of(&form);
    operands before, whole;
    fill(&before, &shape, rng);
    whole = before;
    run(fn, &whole, WIDTH / 16);
    for (unsigned blocks = 1; blocks < WIDTH / 16; blocks++) {
        operands part = before, want = before;
        run(fn, &part, blocks);
        const uint64_t inside = ((uint64_t)1 << blocks * 16) - 1;
        if (shape.d == 1)
            want.d.lanes[0] = whole.d.lanes[0] & inside;
        else
            memcpy(want.d.lanes, whole.d.lanes, shape.d / 8 * blocks * 16);
        if (form.flags & WW_FLAG_CC)
            want.e.lanes[0] = whole.e.lanes[0] & inside;
        expect_same(&part, &want, sizeof part, key, "not just the blocks", level);
    }
}

static void only_the_blocks_are_touched(void **state)
{
    (void)state;
    for_each_operator(check_blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(result_may_be_a_source),
        cmocka_unit_test(all_may_be_one_row),
        cmocka_unit_test(only_the_blocks_are_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
