/* Random programs that compute: small numbers, predicates, guarded writes, any control flow. */
#ifndef WW_TESTS_RANDOM_PROGRAM_H
#define WW_TESTS_RANDOM_PROGRAM_H

#include "support/random_function.h"

enum { RANDOM_NUMBERS = 6, RANDOM_PREDICATES = 3 };

/* Registers 0 .. RANDOM_NUMBERS-1 are numbers, then predicates. Instructions are `mov` of a
 * number, a register or %tid.x, `add` of two sources modulo 4, `setp.lt`; some of them guarded. */
ww_function *random_program(builder *b, ww_rng *rng);

#endif
