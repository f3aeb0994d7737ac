/* The decoder's state, private to decode_*.c and kernel.c. */
#ifndef WW_EXEC_DECODE_H
#define WW_EXEC_DECODE_H

#include "exec/uop.h"

typedef struct ww_shared_offset {
    const ww_variable *variable;
    uint64_t offset;
} ww_shared_offset;

typedef struct ww_decoder {
    ww_kernel *kernel;
    const ww_module *module;
    ww_lane_level level;
    unsigned blocks;
    bool loads_arguments;
    ww_address_of *address_of;
    const void *context;
    ww_errors *errors;
    WW_VEC(ww_uop) uops;
    WW_VEC(const ww_instruction *) instructions;
    WW_VEC(ww_slot) lists;
    WW_VEC(uint32_t) targets;
    WW_VEC(ww_constant) constants;
    WW_VEC(ww_shared_offset) shared;
    uint32_t constant_bytes;
    ww_slot sink[2]; /* rows for discarded results: narrow, wide */
    ww_code *code;   /* the function being decoded */
    const ww_instruction *instruction;
} ww_decoder;

/* Adds an error at the current instruction; returns false, for `return`. */
bool ww_decode_error(ww_decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Assigns rows to the registers of a function. */
void ww_decode_rows(ww_decoder *d, ww_code *code);

/* Operands to slots and predicates. */
ww_slot ww_decode_new_row(ww_decoder *d, bool wide);
ww_slot ww_decode_constant(ww_decoder *d, ww_constant_source source, uint64_t bits, unsigned size,
                           bool wide, bool is_signed);
bool ww_decode_source(ww_decoder *d, const ww_operand *operand, ww_slot *slot);
ww_slot ww_decode_result(ww_decoder *d, const ww_operand *operand);
ww_slot ww_decode_predicate(const ww_decoder *d, const ww_operand *operand);
bool ww_decode_is_wide(const ww_decoder *d, const ww_operand *operand); /* its register's row */
/* A variable's address in its own space; local ones are relative to their frame. */
uint64_t ww_decode_address(const ww_decoder *d, const ww_variable *variable);

/* Each fills the micro-op for the current instruction. */
bool ww_decode_arithmetic(ww_decoder *d, ww_uop *u);
bool ww_decode_move(ww_decoder *d, ww_uop *u);
bool ww_decode_memory(ww_decoder *d, ww_uop *u);
bool ww_decode_control(ww_decoder *d, ww_uop *u);
bool ww_decode_across(ww_decoder *d, ww_uop *u);

#endif
