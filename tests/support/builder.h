/* Functions made by hand, for tests of analyses that must not depend on the parser.
 *
 * label   a number chosen by the test; builder_place puts it before the next instruction. Labels
 *         that are never placed stand at the end of the body. */
#ifndef WW_TESTS_BUILDER_H
#define WW_TESTS_BUILDER_H

#include "ptx/module.h"

typedef struct builder builder;

builder *builder_create(void);
void builder_destroy(builder *b); /* and its function */

int32_t builder_register(builder *b, ww_type type);
void builder_place(builder *b, uint32_t label);
uint32_t builder_here(const builder *b); /* index of the next instruction */

/* Each returns the new instruction's index. A guard is a predicate register or -1; a negative
 * destination means none. Sources: builder_reg, builder_value, builder_special, ... */
ww_operand builder_reg(int32_t reg);
ww_operand builder_value(uint64_t bits);
ww_operand builder_special(ww_special special);
ww_operand builder_memory(int32_t base, int64_t offset);
uint32_t builder_op(builder *b, int32_t guard, ww_op op, ww_type type, int32_t destination,
                    const ww_operand *sources, unsigned count);
uint32_t builder_bra(builder *b, int32_t guard, uint32_t label);
uint32_t builder_brx(builder *b, int32_t guard, int32_t index, const uint32_t *labels,
                     unsigned count);
uint32_t builder_plain(builder *b, int32_t guard, ww_op op); /* ret, exit, trap, bar, nothing */

/* Resolves labels; the function stays owned by the builder. */
ww_function *builder_finish(builder *b);

#endif
