/* Values worth trying, by kind of operand (opcodes.h), and how kinds look in PTX. */
#ifndef WW_TESTS_OPERANDS_H
#define WW_TESTS_OPERANDS_H

#include "base/rng.h"

#include <stdbool.h>
#include <stdio.h>

unsigned kind_bits(char kind);
uint64_t kind_mask(char kind); /* 1 for predicates */
const char *kind_register(char kind);

/* Edges of the kind more often than not. */
uint64_t random_operand(ww_rng *rng, char kind);
/* As an immediate of an instruction. */
void write_constant(FILE *out, char kind, uint64_t bits);

/* Equal bits, or for floats both NaN (PTX leaves the payload of most NaNs open). */
bool same_value(char kind, uint64_t want, uint64_t got);

#endif
