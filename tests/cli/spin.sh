# warpwalk run: loops that wait for memory that no warp changes are reported, and those that only wait long are not.
. "$WW_ROOT/tests/support/cli.sh"

cat >spin.cl <<'KERNEL'
kernel void lock(global volatile uint *a)
{
    while (atomic_cmpxchg(&a[0], 0u, 1u) != 0)
        ;
    a[1] += 1;
    atomic_xchg(&a[0], 0u);
}
kernel void wait(global volatile uint *a)
{
    while (a[get_group_id(0)] == 0)
        ;
}
kernel void share(global volatile uint *a)
{
    local volatile uint flag[1];
    flag[0] = 0;
    while (flag[0] == 0)
        ;
}
kernel void late(global volatile uint *a)
{
    if (get_group_id(0) == 0) {
        uint x = 1;
#pragma unroll 1
        for (uint i = 0; i < 40000; i++)
            x = x * 1664525u + 1013904223u;
        a[1] = x | 1;
        return;
    }
    while (a[1] == 0)
        ;
}
kernel void clocks(global volatile uint *a)
{
    uint now;
    do
        __asm__ volatile("mov.u32 %0, %%clock;" : "=r"(now));
    while (now < 200000);
    a[0] = now;
}
KERNEL
for entry in lock wait share late clocks; do
    cat >$entry.yaml <<LAUNCH
kernel: spin.cl
buffers: {a: {type: u32, count: 64}}
launches:
  - {entry: $entry, groups: [8], local: [64], args: [a]}
LAUNCH
done

# finds NAME LINE TEXT: on machines of both kinds, whether or not compute units run ahead.
finds() {
    for machine in v100 apu-isca18; do
        for ahead in true false; do
            run_program run $1.yaml -m $machine -s host.run_ahead=$ahead
            check_status 1
            grep -q "^spin.cl:$2: kernel '$1', .* no progress: this loop waits for memory that no warp changes$3 (PTX" \
                err.txt || complain "not found: $(cat err.txt)"
        done
    done
}
finds lock 3 ", while 1 lanes of its warp wait for it to reconverge (a spin lock in lock-step)"
finds wait 10 ""
finds share 17 ""

# Somebody changes the memory much later than the first look, and a clock goes on without memory.
run_program run late.yaml -m v100
check_status 0
run_program run clocks.yaml -m v100 -s gpu.compute_units=1
check_status 0

# Two branches back with nothing between them, the first not taken, are two places and not one state.
cat >count.ptx <<'KERNEL'
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 a)
{
    .reg .b64 %a;
    .reg .b32 %r;
    .reg .pred %p;
    ld.param.u64 %a, [a];
    mov.u32 %r, 0;
    bra.uni NEXT;
DONE:
    st.global.u32 [%a], %r;
    ret;
NEXT:
    add.u32 %r, %r, 1;
    setp.eq.u32 %p, %r, 400000;
    @%p bra DONE;
    bra.uni NEXT;
}
KERNEL
sed 's/spin.cl/count.ptx/; s/late/count/; s/\[8\]/[1]/' late.yaml >count.yaml
run_program exec count.yaml
check_status 0
run_program run count.yaml -m v100
check_status 0
# Warps that wait for each other in turn, and do something in between, do not use up their quantum each time.
cat >turns.cl <<'KERNEL'
kernel void turns(global uint *a)
{
    local volatile uint turn[1];
    uint warp = get_local_id(0) / 32, x = 1;
    turn[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 40; i++) {
        while (turn[0] != 2 * i + warp)
            ;
#pragma unroll 1
        for (uint k = 0; k < 200; k++)
            x = x * 1664525u + 1013904223u;
        turn[0] = 2 * i + warp + 1;
    }
    a[get_local_id(0)] = x;
}
KERNEL
cat >turns.yaml <<'LAUNCH'
kernel: turns.cl
buffers: {a: {type: u32, count: 64}}
launches:
  - {entry: turns, groups: [1], local: [64], args: [a]}
LAUNCH
run_program exec turns.yaml --json turns.json
check_status 0
count=$(sed -n 's/^ *"exec.warp_instructions": \([0-9]*\),*$/\1/p' turns.json | head -n 1)
[ "$count" -lt 4000000 ] || complain "turns: $count warp instructions"
finish
