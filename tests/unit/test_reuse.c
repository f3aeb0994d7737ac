/* Reuse distances, worked out by hand and against a naive model. */
#include "mem/reuse.h"

#include "base/memory.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Set 0 has even lines, set 1 odd ones. */
static void use(ww_reuse *r, uint64_t line, uint16_t pc, bool critical, bool is_here)
{
    ww_reuse_add(r, &(ww_line_use){line, (uint32_t)(line % 2), pc, critical, is_here});
}

static void expect(const uint64_t *buckets, uint64_t a, uint64_t b, uint64_t c)
{
    assert_int_equal(buckets[0], a);
    assert_int_equal(buckets[1], b);
    assert_int_equal(buckets[2], c);
    for (unsigned i = 3; i < WW_REUSE_BUCKET_COUNT; i++)
        assert_int_equal(buckets[i], 0);
}

static void distances_are_uses_of_the_set_between_two_of_a_line(void **state)
{
    (void)state;
    ww_reuse *r = ww_reuse_create(2);
    use(r, 0, 5, false, false);
    use(r, 1, 5, false, false); /* the other set */
    use(r, 0, 6, true, true);   /* 0 between */
    for (uint64_t line = 2; line <= 8; line += 2)
        use(r, line, 7, false, false);
    use(r, 0, 6, true, false);  /* 4: lines 2, 4, 6, 8 */
    use(r, 2, 6, false, false); /* 4: 4, 6, 8, 0 */
    use(r, 1, 6, true, true);   /* 0 */
    const ww_reuse_counters *c = ww_reuse_count(r);
    assert_int_equal(c->all.uses, 10);
    expect(c->all.buckets, 2, 2, 0);
    expect(c->critical, 2, 1, 0);
    assert_int_equal(c->all.critical_lost, 1);
    assert_int_equal(ww_histogram_percentile(&c->distances, 0.5), 0);
    size_t count;
    const ww_reuse_row *rows = ww_reuse_rows(r, 0, &count);
    assert_int_equal(count, 8);
    assert_int_equal(rows[5].uses, 2);
    expect(rows[5].buckets, 2, 0, 0); /* those after its uses */
    assert_int_equal(rows[6].uses, 4);
    expect(rows[6].buckets, 0, 1, 0);
    assert_int_equal(rows[7].uses, 4);
    expect(rows[7].buckets, 0, 1, 0);
    static const unsigned critical[] = {2, 1, 0}, lost[] = {0, 1, 0};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(rows[5 + i].critical, critical[i]);
        assert_int_equal(rows[5 + i].critical_lost, lost[i]);
    }
    ww_reuse_destroy(r);
}

static void a_new_stream_knows_no_line_and_kernels_have_their_own_rows(void **state)
{
    (void)state;
    ww_reuse *r = ww_reuse_create(2);
    size_t count;
    use(r, 0, 1, false, false);
    ww_reuse_clear(r);
    ww_reuse_begin_kernel(r, 2);
    use(r, 0, 1, false, false);
    expect(ww_reuse_count(r)->all.buckets, 0, 0, 0);
    ww_reuse_begin_kernel(r, 0);
    use(r, 0, 1, false, false); /* after a use of kernel 2 */
    assert_int_equal(ww_reuse_rows(r, 2, &count)[1].buckets[0], 1);
    assert_int_equal(ww_reuse_rows(r, 0, &count)[1].buckets[0], 0);
    assert_int_equal(ww_reuse_rows(r, 0, &count)[1].uses, 2);
    assert_null(ww_reuse_rows(r, 3, &count));
    ww_reuse_restart(r);
    ww_reuse_rows(r, 0, &count);
    assert_int_equal(count, 0);
    use(r, 0, 1, false, false);
    assert_int_equal(ww_reuse_count(r)->all.uses, 4);
    expect(ww_reuse_count(r)->all.buckets, 1, 0, 0);
    ww_reuse_destroy(r);
}

static void the_line_used_longest_ago_is_forgotten(void **state)
{
    (void)state;
    ww_reuse *r = ww_reuse_create(2);
    for (uint64_t line = 0; line < WW_REUSE_LINES; line++)
        use(r, line, 0, false, false);
    use(r, 0, 0, false, false); /* is the last one now: 1 is the oldest */
    use(r, WW_REUSE_LINES, 0, false, false);
    use(r, 1, 0, false, false); /* forgotten; takes the entry of 2 */
    use(r, 0, 0, false, false);
    use(r, 3, 0, false, false);
    const uint64_t *buckets = ww_reuse_count(r)->all.buckets;
    assert_int_equal(buckets[0], 1);                         /* 0, after WW_REUSE_LINES */
    assert_int_equal(buckets[WW_REUSE_BUCKET_COUNT - 1], 2); /* the first of 0, and 3 */
    ww_reuse_destroy(r);
}

/* Goes back through the stream. */
static unsigned naive_bucket(const uint64_t *stream, size_t at)
{
    uint64_t distance = 0;
    for (size_t i = at; i-- > 0;) {
        if (stream[i] == stream[at]) {
            unsigned bucket = 0;
            for (uint64_t end = 4; distance >= end && end <= 128; end *= 2)
                bucket++;
            return bucket;
        }
        distance += stream[i] % 2 == stream[at] % 2;
    }
    return WW_REUSE_BUCKET_COUNT;
}

static void random_streams_are_as_a_naive_model_says(void **state)
{
    (void)state;
    enum { LENGTH = 3000 };
    static uint64_t stream[LENGTH];
    ww_rng rng;
    ww_rng_seed(&rng, 19);
    for (unsigned round = 0; round < 4; round++) {
        ww_reuse *r = ww_reuse_create(2);
        uint64_t buckets[WW_REUSE_BUCKET_COUNT + 1] = {0};
        uint64_t lines = 4u << 2 * round;
        for (size_t i = 0; i < LENGTH; i++) {
            stream[i] = ww_rng_below(&rng, lines) * (1 + ww_rng_below(&rng, 2));
            use(r, stream[i], 0, false, false);
            buckets[naive_bucket(stream, i)]++;
        }
        assert_memory_equal(ww_reuse_count(r)->all.buckets, buckets,
                            sizeof(ww_reuse_count(r)->all.buckets));
        ww_reuse_destroy(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_uses_of_the_set_between_two_of_a_line),
        cmocka_unit_test(a_new_stream_knows_no_line_and_kernels_have_their_own_rows),
        cmocka_unit_test(the_line_used_longest_ago_is_forgotten),
        cmocka_unit_test(random_streams_are_as_a_naive_model_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
