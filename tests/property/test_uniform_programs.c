/* Random programs run on eight lanes that reconverge at immediate post-dominators: what the
 * analysis calls uniform must be the same in all active lanes, always. */
#include "ptx/uniform.h"
#include "support/random_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 8, STEPS = 400, DEEPEST = 4096, ROUNDS = 20000 };

typedef struct split {
    uint32_t pc;
    uint32_t meet; /* reconvergence, or WW_NO_RECONVERGENCE */
    uint32_t mask;
} split;

typedef struct machine {
    const ww_flow *flow;
    const ww_function *f;
    const ww_uniform *uniform;
    uint32_t value[RANDOM_NUMBERS + RANDOM_PREDICATES][LANES];
    uint32_t left; /* lanes that have ended */
    split stack[DEEPEST];
    unsigned depth;
    uint64_t split_branches;
    uint32_t mask;
} machine;

static uint32_t read_operand(const machine *m, const ww_operand *o, unsigned lane)
{
    if (o->kind == WW_OPERAND_VALUE)
        return (uint32_t)o->bits;
    if (o->kind == WW_OPERAND_SPECIAL)
        return lane;
    return m->value[o->reg][lane];
}

static void check_register(int32_t reg, void *context)
{
    const machine *m = context;
    if (!m->uniform->reg[reg])
        return;
    uint32_t first = (uint32_t)__builtin_ctz(m->mask);
    for (unsigned lane = 0; lane < LANES; lane++)
        if (m->mask >> lane & 1)
            assert_int_equal(m->value[reg][lane], m->value[reg][first]);
}

static uint32_t guard_mask(const machine *m, const ww_instruction *in, uint32_t mask)
{
    uint32_t on = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1 && (in->guard < 0 || m->value[in->guard][lane]))
            on |= 1u << lane;
    return on;
}

static void compute(machine *m, uint32_t pc, uint32_t on, bool uniform)
{
    const ww_instruction *in = &m->f->instructions[pc];
    uint32_t first = 0, results = 0, result[LANES] = {0};
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(on >> lane & 1))
            continue;
        uint32_t a = read_operand(m, &in->operands[1], lane);
        uint32_t b = in->operand_count > 2 ? read_operand(m, &in->operands[2], lane) : 0;
        result[lane] = in->form.op == WW_OP_SETP ? a < b : (a + b) % 4;
        if (results++ == 0)
            first = result[lane];
        if (uniform)
            assert_int_equal(result[lane], first);
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        if (on >> lane & 1)
            m->value[in->operands[0].reg][lane] = result[lane];
}

/* Where a lane goes: an instruction, or instruction_count for the end. */
static uint32_t next_of(const machine *m, uint32_t pc, unsigned lane, bool on)
{
    const ww_instruction *in = &m->f->instructions[pc];
    if (!on || !ww_instruction_ends_block(in))
        return pc + 1;
    if (in->form.op == WW_OP_BRA)
        return in->operands[0].target;
    if (in->form.op != WW_OP_BRX)
        return m->f->instruction_count;
    uint32_t index = m->value[in->operands[0].reg][lane];
    return in->operands[1].targets[index % in->operands[1].count];
}

static void push(machine *m, uint32_t pc, uint32_t meet, uint32_t mask)
{
    if (pc == m->f->instruction_count) {
        m->left |= mask;
        return;
    }
    if (pc != meet && m->depth < DEEPEST)
        m->stack[m->depth++] = (split){pc, meet, mask};
}

static void go_on(machine *m, uint32_t pc, uint32_t mask, uint32_t on, bool uniform)
{
    split *top = &m->stack[m->depth - 1];
    uint32_t target[LANES], first = WW_NO_RECONVERGENCE;
    bool same = true;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        target[lane] = next_of(m, pc, lane, on >> lane & 1);
        first = first == WW_NO_RECONVERGENCE ? target[lane] : first;
        same &= target[lane] == first;
    }
    assert_true(same || !uniform);
    if (same) {
        split now = *top;
        m->depth--;
        push(m, first, now.meet, mask);
        return;
    }
    m->split_branches++;
    uint32_t meet = ww_flow_reconvergence(m->flow, pc);
    if (meet == WW_NO_RECONVERGENCE)
        m->depth--;
    else if (top->meet == meet)
        m->depth--;
    else
        top->pc = meet;
    while (mask) {
        uint32_t to = target[__builtin_ctz(mask)], some = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            if (mask >> lane & 1 && target[lane] == to)
                some |= 1u << lane;
        mask &= ~some;
        push(m, to, meet, some);
    }
}

static void run(machine *m)
{
    memset(m->value, 0, sizeof m->value);
    m->left = 0;
    m->depth = 0;
    push(m, 0, WW_NO_RECONVERGENCE, (1u << LANES) - 1);
    for (int step = 0; step < STEPS && m->depth > 0; step++) {
        split *top = &m->stack[m->depth - 1];
        uint32_t mask = top->mask & ~m->left;
        if (mask == 0 || top->pc == top->meet) {
            m->depth--;
            continue;
        }
        uint32_t pc = top->pc;
        const ww_instruction *in = &m->f->instructions[pc];
        uint32_t on = guard_mask(m, in, mask);
        bool uniform = m->uniform->instruction[pc];
        m->mask = mask;
        ww_instruction_reads(in, check_register, m);
        assert_true(!uniform || on == 0 || on == mask);
        if (in->result_count)
            compute(m, pc, on, uniform);
        go_on(m, pc, mask, on, uniform);
    }
}

static void uniform_claims_hold(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), claimed = 0, all = 0, registers = 0;
    static machine m;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed + round);
        builder *b = builder_create();
        ww_function *f = random_program(b, &rng);
        ww_flow *flow = ww_flow_create(f);
        ww_uses *uses = ww_uses_create(flow);
        ww_uniform *uniform = ww_uniform_create(uses);
        m.flow = flow;
        m.f = f;
        m.uniform = uniform;
        run(&m);
        claimed += uniform->instruction_count;
        all += f->instruction_count;
        for (uint32_t r = 0; r < f->register_count; r++)
            registers += uniform->reg[r];
        ww_uniform_destroy(uniform);
        ww_uses_destroy(uses);
        ww_flow_destroy(flow);
        builder_destroy(b);
    }
    printf("%llu of %llu instructions and %llu registers uniform; %llu splits\n",
           (unsigned long long)claimed, (unsigned long long)all, (unsigned long long)registers,
           (unsigned long long)m.split_branches);
    assert_true(claimed > all / 4 && registers > ROUNDS && m.split_branches > ROUNDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(uniform_claims_hold)};
    return cmocka_run_group_tests_name("uniform programs", tests, NULL, NULL);
}
