/* Every opcode of the reference list executes and gives what plain C gives. */
#include "opcodes/opcodes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_arithmetic),
        cmocka_unit_test(integer_wide_products),
        cmocka_unit_test(integer_carry),
        cmocka_unit_test(integer_bits),
        cmocka_unit_test(integer_shifts),
        cmocka_unit_test(integer_fields),
        cmocka_unit_test(integer_pairs),
        cmocka_unit_test(predicates_and_selection),
        cmocka_unit_test(comparisons_of_integers),
        cmocka_unit_test(comparisons_of_floats),
        cmocka_unit_test(float_arithmetic),
        cmocka_unit_test(float_extremes_and_signs),
        cmocka_unit_test(float_classes),
        cmocka_unit_test(float_approximations),
        cmocka_unit_test(half_arithmetic),
        cmocka_unit_test(conversions_between_integers),
        cmocka_unit_test(conversions_to_integers),
        cmocka_unit_test(conversions_from_integers),
        cmocka_unit_test(conversions_between_floats),
        cmocka_unit_test(loads_of_every_space),
        cmocka_unit_test(stores_of_every_space),
        cmocka_unit_test(kernel_parameters),
        cmocka_unit_test(function_parameters),
        cmocka_unit_test(moves_of_parts),
        cmocka_unit_test(special_registers),
        cmocka_unit_test(launch_numbers),
        cmocka_unit_test(addresses_as_values),
        cmocka_unit_test(generic_addresses_of_mixed_spaces),
        cmocka_unit_test(asynchronous_copies_and_hints),
        cmocka_unit_test(atomics_in_sequence),
        cmocka_unit_test(atomics_of_floats),
        cmocka_unit_test(group_barriers),
        cmocka_unit_test(warp_shuffles),
        cmocka_unit_test(warp_votes),
        cmocka_unit_test(branches_and_ends),
        cmocka_unit_test(branches_by_index),
        cmocka_unit_test(calls_direct_and_indirect),
        cmocka_unit_test(calls_with_registers),
        cmocka_unit_test(every_listed_opcode_ran),
    };
    return cmocka_run_group_tests(tests, coverage_start, coverage_end);
}
