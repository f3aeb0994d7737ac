/* The table of opcodes: every form the front end knows, its operands, and how to find one.
 *
 * pattern   the suffixes a form takes, one group after the other: "r:rn|rz? f:ftz? t:f32"
 *           letter: t result type, s second type, r rounding, c comparison, v variant, o combine
 *           operation, m memory space, f flag, x vector length, i ignored (hints and scopes that
 *           change nothing here); a group may be absent if it ends in '?', repeated if in '*'.
 *           Suffixes are accepted in any order; types in the order of their groups.
 * shape     the operands, results first:
 *             D result of type t     W result twice as wide     K result of 32 bits
 *             P predicate result     V result, scalar or vector    U mov's result
 *             A source of type t     w source twice as wide     S source of the second type
 *             B source of 32 bits    p predicate source         v source, scalar or vector
 *             u mov's source         M memory operand           L label      X a constant
 *           `|` joins a result with the optional one after it; '?' marks an operand that may be
 *           absent.
 * This table is the only list of opcodes: parser, executor, docs and tests read it. */
#ifndef WW_PTX_OPCODES_H
#define WW_PTX_OPCODES_H

#include "base/error.h"
#include "ptx/isa.h"

#include <stddef.h>

typedef struct ww_opcode {
    ww_op op;
    const char *pattern;
    const char *shape;
    const char *doc;
} ww_opcode;

extern const ww_opcode ww_opcodes[];
extern const unsigned ww_opcode_count;

typedef struct ww_word {
    const char *text;
    unsigned length;
} ww_word;

/* Resolves an operation name and its suffix words into a form. On failure returns NULL and writes
 * the reason into `why`: the unknown word and the allowed ones, or the nearest operation. */
const ww_opcode *ww_opcode_match(ww_word name, const ww_word *suffixes, unsigned count,
                                 ww_form *form, char *why, size_t why_size);

/* Whether an opcode written with dots ("add.rn.f32") is in the table. */
bool ww_opcode_supported(const char *opcode);

/* A pattern as people write it: "{.rn/.rz}{.ftz}.f32". */
const char *ww_opcode_pattern(const ww_opcode *opcode, char *text, size_t size);

#endif
