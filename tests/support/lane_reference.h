/* What each lane of an arithmetic form must give, one lane at a time and by other means than the
 * operators: wide integers, soft reals, and long double functions with a bound on the error.
 *
 * shape     the width of each row's elements in bits: 32 or 64; 1: a mask; 0: no such operand
 * sources   one lane's row elements as they are in the rows, and its carry
 * verdict   the expected element, and for .approx forms the neighbours that are good as well */
#ifndef WW_TESTS_SUPPORT_LANE_REFERENCE_H
#define WW_TESTS_SUPPORT_LANE_REFERENCE_H

#include <stddef.h>

#include "base/rng.h"
#include "ptx/isa.h"

typedef struct lane_shape {
    unsigned d, a, b, c, e;
} lane_shape;

typedef struct lane_sources {
    uint64_t a, b, c, e; /* c of selp, e of the carry forms: 0 or 1; e of lop3: the table */
} lane_sources;

typedef struct lane_verdict {
    uint64_t d;     /* for setp and testp 0 or 1 */
    uint64_t slack; /* bit patterns up to so far away are good too */
    bool pair;      /* the slack is for each 16-bit half */
    bool carry;
    bool writes_carry;
} lane_verdict;

lane_shape lane_shape_of(const ww_form *form);

/* Whether an element of the result row, as it is there, is good. */
bool lane_accepts(const lane_verdict *verdict, uint64_t d);

/* False when the reference does not know the form. */
bool lane_reference(const ww_form *form, const lane_sources *in, lane_verdict *out);

/* The parts of lane_reference, by family. */
bool lane_reference_integer(const ww_form *form, const lane_sources *in, lane_verdict *out);
bool lane_reference_bits(const ww_form *form, const lane_sources *in, lane_verdict *out);
bool lane_reference_real(const ww_form *form, const lane_sources *in, lane_verdict *out);
bool lane_reference_approx(const ww_form *form, const lane_sources *in, lane_verdict *out);
bool lane_reference_convert(const ww_form *form, const lane_sources *in, lane_verdict *out);

/* A row element's value by its type. */
__extension__ typedef __int128 lane_integer;
lane_integer lane_integer_of(ww_type type, uint64_t element);
uint64_t lane_element(ww_type type, lane_integer value); /* wrapped to the type, then extended */
lane_integer lane_least(ww_type type);
lane_integer lane_most(ww_type type);

/* 64 elements of 32 or 64 bits, or a mask, that like the edges of integers and reals. */
void lane_fill(ww_rng *rng, void *row, unsigned bits);

/* "cvt.rzi.s32.f32" and such, for messages. */
void lane_form_text(const ww_form *form, char *text, size_t size);

#endif
