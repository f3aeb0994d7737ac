#include "core/code.h"

#include "base/memory.h"
#include "core/scoreboard.h"

#include <string.h>

typedef struct builder {
    ww_timed_code *code;
    WW_VEC(uint16_t) registers;
    uint32_t base; /* of the function's registers */
    ww_timed_op *op;
    bool has_scalar_unit;
    unsigned argument_block;
    bool end_waits;
    ww_timed_op *leader; /* the instruction before belongs to its load of arguments, or NULL */
    const ww_uop *leader_uop;
} builder;

/* ---- units ---- */

static bool is_special_function(const ww_form *form)
{
    switch (form->op) {
    case WW_OP_RCP:
    case WW_OP_SQRT:
    case WW_OP_RSQRT:
    case WW_OP_SIN:
    case WW_OP_COS:
    case WW_OP_LG2:
    case WW_OP_EX2:
    case WW_OP_TANH:
    case WW_OP_DIV:
    case WW_OP_REM: return true;
    default: return false;
    }
}

static ww_unit arithmetic_unit(const ww_instruction *instruction, bool scalar)
{
    const ww_form *form = &instruction->form;
    if (form->type == WW_TYPE_F64 || form->type2 == WW_TYPE_F64)
        return WW_UNIT_FP64;
    if (is_special_function(form))
        return WW_UNIT_SFU;
    return scalar ? WW_UNIT_SCALAR : WW_UNIT_SIMD;
}

/* A uniform load through the scalar cache. No store updates that cache, so that only constants and
 * data that the compiler marks as read-only go there. */
static bool is_scalar_load(const ww_uop *uop, const ww_instruction *instruction, bool scalar)
{
    bool constant = uop->space == WW_SPACE_CONST;
    bool read_only = uop->space == WW_SPACE_GLOBAL && instruction &&
                     instruction->form.flags & WW_FLAG_NONCOHERENT;
    return scalar && uop->kind == WW_UOP_LOAD && (constant || read_only);
}

static ww_unit memory_unit(const ww_uop *uop, const ww_instruction *instruction, bool scalar)
{
    if (is_scalar_load(uop, instruction, scalar))
        return WW_UNIT_SCALAR;
    return uop->space == WW_SPACE_SHARED ? WW_UNIT_LDS : WW_UNIT_MEMORY;
}

static ww_unit unit_of(const ww_uop *uop, const ww_instruction *instruction, bool scalar)
{
    switch (uop->kind) {
    case WW_UOP_LOAD:
    case WW_UOP_STORE:
    case WW_UOP_ATOMIC:
    case WW_UOP_ASYNC_COPY: return memory_unit(uop, instruction, scalar);
    case WW_UOP_SHUFFLE: return WW_UNIT_LDS; /* lanes exchange values through its crossbar */
    default: break;
    }
    if (uop->category == WW_CATEGORY_CONTROL || uop->category == WW_CATEGORY_SYNCHRONISATION ||
        !instruction)
        return WW_UNIT_BRANCH;
    return arithmetic_unit(instruction, scalar);
}

static bool is_inside(const ww_uop *uop)
{
    switch (uop->kind) {
    case WW_UOP_LOAD:
    case WW_UOP_STORE:
    case WW_UOP_ATOMIC: return uop->space == WW_SPACE_SHARED;
    case WW_UOP_ASYNC_COPY:
    case WW_UOP_NOTHING:
    case WW_UOP_SPACE_TEST:
    case WW_UOP_BARRIER:
    case WW_UOP_WARP_BARRIER:
    case WW_UOP_CALL:
    case WW_UOP_CALL_INDIRECT:
    case WW_UOP_PRINT:
    case WW_UOP_RETURN:
    case WW_UOP_EXIT:
    case WW_UOP_TRAP: return false;
    default: return true;
    }
}

static unsigned flags_of(const ww_uop *uop, const ww_instruction *instruction, bool scalar)
{
    unsigned flags = 0;
    switch (uop->kind) {
    case WW_UOP_LOAD:
    case WW_UOP_ASYNC_COPY: flags = WW_TIMED_LOAD; break;
    case WW_UOP_STORE: flags = WW_TIMED_STORE; break;
    case WW_UOP_ATOMIC: flags = WW_TIMED_ATOMIC; break;
    case WW_UOP_NOTHING:
        if (instruction &&
            (instruction->form.op == WW_OP_MEMBAR || instruction->form.op == WW_OP_FENCE))
            flags = WW_TIMED_FENCE;
        break;
    default:
        if (uop->category == WW_CATEGORY_CONTROL)
            flags = WW_TIMED_BRANCH;
        break;
    }
    if (uop->space == WW_SPACE_GENERIC &&
        flags & (WW_TIMED_LOAD | WW_TIMED_STORE | WW_TIMED_ATOMIC))
        flags |= WW_TIMED_GENERIC;
    if (is_scalar_load(uop, instruction, scalar))
        flags |= WW_TIMED_SCALAR;
    if (is_inside(uop))
        flags |= WW_TIMED_INSIDE;
    return flags;
}

/* ---- registers ---- */

static void add_register(int32_t reg, void *context)
{
    builder *b = context;
    uint16_t number = (uint16_t)(b->base + (uint32_t)reg);
    for (uint32_t i = b->op->first; i < b->registers.count; i++)
        if (b->registers.items[i] == number)
            return;
    ww_vec_push(&b->registers, number);
}

/* ---- arguments ---- */

static bool starts_block(const ww_flow *flow, uint32_t index)
{
    return flow->blocks[flow->block_of[index]].first == index;
}

/* The block that the whole access is in, or UINT64_MAX. */
static uint64_t argument_block(const builder *b, const ww_uop *uop)
{
    uint64_t at = (uint64_t)uop->imm - WW_PARAM_WINDOW;
    uint64_t first = at / b->argument_block;
    uint64_t last = (at + (unsigned)uop->bytes * uop->count - 1) / b->argument_block;
    return first == last ? first : UINT64_MAX;
}

/* Whether the leader's load brings what the instruction reads, too. The first instruction of a
 * basic block leads, since not all warps come from the one before it. */
static bool joins_leader(const builder *b, const ww_uop *uop, bool starts_block)
{
    return b->leader && !starts_block && uop->flags & WW_UOP_NO_BASE &&
           argument_block(b, uop) == argument_block(b, b->leader_uop) &&
           b->leader->written + b->op->written < 64;
}

/* A load of arguments: the leader of its own, or one that joins a leader. The registers of all that
 * join a leader follow its own. */
static void add_argument_load(builder *b, const ww_uop *uop, bool starts_block)
{
    bool alone = b->op->count != b->op->written || !(uop->flags & WW_UOP_NO_BASE) ||
                 argument_block(b, uop) == UINT64_MAX;
    b->op->unit = WW_UNIT_SCALAR;
    if (!alone && joins_leader(b, uop, starts_block)) {
        b->leader->written += b->op->written;
        b->leader->count += b->op->count;
        b->op->first = (uint32_t)b->registers.count;
        b->op->count = b->op->written = 0;
        b->op->flags = WW_TIMED_INSIDE;
        return;
    }
    b->op->flags = WW_TIMED_LOAD | WW_TIMED_SCALAR;
    b->leader = alone ? NULL : b->op;
    b->leader_uop = uop;
}

/* ---- instructions ---- */

static void add_op(builder *b, const ww_kernel *kernel, const ww_code *code,
                   const ww_function_analysis *known, uint32_t index)
{
    uint32_t pc = code->first + index;
    const ww_uop *uop = &kernel->uops[pc];
    const ww_instruction *instruction = kernel->instructions[pc];
    b->op = &b->code->ops[pc];
    b->op->first = (uint32_t)b->registers.count;
    if (instruction) {
        ww_uses_writes(code->function, index, add_register, b);
        b->op->written = (b->registers.count - b->op->first) & 0x3fu;
        ww_uses_reads(code->function, index, add_register, b);
        b->op->count = (uint8_t)(b->registers.count - b->op->first);
    }
    b->code->paths[pc] = instruction ? ww_paths_find(known->paths, index) : NULL;
    bool scalar = b->has_scalar_unit && instruction && known->uniform->instruction[index];
    b->op->unit = (uint8_t)unit_of(uop, instruction, scalar);
    b->op->computes = (uop->flags & WW_UOP_ONLY_COMPUTES) != 0;
    b->op->is_float = b->op->unit == WW_UNIT_SIMD && ww_type_is_float(instruction->form.type);
    b->op->flags = (uint8_t)flags_of(uop, instruction, scalar);
    if (uop->kind == WW_UOP_EXIT && b->end_waits)
        b->op->flags |= WW_TIMED_FENCE;
    if (b->argument_block && scalar && uop->kind == WW_UOP_LOAD && uop->space == WW_SPACE_PARAM)
        add_argument_load(b, uop, starts_block(known->flow, index));
    else
        b->leader = NULL;
}

/* The number of a function's first instruction in its program. */
static uint32_t first_number(const ww_function *function)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < function->index; i++)
        first += function->module->functions[i]->instruction_count + 1; /* the implicit return */
    return first;
}

ww_timed_code *ww_timed_code_create(const ww_kernel *kernel, const ww_analysis *analysis,
                                    bool has_scalar_unit, unsigned argument_block, bool end_waits)
{
    ww_timed_code *code = ww_calloc(1, sizeof(*code));
    builder b = {.code = code,
                 .has_scalar_unit = has_scalar_unit,
                 .argument_block = argument_block,
                 .end_waits = end_waits};
    code->op_count = kernel->uop_count;
    code->ops = ww_calloc(kernel->uop_count, sizeof(*code->ops));
    code->paths = ww_calloc(kernel->uop_count, sizeof(*code->paths));
    code->tags = ww_calloc(kernel->uop_count, sizeof(*code->tags));
    code->need = analysis->functions[kernel->entry->index].need;
    for (uint32_t c = 0; c < kernel->code_count; c++) {
        const ww_code *part = &kernel->codes[c];
        const ww_function_analysis *known = &analysis->functions[part->function->index];
        uint32_t number = first_number(part->function);
        for (uint32_t i = 0; i < part->count; i++) {
            add_op(&b, kernel, part, known, i);
            code->tags[part->first + i] = (uint16_t)(number + i);
        }
        b.base += part->function->register_count + 1; /* and the carry */
    }
    code->registers = b.registers.items;
    for (uint32_t pc = 0; pc < code->op_count; pc++) {
        ww_timed_op *op = &code->ops[pc];
        op->registers = code->registers + op->first;
        op->bits = ww_scoreboard_bits(op->registers, op->count);
    }
    return code;
}

void ww_timed_code_destroy(ww_timed_code *code)
{
    if (!code)
        return;
    free(code->ops);
    free(code->registers);
    free(code->paths);
    free(code->tags);
    free(code);
}
