/* Liveness of random programs against a fixpoint over single points. */
#include "ptx/liveness.h"
#include "support/random_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 512, REGISTERS = RANDOM_NUMBERS + RANDOM_PREDICATES, ROUNDS = 5000 };

/* Bits by register. */
typedef struct naive {
    const ww_function *f;
    uint32_t live_before[MOST + 1], live_after[MOST];
    uint32_t defined_before[MOST + 1];
    bool reached[MOST + 1];
    uint32_t held[2 * MOST]; /* by point */
} naive;

static void add_bit(int32_t reg, void *context)
{
    *(uint32_t *)context |= 1u << reg;
}

/* Indices where control may go from i; `count` of them. The end of the body is not listed. */
static unsigned next_of(const ww_function *f, uint32_t i, uint32_t *next)
{
    const ww_instruction *in = &f->instructions[i];
    unsigned count = 0;
    if (!ww_instruction_ends_block(in) || in->guard >= 0)
        next[count++] = i + 1;
    if (in->form.op == WW_OP_BRA)
        next[count++] = in->operands[0].target;
    for (unsigned t = 0; in->form.op == WW_OP_BRX && t < in->operands[1].count; t++)
        next[count++] = in->operands[1].targets[t];
    unsigned kept = 0;
    for (unsigned n = 0; n < count; n++)
        if (next[n] < f->instruction_count)
            next[kept++] = next[n];
    return kept;
}

static bool step(naive *n, uint32_t i)
{
    const ww_instruction *in = &n->f->instructions[i];
    uint32_t reads = 0, writes = 0, next[8], before = n->live_before[i];
    bool changed = false;
    if (!n->reached[i])
        return false;
    ww_instruction_reads(in, add_bit, &reads);
    ww_instruction_writes(in, add_bit, &writes);
    unsigned count = next_of(n->f, i, next);
    n->live_after[i] = 0;
    for (unsigned k = 0; k < count; k++) {
        n->live_after[i] |= n->live_before[next[k]];
        changed |= !n->reached[next[k]];
        n->reached[next[k]] = true;
        uint32_t defined = n->defined_before[next[k]] | n->defined_before[i] | writes;
        changed |= defined != n->defined_before[next[k]];
        n->defined_before[next[k]] = defined;
    }
    n->live_before[i] = reads | (n->live_after[i] & ~(in->guard < 0 ? writes : 0));
    n->held[2 * i] = n->live_before[i] & n->defined_before[i];
    n->held[2 * i + 1] = (n->live_after[i] & (n->defined_before[i] | writes)) | writes;
    return changed || before != n->live_before[i];
}

static void solve(naive *n, const ww_function *f)
{
    memset(n, 0, sizeof *n);
    n->f = f;
    n->reached[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = f->instruction_count; i-- > 0;)
            changed |= step(n, i);
    }
}

static void add_range(uint32_t reg, uint32_t first, uint32_t last, void *context)
{
    uint32_t *held = context;
    assert_true(first <= last);
    for (uint32_t p = first; p <= last; p++) {
        assert_false(held[p] >> reg & 1);
        held[p] |= 1u << reg;
    }
}

static unsigned units(uint32_t bits, const ww_function *f, const bool *uniform, bool scalar)
{
    unsigned sum = 0;
    for (uint32_t r = 0; r < RANDOM_NUMBERS; r++)
        if (bits >> r & 1 && uniform[r] == scalar)
            sum += f->registers[r].type == WW_TYPE_B64 ? 2 : 1;
    return sum;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static void check_counts(const naive *n, const ww_liveness *liveness, const bool *uniform)
{
    unsigned most = 0;
    for (uint32_t i = 0; i < n->f->instruction_count; i++) {
        uint32_t a = n->held[2 * i], b = n->held[2 * i + 1];
        unsigned vector = larger(units(a, n->f, uniform, false), units(b, n->f, uniform, false));
        unsigned scalar = larger(units(a, n->f, uniform, true), units(b, n->f, uniform, true));
        unsigned predicates = larger((unsigned)__builtin_popcount(a >> RANDOM_NUMBERS),
                                     (unsigned)__builtin_popcount(b >> RANDOM_NUMBERS));
        assert_int_equal(liveness->at[i].vector, vector);
        assert_int_equal(liveness->at[i].scalar, scalar);
        assert_int_equal(liveness->at[i].predicates, predicates);
        most = larger(most, vector);
    }
    assert_int_equal(liveness->most.vector, most);
}

static void ranges_and_counts(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1);
    static naive n;
    static uint32_t held[2 * MOST];
    for (uint64_t round = 0; round < ROUNDS; round++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed + round);
        builder *b = builder_create();
        ww_function *f = random_program(b, &rng);
        ww_flow *flow = ww_flow_create(f);
        ww_uses *uses = ww_uses_create(flow);
        bool uniform[REGISTERS];
        for (int r = 0; r < REGISTERS; r++)
            uniform[r] = ww_rng_below(&rng, 2);
        ww_liveness *liveness = ww_liveness_create(uses, uniform);
        assert_true(f->instruction_count <= MOST);
        solve(&n, f);
        memset(held, 0, sizeof held);
        ww_live_ranges(uses, add_range, held);
        assert_memory_equal(held, n.held, sizeof held);
        check_counts(&n, liveness, uniform);
        ww_liveness_destroy(liveness);
        ww_uses_destroy(uses);
        ww_flow_destroy(flow);
        builder_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_and_counts)};
    return cmocka_run_group_tests_name("liveness programs", tests, NULL, NULL);
}
