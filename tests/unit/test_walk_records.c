/* Records of instructions with walks: allocated by the first walk, added up and freed at the end.
 */
#include "vm/walk_records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static ww_instruction_id id(uint64_t number)
{
    return (ww_instruction_id){.number = number};
}

/* 1 has walks 1 and 3, 2 has walk 2. */
static void an_instruction_is_counted_when_it_ends(void **state)
{
    (void)state;
    ww_walk_records *records = ww_walk_records_create(4);
    ww_instruction_id one = id(1), two = id(2), none = id(3);
    ww_walk_record *a = ww_walk_records_arrive(records, &one, 1, 10);
    ww_walk_record *b = ww_walk_records_arrive(records, &two, 2, 20);
    assert_ptr_equal(ww_walk_records_arrive(records, &one, 3, 30), a);
    assert_ptr_equal(ww_walk_records_find(records, 2), b);
    assert_null(ww_walk_records_find(records, 3));
    ww_walk_record_answer(a, 4, 30, 70); /* the second walk first */
    ww_walk_record_answer(b, 0, 20, 71);
    ww_walk_record_answer(a, 13, 10, 90);
    assert_int_equal(ww_walk_records_count(records)->instructions, 0);
    ww_walk_records_end(records, &none); /* it had no walk */
    ww_walk_records_end(records, &one);
    ww_walk_records_end(records, &two);
    const ww_instruction_counters *c = ww_walk_records_count(records);
    assert_int_equal(c->instructions, 2);
    assert_int_equal(c->several, 1);
    assert_int_equal(c->interleaved, 1);
    assert_int_equal(c->first_latency, 40);
    assert_int_equal(c->last_latency, 80);
    assert_int_equal(c->first_answer, 60);
    assert_int_equal(c->last_answer, 80);
    assert_int_equal(c->work_32, 1);
    assert_int_equal(c->work_0, 1);
    assert_int_equal(ww_walk_records_used(records), 0);
    ww_walk_records_destroy(records);
}

/* A pool of 2 holds 1000, and the records stay where they are. */
static void a_pool_grows(void **state)
{
    (void)state;
    ww_walk_records *records = ww_walk_records_create(2);
    ww_walk_record *all[1001];
    for (uint64_t n = 1; n <= 1000; n++) {
        ww_instruction_id i = id(n);
        all[n] = ww_walk_records_arrive(records, &i, n, n);
    }
    assert_int_equal(ww_walk_records_used(records), 1000);
    for (uint64_t n = 1000; n > 0; n--) {
        ww_instruction_id i = id(n);
        assert_ptr_equal(ww_walk_records_find(records, n), all[n]);
        assert_int_equal(all[n]->missed, n);
        ww_walk_records_end(records, &i);
        assert_null(ww_walk_records_find(records, n));
    }
    assert_int_equal(ww_walk_records_used(records), 0);
    ww_walk_records_destroy(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_is_counted_when_it_ends),
        cmocka_unit_test(a_pool_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
