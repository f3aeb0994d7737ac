#include "support/random_kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Registers of every function: %r numbers, %q wide numbers, %p predicates, %c counters of loops;
 * %t, %u and %s are for one statement. */
enum {
    NUMBERS = 8,
    WIDES = 3,
    PREDICATES = 4,
    COUNTERS = 64,
    FUNCTIONS = 4,
    DEEPEST = 5,
    PLACES = 16
};

typedef struct writer {
    FILE *out;
    ww_rng *rng;
    bool is_entry;
    bool in_registers; /* its own arguments and results are */
    unsigned labels;
    unsigned counters;
    unsigned depth;             /* of nested statements */
    unsigned ends[2 * DEEPEST]; /* labels after the statements around, outermost first */
    unsigned end_count;
    unsigned left; /* statements that may still be made */
} writer;

static uint32_t below(writer *w, uint32_t bound)
{
    return (uint32_t)ww_rng_below(w->rng, bound);
}

static bool chance(writer *w, uint32_t percent)
{
    return below(w, 100) < percent;
}

#define emit(w, ...) fprintf((w)->out, __VA_ARGS__)

static const char *guard(writer *w)
{
    static const char *const guards[] = {"@%p0 ", "@!%p1 ", "@%p2 ", "@!%p3 "};
    return chance(w, 20) ? guards[below(w, 4)] : "";
}

/* ---- statements without control flow ---- */

static void arithmetic(writer *w)
{
    static const char *const ops[] = {"add.u32",    "sub.s32", "mul.lo.u32", "xor.b32", "and.b32",
                                      "or.b32",     "min.s32", "max.u32",    "shl.b32", "shr.u32",
                                      "mul.hi.u32", "rem.u32", "div.s32"};
    unsigned d = below(w, NUMBERS), a = below(w, NUMBERS), b = below(w, NUMBERS);
    if (chance(w, 30))
        emit(w, "    %s%s %%r%u, %%r%u, %u;\n", guard(w), ops[below(w, 13)], d, a, below(w, 40));
    else
        emit(w, "    %s%s %%r%u, %%r%u, %%r%u;\n", guard(w), ops[below(w, 13)], d, a, b);
}

static void wide_arithmetic(writer *w)
{
    unsigned d = below(w, WIDES), a = below(w, WIDES), r = below(w, NUMBERS);
    switch (below(w, 5)) {
    case 0: emit(w, "    %smul.wide.u32 %%q%u, %%r%u, %u;\n", guard(w), d, r, below(w, 99)); break;
    case 1: emit(w, "    %sadd.u64 %%q%u, %%q%u, %%q%u;\n", guard(w), d, a, (a + 1) % WIDES); break;
    case 2: emit(w, "    %scvt.u32.u64 %%r%u, %%q%u;\n", guard(w), r, a); break;
    case 3:
        emit(w, "    mov.b64 {%%t0, %%t1}, %%q%u;\n    %smov.b64 %%q%u, {%%t1, %%r%u};\n", a,
             guard(w), d, r);
        break;
    default:
        emit(w, "    %sadd.cc.u32 %%r%u, %%r%u, %%r%u;\n    addc.u32 %%r%u, %%r%u, 0;\n", guard(w),
             r, r, below(w, NUMBERS), (r + 1) % NUMBERS, (r + 2) % NUMBERS);
    }
}

static void predicate(writer *w)
{
    static const char *const compares[] = {"lt.u32", "ge.s32", "eq.u32", "ne.u32"};
    unsigned d = below(w, PREDICATES), r = below(w, NUMBERS);
    switch (below(w, 5)) {
    case 0: /* uniform or not, half of the lanes or a few */
        emit(w, "    and.b32 %%t0, %%r%u, %u;\n    setp.eq.u32 %%p%u, %%t0, 0;\n", r,
             1u << below(w, 4), d);
        break;
    case 1:
        emit(w, "    %ssetp.%s %%p%u, %%r%u, %%r%u;\n", guard(w), compares[below(w, 4)], d, r,
             below(w, NUMBERS));
        break;
    case 2:
        emit(w, "    setp.%s.and.u32 %%p%u|%%p%u, %%r%u, 77, !%%p%u;\n",
             chance(w, 50) ? "lt" : "ne", d, (d + 1) % PREDICATES, r, (d + 2) % PREDICATES);
        break;
    case 3:
        emit(w, "    %sxor.pred %%p%u, %%p%u, %%p%u;\n", guard(w), d, (d + 1) % 4, below(w, 4));
        break;
    default:
        emit(w, "    %sselp.u32 %%r%u, %%r%u, %u, %%p%u;\n", guard(w), r, below(w, NUMBERS),
             below(w, 9), d);
    }
}

/* %u0 becomes the generic address of one of the item's own words: in global or local memory. */
static void own_place(writer *w)
{
    emit(w, "    and.b32 %%t0, %%r%u, %u;\n    mul.wide.u32 %%u1, %%t0, 4;\n", below(w, NUMBERS),
         PLACES - 1);
    if (chance(w, 30))
        emit(w, "    selp.b64 %%u0, %%cell, %%array, %%p%u;\n", below(w, PREDICATES));
    else
        emit(w, "    mov.u64 %%u0, %s;\n", chance(w, 50) ? "%cell" : "%array");
    emit(w, "    add.u64 %%u0, %%u0, %%u1;\n");
}

static void memory(writer *w)
{
    unsigned r = below(w, NUMBERS);
    own_place(w);
    switch (below(w, 4)) {
    case 0: emit(w, "    %sst.u32 [%%u0], %%r%u;\n", guard(w), r); break;
    case 1: emit(w, "    %sld.u32 %%r%u, [%%u0];\n", guard(w), r); break;
    case 2: emit(w, "    %sld.s8 %%r%u, [%%u0+1];\n", guard(w), r); break;
    default: emit(w, "    %satom.add.u32 %%r%u, [%%u0], %%r%u;\n", guard(w), r, below(w, NUMBERS));
    }
    if (chance(w, 20))
        emit(w, "    %sred.global.add.u32 [total], %%r%u;\n", guard(w), r);
}

/* ---- calls ---- */

/* Every call goes one deeper: %depth, an argument, counts down to 0. */
static void call(writer *w)
{
    unsigned end = w->labels++, r = below(w, NUMBERS), d = below(w, NUMBERS);
    const char *way = guard(w);
    emit(w,
         "    setp.eq.u32 %%s0, %%depth, 0;\n    @%%s0 bra L%u;\n    sub.u32 %%t0, %%depth, 1;\n",
         end);
    if (w->in_registers && chance(w, 30)) { /* they are swapped */
        emit(w,
             "    %scall (%%v1, %%v0), g%u, (%%b, %%a, %%t0);\n    add.u32 %%r%u, %%v0, "
             "%%v1;\nL%u:\n",
             way, below(w, 2), d, end);
        return;
    }
    if (chance(w, 40)) {
        emit(w, "    %scall (%%r%u, %%r%u), g%u, (%%r%u, %%r%u, %%t0);\nL%u:\n", way, d,
             (d + 1) % NUMBERS, below(w, 2), r, (r + below(w, 3)) % NUMBERS, end);
        return;
    }
    emit(w, "    {\n    .param .b32 a0;\n    .param .b32 a1;\n    .param .b32 v0;\n");
    emit(w,
         "    st.param.b32 [a0], %%r%u;\n    st.param.b32 [a1], %%t0;\n    st.param.b32 [v0], 0;\n",
         r);
    if (chance(w, 40)) {
        emit(w, "    and.b32 %%t1, %%r%u, %u;\n    mul.wide.u32 %%u0, %%t1, 8;\n",
             below(w, NUMBERS), FUNCTIONS - 1);
        emit(w, "    mov.u64 %%u1, table;\n    add.u64 %%u0, %%u0, %%u1;\n    ld.global.u64 %%u0, "
                "[%%u0];\n");
        emit(w, "    %scall (v0), %%u0, (a0, a1), prototype;\n", way);
    } else {
        emit(w, "    %scall (v0), f%u, (a0, a1);\n", way, below(w, FUNCTIONS));
    }
    emit(w, "    ld.param.b32 %%r%u, [v0];\n    }\nL%u:\n", d, end);
}

/* ---- control flow ---- */

static void statements(writer *w, unsigned count);

/* Statements with a label after them, to which those inside can jump. */
static void block(writer *w, unsigned end)
{
    w->ends[w->end_count++] = end;
    w->depth++;
    statements(w, 1 + below(w, 4));
    w->depth--;
    w->end_count--;
}

static void branch(writer *w)
{
    unsigned otherwise = w->labels++, end = w->labels++;
    emit(w, "    @%s%%p%u bra L%u;\n", chance(w, 50) ? "!" : "", below(w, PREDICATES), otherwise);
    block(w, end);
    if (chance(w, 60)) {
        emit(w, "    bra L%u;\nL%u:\n", end, otherwise);
        block(w, end);
    } else {
        emit(w, "L%u:\n", otherwise);
    }
    emit(w, "L%u:\n", end);
}

/* A loop of at most 3 rounds. `tail` is where `continue` goes; some loops are entered in the
 * middle, some test before their first round. */
static void loop(writer *w)
{
    unsigned head = w->labels++, middle = w->labels++, tail = w->labels++, end = w->labels++;
    unsigned counter = w->counters++;
    emit(w, "    and.b32 %%c%u, %%r%u, %u;\n", counter, below(w, NUMBERS), chance(w, 50) ? 1 : 3);
    if (chance(w, 40))
        emit(w, "    setp.eq.u32 %%s0, %%c%u, 0;\n    @%%s0 bra L%u;\n", counter, end);
    if (chance(w, 25))
        emit(w, "    @%%p%u bra L%u;\n", below(w, PREDICATES), middle);
    emit(w, "L%u:\n", head);
    w->ends[w->end_count++] = end;
    block(w, tail);
    emit(w, "L%u:\n", middle);
    block(w, tail);
    w->end_count--;
    emit(w, "L%u:\n    setp.eq.u32 %%s0, %%c%u, 0;\n    sub.u32 %%c%u, %%c%u, 1;\n", tail, counter,
         counter, counter);
    if (chance(w, 50))
        emit(w, "    @!%%s0 bra L%u;\n", head);
    else
        emit(w, "    @%%s0 bra L%u;\n    bra L%u;\n", end, head);
    emit(w, "L%u:\n", end);
}

static void switch_on(writer *w)
{
    unsigned ways = 2 + below(w, 4), first = w->labels, end = w->labels + ways;
    w->labels += ways + 1;
    emit(w, "    rem.u32 %%t0, %%r%u, %u;\nT%u: .branchtargets ", below(w, NUMBERS), ways, end);
    for (unsigned i = 0; i < ways; i++)
        emit(w, "L%u%s", first + i, i + 1 < ways ? ", " : ";\n");
    emit(w, "    %sbrx.idx %%t0, T%u;\n", guard(w), end);
    for (unsigned i = 0; i < ways; i++) {
        emit(w, "L%u:\n", first + i);
        block(w, end);
        if (chance(w, 70)) /* else it falls through */
            emit(w, "    bra L%u;\n", end);
    }
    emit(w, "L%u:\n", end);
}

/* break, continue, or out of any of the statements around. */
static void jump(writer *w)
{
    if (w->end_count)
        emit(w, "    @%s%%p%u bra L%u;\n", chance(w, 50) ? "!" : "", below(w, PREDICATES),
             w->ends[below(w, w->end_count)]);
}

static void leave(writer *w)
{
    emit(w, "    and.b32 %%t0, %%r%u, 15;\n    setp.eq.u32 %%s0, %%t0, 3;\n", below(w, NUMBERS));
    if (w->is_entry)
        emit(w, "    @%%s0 st.global.u32 [%%result], %%r%u;\n", below(w, NUMBERS));
    if (w->is_entry)
        emit(w, "    @%%s0 %s;\n", chance(w, 50) ? "exit" : "bra RETURN");
    else
        emit(w, "    @%%s0 %s;\n", chance(w, 20) ? "exit" : "ret");
}

static void statement(writer *w)
{
    bool nest = w->depth + 2 < DEEPEST && w->counters < COUNTERS && w->left > 0;
    w->left -= w->left > 0;
    switch (below(w, nest ? 16 : 9)) {
    case 0:
    case 1: arithmetic(w); break;
    case 2: wide_arithmetic(w); break;
    case 3:
    case 4: predicate(w); break;
    case 5: memory(w); break;
    case 6:
    case 7: jump(w); break;
    case 8: leave(w); break;
    case 9:
    case 10: call(w); break;
    case 11:
    case 12: branch(w); break;
    case 13:
    case 14: loop(w); break;
    default: switch_on(w); break;
    }
}

static void statements(writer *w, unsigned count)
{
    while (count-- > 0)
        statement(w);
}

/* ---- functions ---- */

static void declare(writer *w)
{
    emit(w, "    .reg .b32 %%r<%u>, %%c<%u>, %%t<4>, %%depth, %%item;\n", NUMBERS, COUNTERS);
    emit(w, "    .reg .b64 %%q<%u>, %%u<4>, %%cell, %%array, %%result;\n", WIDES);
    emit(w, "    .reg .pred %%p<%u>, %%s<2>;\n    .local .align 16 .b8 own[64];\n", PREDICATES);
    emit(w, "prototype: .callprototype (.param .b32 v) _ (.param .b32 a, .param .b32 d);\n");
    emit(w,
         "    mov.u32 %%t0, %%ctaid.x;\n    mov.u32 %%t1, %%ntid.x;\n    mov.u32 %%t2, %%tid.x;\n");
    emit(w, "    mad.lo.u32 %%item, %%t0, %%t1, %%t2;\n    mul.wide.u32 %%u0, %%item, 64;\n");
    emit(w, "    mov.u64 %%cell, cells;\n    add.u64 %%cell, %%cell, %%u0;\n");
    emit(w, "    cvta.local.u64 %%array, own;\n");
    for (unsigned i = 0; i < 4; i++)
        emit(w, "    st.local.v4.b32 [own+%u], {%%t2, %%t0, %%t2, %%t1};\n", i * 16);
}

/* Numbers that differ between work-items in many ways; some are the same for all. */
static void start_values(writer *w, unsigned first)
{
    for (unsigned i = first; i < NUMBERS; i++)
        if (chance(w, 30))
            emit(w, "    mov.u32 %%r%u, %u;\n", i, below(w, 1000));
        else
            emit(w, "    mad.lo.u32 %%r%u, %%item, %u, %u;\n", i,
                 2 * below(w, chance(w, 50) ? 5000 : 1u << 30) + 1, below(w, 100));
    for (unsigned i = 0; i < WIDES; i++)
        emit(w, "    mul.wide.u32 %%q%u, %%r%u, 77777;\n", i, i);
    for (unsigned i = 0; i < PREDICATES; i++)
        emit(w, "    and.b32 %%t0, %%r%u, %u;\n    setp.ne.u32 %%p%u, %%t0, 0;\n",
             below(w, NUMBERS), 1u << below(w, 6), i);
}

static void start_function(writer *w, unsigned statements_left)
{
    w->counters = w->depth = w->end_count = 0;
    w->left = statements_left;
    declare(w);
}

/* Arguments in parameter memory; called directly or through a table. */
static void function(writer *w, unsigned number)
{
    emit(w, ".func (.param .b32 v) f%u(.param .b32 a, .param .b32 d)\n{\n", number);
    start_function(w, 10);
    emit(w, "    ld.param.b32 %%r0, [a];\n    ld.param.b32 %%depth, [d];\n    st.param.b32 [v], "
            "%%r0;\n");
    start_values(w, 1);
    statements(w, 5);
    emit(w, "    st.param.b32 [v], %%r%u;\n    ret;\n}\n", below(w, NUMBERS));
}

/* Arguments and two results in registers. */
static void register_function(writer *w, unsigned number)
{
    emit(w,
         ".func (.reg .b32 %%v0, .reg .b32 %%v1) g%u(.reg .b32 %%a, .reg .b32 %%b, .reg .b32 "
         "%%d)\n{\n",
         number);
    start_function(w, 10);
    emit(w, "    mov.b32 %%r0, %%a;\n    mov.b32 %%r1, %%b;\n    mov.b32 %%depth, %%d;\n");
    emit(w, "    mov.b32 %%v0, %%b;\n    mov.b32 %%v1, %%a;\n");
    start_values(w, 2);
    statements(w, 5);
    emit(w, "    mov.b32 %%v0, %%r%u;\n    mov.b32 %%v1, %%r%u;\n    ret;\n}\n", below(w, NUMBERS),
         below(w, NUMBERS));
}

static void barrier(writer *w, unsigned r)
{
    unsigned p = below(w, PREDICATES);
    switch (below(w, 3)) {
    case 0: emit(w, "    bar.sync 0;\n"); break;
    case 1: emit(w, "    bar.red.popc.u32 %%r%u, 0, %%p%u;\n", (r + 1) % NUMBERS, p); break;
    default: emit(w, "    bar.red.%s.pred %%p%u, 0, !%%p%u;\n", chance(w, 50) ? "and" : "or", p, p);
    }
}

/* Numbers go around the group through shared memory. There may be two barriers in between,
 * one for some work-items and one for the others. */
static void exchange(writer *w)
{
    unsigned r = below(w, NUMBERS);
    emit(w,
         "    mov.u32 %%t0, %%tid.x;\n    mov.u32 %%t1, %%ntid.x;\n    shl.b32 %%t2, %%t0, 2;\n");
    emit(w,
         "    mov.u32 %%t3, shared;\n    add.u32 %%t2, %%t2, %%t3;\n    st.shared.u32 [%%t2], "
         "%%r%u;\n",
         r);
    if (chance(w, 30)) {
        unsigned otherwise = w->labels++, end = w->labels++;
        emit(w, "    @%%p%u bra L%u;\n", below(w, PREDICATES), otherwise);
        barrier(w, r);
        emit(w, "    bra L%u;\nL%u:\n", end, otherwise);
        barrier(w, r);
        emit(w, "L%u:\n", end);
    } else {
        barrier(w, r);
    }
    emit(w, "    add.u32 %%t0, %%t0, %u;\n    rem.u32 %%t0, %%t0, %%t1;\n", 1 + below(w, 9));
    emit(w, "    shl.b32 %%t2, %%t0, 2;\n    add.u32 %%t2, %%t2, %%t3;\n");
    emit(w, "    ld.shared.u32 %%r%u, [%%t2];\n    bar.sync 0;\n", below(w, NUMBERS));
}

static void entry(writer *w)
{
    emit(w, ".visible .entry k(.param .u64 out)\n{\n");
    w->is_entry = true;
    start_function(w, 40);
    emit(w, "    ld.param.u64 %%result, [out];\n    mul.wide.u32 %%u0, %%item, %d;\n",
         RANDOM_KERNEL_RESULT);
    emit(w, "    add.u64 %%result, %%result, %%u0;\n    mov.u32 %%depth, 2;\n");
    start_values(w, 0);
    for (unsigned part = 0; part < 4; part++) {
        statements(w, 4);
        if (chance(w, 60))
            exchange(w);
    }
    for (unsigned i = 0; i < NUMBERS; i++)
        emit(w, "    st.global.u32 [%%result+%u], %%r%u;\n", 4 * i, i);
    for (unsigned i = 0; i < WIDES; i++)
        emit(w, "    st.global.u64 [%%result+%u], %%q%u;\n", 32 + 8 * i, i);
    emit(w, "    mov.u32 %%t0, 1;\n");
    for (unsigned i = 0; i < PREDICATES; i++)
        emit(w, "    @%%p%u mad.lo.u32 %%t0, %%t0, 2, 1;\n", i);
    emit(w, "    st.global.u32 [%%result+56], %%t0;\nRETURN:\n    ret;\n}\n");
}

char *random_kernel(ww_rng *rng)
{
    char *text = NULL;
    size_t size = 0;
    writer w = {.out = open_memstream(&text, &size), .rng = rng};
    emit(&w, ".version 7.0\n.target sm_70\n.address_size 64\n");
    emit(&w, ".global .align 8 .b8 cells[%d];\n.global .align 4 .u32 total;\n",
         RANDOM_KERNEL_ITEMS * 64);
    emit(&w, ".shared .align 4 .b8 shared[%d];\n", RANDOM_KERNEL_GROUP * 4);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        emit(&w, ".func (.param .b32 v) f%u(.param .b32 a, .param .b32 d);\n", i);
    for (unsigned i = 0; i < 2; i++)
        emit(&w,
             ".func (.reg .b32 %%v0, .reg .b32 %%v1) g%u(.reg .b32 %%a, .reg .b32 %%b, .reg .b32 "
             "%%d);\n",
             i);
    emit(&w, ".global .align 8 .u64 table[%d] = {f0, f1, f2, f3};\n", FUNCTIONS);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        function(&w, i);
    w.in_registers = true;
    for (unsigned i = 0; i < 2; i++)
        register_function(&w, i);
    w.in_registers = false;
    entry(&w);
    fclose(w.out);
    return text;
}
