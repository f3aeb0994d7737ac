#include "support/builder.h"

#include <string.h>

struct builder {
    ww_arena *arena;
    ww_function function;
    ww_module module;
    ww_function *functions[1];
    WW_VEC(ww_instruction) instructions;
    WW_VEC(ww_register) registers;
    WW_VEC(uint32_t) labels; /* by label: instruction index + 1, or 0 */
};

builder *builder_create(void)
{
    builder *b = ww_calloc(1, sizeof *b);
    b->arena = ww_arena_create();
    return b;
}

void builder_destroy(builder *b)
{
    ww_vec_free(&b->instructions);
    ww_vec_free(&b->registers);
    ww_vec_free(&b->labels);
    ww_arena_destroy(b->arena);
    free(b);
}

int32_t builder_register(builder *b, ww_type type)
{
    ww_register r = {"%r", (uint8_t)type};
    ww_vec_push(&b->registers, r);
    return (int32_t)b->registers.count - 1;
}

void builder_place(builder *b, uint32_t label)
{
    while (b->labels.count <= label)
        ww_vec_push(&b->labels, 0);
    b->labels.items[label] = builder_here(b) + 1;
}

uint32_t builder_here(const builder *b)
{
    return (uint32_t)b->instructions.count;
}

ww_operand builder_reg(int32_t reg)
{
    return (ww_operand){.kind = WW_OPERAND_REGISTER, .reg = reg};
}

ww_operand builder_value(uint64_t bits)
{
    return (ww_operand){.kind = WW_OPERAND_VALUE, .bits = bits, .reg = -1};
}

ww_operand builder_special(ww_special special)
{
    return (ww_operand){.kind = WW_OPERAND_SPECIAL, .special = (uint8_t)special, .reg = -1};
}

ww_operand builder_memory(int32_t base, int64_t offset)
{
    return (ww_operand){.kind = WW_OPERAND_MEMORY, .reg = base, .offset = offset};
}

static ww_instruction *add(builder *b, int32_t guard, ww_op op, unsigned operands)
{
    ww_instruction i = {.form.op = (uint8_t)op,
                        .form.vector = 1,
                        .guard = guard,
                        .operand_count = (uint8_t)operands,
                        .operands = ww_arena_alloc(b->arena, operands, sizeof(ww_operand)),
                        .text = ww_op_name(op),
                        .line = (int)b->instructions.count + 1,
                        .source_file = -1};
    ww_vec_push(&b->instructions, i);
    return &b->instructions.items[b->instructions.count - 1];
}

uint32_t builder_op(builder *b, int32_t guard, ww_op op, ww_type type, int32_t destination,
                    const ww_operand *sources, unsigned count)
{
    unsigned results = destination >= 0;
    ww_instruction *i = add(b, guard, op, results + count);
    i->form.type = (uint8_t)type;
    i->result_count = (uint8_t)results;
    if (results)
        i->operands[0] = builder_reg(destination);
    if (count)
        memcpy(i->operands + results, sources, count * sizeof *sources);
    return builder_here(b) - 1;
}

uint32_t builder_bra(builder *b, int32_t guard, uint32_t label)
{
    ww_instruction *i = add(b, guard, WW_OP_BRA, 1);
    i->operands[0] = (ww_operand){.kind = WW_OPERAND_LABEL, .target = label, .reg = -1};
    return builder_here(b) - 1;
}

uint32_t builder_brx(builder *b, int32_t guard, int32_t index, const uint32_t *labels,
                     unsigned count)
{
    ww_instruction *i = add(b, guard, WW_OP_BRX, 2);
    i->form.variant = WW_VARIANT_IDX;
    i->operands[0] = builder_reg(index);
    i->operands[1] = (ww_operand){.kind = WW_OPERAND_TARGETS, .count = (uint16_t)count, .reg = -1};
    i->operands[1].targets = ww_arena_alloc(b->arena, count, sizeof(uint32_t));
    memcpy(i->operands[1].targets, labels, count * sizeof *labels);
    return builder_here(b) - 1;
}

uint32_t builder_plain(builder *b, int32_t guard, ww_op op)
{
    add(b, guard, op, 0);
    return builder_here(b) - 1;
}

static uint32_t resolve(const builder *b, uint32_t label)
{
    if (label < b->labels.count && b->labels.items[label])
        return b->labels.items[label] - 1;
    return builder_here(b);
}

ww_function *builder_finish(builder *b)
{
    for (size_t i = 0; i < b->instructions.count; i++) {
        ww_instruction *in = &b->instructions.items[i];
        for (unsigned o = 0; o < in->operand_count; o++) {
            ww_operand *op = &in->operands[o];
            if (op->kind == WW_OPERAND_LABEL)
                op->target = resolve(b, op->target);
            for (unsigned t = 0; op->kind == WW_OPERAND_TARGETS && t < op->count; t++)
                op->targets[t] = resolve(b, op->targets[t]);
        }
    }
    b->functions[0] = &b->function;
    b->module = (ww_module){.path = "built", .functions = b->functions, .function_count = 1};
    b->function = (ww_function){.name = "built",
                                .module = &b->module,
                                .is_entry = true,
                                .has_body = true,
                                .registers = b->registers.items,
                                .register_count = (uint32_t)b->registers.count,
                                .instructions = b->instructions.items,
                                .instruction_count = builder_here(b)};
    return &b->function;
}
