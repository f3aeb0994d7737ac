/* Executes opcodes through the whole front end and compares what they give with plain C.
 *
 * case        one opcode with the kinds of its operands and a reference
 * kind        a letter for what a register holds, and which values are worth trying in it:
 *               h w d   16, 32, 64 bits of integer       s   a 32-bit amount (shift, position)
 *               f g     f32, f64                         x X b B   f16, f16x2, bf16, bf16x2
 *               p n     predicate; n is read negated
 * shape       kinds of results and sources: "w=ww", "pp=fg"
 * reference   gives the bits of the results for the bits of the sources; predicates are 0 or 1
 * Each case runs at all configs, for edge values and random ones, in groups whose last warp is not
 * full, in five ways: plain; under a guard that some lanes have; in a branch that some lanes take;
 * with a constant as the last source; and with its result in the register of its first source. */
#ifndef WW_TESTS_OPCODES_H
#define WW_TESTS_OPCODES_H

#include "support/kernel_run.h"

#define MOST_SOURCES 5
#define MOST_RESULTS 2

typedef void value_reference(const void *context, const uint64_t *in, uint64_t *out);
typedef bool value_accept(const void *context, const uint64_t *in, uint64_t got);

typedef struct value_case {
    const char *opcode;
    const char *shape;
    value_reference *reference;
    const void *context;
    int rounding;         /* the host's while the reference computes: FE_..., 0 is to nearest */
    const char *tail;     /* text after the last source */
    const char *body;     /* statements instead of the one; results %d0 %d1, sources %s0... */
    value_accept *accept; /* instead of the reference, where results are approximate */
} value_case;

void check_value(const value_case *c);
/* A case with nothing out of the ordinary. */
void check(const char *opcode, const char *shape, value_reference *reference, const void *context);

/* Notes that an opcode ran and gave what it should; all of a module's. */
void cover(const char *opcode);
void cover_module(const ww_module *module);
int coverage_start(void **state);
int coverage_end(void **state);

/* cmocka tests, each about one kind of opcode; the last, that the whole list was covered. */
void integer_arithmetic(void **state);
void integer_wide_products(void **state);
void integer_carry(void **state);
void integer_bits(void **state);
void integer_shifts(void **state);
void integer_fields(void **state);
void integer_pairs(void **state);
void predicates_and_selection(void **state);
void comparisons_of_integers(void **state);
void comparisons_of_floats(void **state);
void float_arithmetic(void **state);
void float_extremes_and_signs(void **state);
void float_classes(void **state);
void float_approximations(void **state);
void half_arithmetic(void **state);
void conversions_between_integers(void **state);
void conversions_to_integers(void **state);
void conversions_from_integers(void **state);
void conversions_between_floats(void **state);
void moves_of_parts(void **state);
void special_registers(void **state);
void launch_numbers(void **state);
void addresses_as_values(void **state);
void loads_of_every_space(void **state);
void stores_of_every_space(void **state);
void kernel_parameters(void **state);
void function_parameters(void **state);
void generic_addresses_of_mixed_spaces(void **state);
void asynchronous_copies_and_hints(void **state);
void atomics_in_sequence(void **state);
void atomics_of_floats(void **state);
void group_barriers(void **state);
void warp_shuffles(void **state);
void warp_votes(void **state);
void branches_and_ends(void **state);
void branches_by_index(void **state);
void calls_direct_and_indirect(void **state);
void calls_with_registers(void **state);
void every_listed_opcode_ran(void **state);

#endif
