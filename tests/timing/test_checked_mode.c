/* Checked mode fails when memory or the coalescer does something wrong, and says which request of
 * which warp it was. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static core_rig r;

static int begin(void **state)
{
    (void)state;
    core_rig_init(&r);
    return 0;
}

/* A load of two lines, and a store. */
#define TWO_LINES                                                                                  \
    "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 8; add.u64 %d1, %d0, %d1;" \
    "ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1; st.global.u32 [%d1], %r2;"

/* ---- replies ---- */

static unsigned lose_a_sector(ww_request *request)
{
    request->sectors &= request->sectors - 1;
    return 1;
}

static unsigned take_the_next_line(ww_request *request)
{
    request->address += 128;
    return 1;
}

static unsigned answer_twice(ww_request *request)
{
    (void)request;
    return 2;
}

static unsigned lose_stores(ww_request *request)
{
    return request->kind != WW_REQUEST_WRITE;
}

static unsigned lose_loads(ww_request *request)
{
    return request->kind == WW_REQUEST_WRITE;
}

/* The reply has the owner and the slot of another instruction. */
static unsigned mistake_the_warp(ww_request *request)
{
    request->warp ^= 1;
    return 1;
}

static unsigned mistake_the_kind(ww_request *request)
{
    request->kind = WW_REQUEST_ATOMIC;
    return 1;
}

static unsigned lose_the_ticket(ww_request *request)
{
    request->ticket = 0;
    return 1;
}

static void wrong_replies_are_noticed(void **state)
{
    static const struct {
        unsigned (*spoil)(ww_request *request);
        const char *words;
    } faults[] = {
        {lose_a_sector,
         "kernel 'k', warp 0.0, load at pc 4, line 0x100010000 (sectors f): comes back "
         "with other sectors (0x100010000, sectors e)"},
        {take_the_next_line, "load at pc 4, line 0x100010000 (sectors f): comes back with another "
                             "address (0x100010080, sectors f)"},
        {answer_twice, "load at pc 4, line 0x100010000 (sectors f): comes back twice"},
        {lose_stores, "store at pc 6, line 0x100010080 (sectors f): never comes back"},
        {lose_loads, "load at pc 4, line 0x100010000 (sectors f): never comes back"},
        {mistake_the_warp, "comes back for another instruction"},
        {mistake_the_kind, "comes back as another kind of request"},
        {lose_the_ticket, "compute unit 0 received a reply without a request"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        begin(NULL);
        r.data.spoil = faults[i].spoil;
        core_rig_fail(&r, CORE_RIG_KERNEL(TWO_LINES), faults[i].words);
    }
}

/* A load of one warp has the owner of the load of another. */
static void *other_owner;

static unsigned swap_owners(ww_request *request)
{
    void *mine = request->owner;
    request->owner = other_owner ? other_owner : mine;
    other_owner = mine;
    return 1;
}

static void a_reply_for_another_instruction_is_noticed(void **state)
{
    (void)state;
    r.group = 64;
    r.data.spoil = swap_owners;
    other_owner = NULL;
    core_rig_fail(&r, CORE_RIG_KERNEL(TWO_LINES),
                  "warp 0.1, load at pc 4, line 0x100010100 (sectors f): comes back for another "
                  "instruction");
}

static void fetches_are_checked(void **state)
{
    (void)state;
    r.warm = false;
    r.instruction.spoil = take_the_next_line;
    core_rig_fail(&r, CORE_RIG_KERNEL(TWO_LINES),
                  "warp 0.0, instruction fetch at pc 0, line 0x100000000 (sectors f): comes back "
                  "with another address");
}

static void a_reply_to_the_wrong_unit_is_noticed(void **state)
{
    (void)state;
    core_rig_load(&r, CORE_RIG_KERNEL(TWO_LINES));
    r.data.out = ww_cu_scalar_replies(r.cu);
    ww_engine_run(r.engine, 1000);
    assert_int_equal(r.status, WW_FAILED);
    assert_non_null(strstr(ww_errors_line(r.errors, 0), "comes back to compute unit 0"));
    core_rig_drop(&r);
}

/* ---- locations ---- */

/* Says that an address is elsewhere from the n-th question on. */
static unsigned questions, elsewhere_from;

static ww_mapped_address move_away(const void *context, uint16_t asid, uint64_t address)
{
    (void)asid;
    const uint32_t *generation = context;
    bool moved = ++questions >= elsewhere_from;
    return (ww_mapped_address){address + (moved && !*generation ? 4096 : 0),
                               moved ? *generation : 0};
}

static void expect_moved(unsigned from, uint32_t generation, const char *words)
{
    ww_mapping mapping = {move_away, &generation};
    begin(NULL);
    questions = 0;
    elsewhere_from = from;
    r.mapping = &mapping;
    core_rig_fail(&r, CORE_RIG_KERNEL(TWO_LINES), words);
}

static void an_address_is_held_against_its_mapping(void **state)
{
    (void)state;
    expect_moved(
        1, 0,
        "load at pc 4, line 0x100010000 (sectors f): sent to 0x100010000 (it is at 0x100011000)");
    expect_moved(3, 0,
                 "line 0x100010000 (sectors f): its page was remapped while it was in flight");
    expect_moved(3, 7,
                 "line 0x100010000 (sectors f): its page was remapped while it was in flight");
}

/* ---- lines ---- */

static ww_warp_lines lines;

/* 32 lanes that load 8 bytes each: two lines. */
static ww_memory_op *coalesced(void)
{
    static ww_memory_op op;
    ww_access *access = &r.executor->access;
    access->lanes = 0xffffffff;
    access->bytes = 8;
    access->space = WW_SPACE_GLOBAL;
    for (unsigned lane = 0; lane < 32; lane++)
        access->address[lane] = 0x20000 + 8 * lane;
    lines.count = 0;
    op.slot = 0;
    op.written = 0;
    ww_coalesce(&lines, access->lanes, access->address, access->bytes, 128, 32);
    assert_int_equal(lines.count, 2);
    op.address = lines.line[0].address;
    return &op;
}

static void expect_lines(const ww_memory_op *op, const char *words)
{
    bool right = ww_check_lines(r.cu, op, &r.executor->access, &lines);
    assert_int_equal(right, words == NULL);
    if (words && !strstr(ww_errors_line(r.errors, 0), words))
        fail_msg("'%s' has no '%s'", ww_errors_line(r.errors, 0), words);
    core_rig_drop(&r);
    begin(NULL);
    core_rig_load(&r, CORE_RIG_KERNEL(TWO_LINES));
    ww_cu_add_group(r.cu, &r.cu_launch, 0);
}

static void lines_are_what_lanes_touch(void **state)
{
    (void)state;
    core_rig_load(&r, CORE_RIG_KERNEL(TWO_LINES));
    ww_cu_add_group(r.cu, &r.cu_launch, 0);
    expect_lines(coalesced(), NULL);
    ww_memory_op *op = coalesced();
    lines.line[1].sectors = 0xd;
    expect_lines(op, "lane 20 touches 0x200a0, which no request covers");
    op = coalesced();
    lines.count = 1;
    expect_lines(op, "lane 16 touches 0x20080, which no request covers");
    op = coalesced();
    lines.line[0].address += 0x1000;
    expect_lines(op, "lane 0 touches 0x20000, which no request covers");
    op = coalesced();
    lines.line[lines.count++] = (ww_warp_line){.address = 0x30000, .sectors = 1};
    expect_lines(op, "line 0x30000 (sectors 1): asks for more than its lanes touch (sectors 0)");
    op = coalesced();
    lines.line[lines.count++] = lines.line[0];
    expect_lines(op, "line 0x20000 (sectors f): asks for more than its lanes touch (sectors 0)");
    op = coalesced();
    r.executor->access.lanes &= ~0xfull;
    expect_lines(op, "line 0x20000 (sectors f): asks for more than its lanes touch (sectors e)");
    core_rig_drop(&r);
}

/* ---- registers ---- */

static void a_register_is_released_once(void **state)
{
    (void)state;
    core_rig_load(&r, CORE_RIG_KERNEL(TWO_LINES));
    ww_cu_add_group(r.cu, &r.cu_launch, 0);
    ww_memory_op *op = coalesced();
    const ww_timed_op *load = &r.code->ops[4];
    op->first_register = load->first;
    op->written = load->written;
    op->pc = 4;
    op->launch = &r.cu_launch;
    const uint16_t *loaded = &r.code->registers[load->first];
    ww_scoreboard_write(&r.cu->slots[0].scoreboard, loaded, 1, 10, WW_NEVER);
    assert_true(ww_check_release(r.cu, op));
    ww_scoreboard_complete(&r.cu->slots[0].scoreboard, loaded, 1, 20);
    assert_false(ww_check_release(r.cu, op));
    assert_non_null(strstr(ww_errors_line(r.errors, 0), "load at pc 4, line 0x20000 (sectors 0): "
                                                        "brings register"));
    core_rig_drop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(wrong_replies_are_noticed, begin),
        cmocka_unit_test_setup(a_reply_for_another_instruction_is_noticed, begin),
        cmocka_unit_test_setup(fetches_are_checked, begin),
        cmocka_unit_test_setup(a_reply_to_the_wrong_unit_is_noticed, begin),
        cmocka_unit_test_setup(an_address_is_held_against_its_mapping, begin),
        cmocka_unit_test_setup(lines_are_what_lanes_touch, begin),
        cmocka_unit_test_setup(a_register_is_released_once, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
