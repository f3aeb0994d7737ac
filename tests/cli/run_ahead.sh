# warpwalk run: compute units that run ahead of time give the same result as those that do not, and so do warps that
# execute instructions before they issue.
. "$WW_ROOT/tests/support/cli.sh"

strip() { grep -v 'host_\|host\.run_ahead\|host\.compute_ahead' "$1"; }

# compare ARGUMENTS...: with both, with each alone, and with neither.
compare() {
    run_program run "$@" --json both.json
    check_status 0
    strip both.json >both.txt
    for ahead in run compute none; do
        run_program run "$@" -s host.run_ahead=$([ $ahead = run ] && echo true || echo false) \
            -s host.compute_ahead=$([ $ahead = compute ] && echo true || echo false) --json $ahead.json
        check_status 0
        strip $ahead.json >$ahead.txt
        cmp both.txt $ahead.txt >&2 || complain "running ahead ($ahead) changes the result of $*"
    done
}

for machine in v100 apu-isca18 gtx480-cawa; do
    for workload in lud hotspot fwt; do
        compare $workload --size tiny -m $machine
    done
done
compare syrk --size tiny -m v100 --region skip=3000,warm=2000,measure=10000
compare lud --size tiny -m v100 -s core.scheduler=two_level -s l0i.size=1KiB
compare lud --size tiny -m v100 -s core.scheduler=gcaws -s core.criticality=cpl
compare lud --size tiny -m v100 -s core.scheduler=turns_avg -s core.issue_period=2
compare hotspot --size tiny -m v100 -s gpu.compute_units=4 -s l0i.size=256 -s l1i.shared_by=4 -s l1i.queue=1
# lanes that diverge, reconverge and wait at barriers between instructions that only compute, and clocks among them
cat >lanes.cl <<'KERNEL'
__kernel void lanes(__global uint *p, __local uint *shared)
{
    uint i = get_global_id(0), l = get_local_id(0), x = i;
    for (uint n = 0; n < 3 + l % 5; n++) {
        x = x * 1664525u + 1013904223u;
        if (x >> 20 & 1)
            x = (x ^ x >> 7) * 3 + n;
        else if (x & 64)
            x = x * x - (x << 3);
    }
    shared[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = shared[(l + 33) % get_local_size(0)] ^ (uint)__nvvm_read_ptx_sreg_clock();
    if (l % 3)
        x += shared[l ^ 1] * 5 + (x >> 3) - l;
    p[i] = x ^ (uint)__nvvm_read_ptx_sreg_clock();
}
KERNEL
cat >lanes.yaml <<'LAUNCH'
kernel: lanes.cl
buffers: {p: {type: u32, count: 8192}}
launches:
  - {entry: lanes, global: [8192], local: [128], args: [p, {local: 512}]}
dump: {p: p.bin}
LAUNCH
for machine in v100 mi100-cuptw; do
    compare lanes.yaml -m $machine -s gpu.compute_units=4
    cp p.bin $machine.bin
    run_program exec lanes.yaml -m $machine
    check_status 0
    cmp p.bin $machine.bin >&2 || complain "other values in time than without on $machine"
done
# stores of warps that have ended are still to be sent when others run ahead
cat >stores.cl <<'KERNEL'
__kernel void stores(__global uint *p, uint stride)
{
    uint i = get_global_id(0);
    uint a = i;
    for (uint n = 0; n < (get_group_id(0) % 7) * 8; n++)
        a = a * 1664525u + 1013904223u;
    p[i * stride % 1048576u] = a;
}
KERNEL
cat >stores.yaml <<'LAUNCH'
kernel: stores.cl
buffers: {p: {type: u32, count: 1048576}}
launches:
  - {entry: stores, global: [65536], local: [64], args: [p, {u32: 33}]}
LAUNCH
compare stores.yaml -m fermi-paged
compare stores.yaml -m v100 -s gpu.compute_units=8 -s core.memory_queue=1
compare "$WW_ROOT/bench/timed/fma_chain.yaml" -m v100 -s gpu.compute_units=80
# launches that end while an L0 still fills a buffer: the next one starts at the same time
cat >ends.cl <<'EOF'
kernel void ends(global uint *out)
{
    uint i = get_global_id(0), x = i;
    if (get_local_id(0) < 32) {
        for (uint j = 0; j < 8; j++)
            out[(i * 37 + j * 1031) % 4096] = 0;
        return;
    }
    for (uint j = 0; j < 20 + get_local_id(0) / 32 * 10; j++)
        x = x * 5 + j;
    if (x == 7)
        out[0] = x;
}
EOF
cat >ends.yaml <<'EOF'
kernel: ends.cl
buffers:
  out: {type: u32, count: 4096}
launches:
EOF
for groups in 1 2 3 4 5 6 7 8; do
    echo "  - {groups: [$groups], local: [128], args: [out]}" >>ends.yaml
done
compare ends.yaml -m v100 -s gpu.compute_units=1 -s gpu.clock=7MHz -s l0i.latency=63 \
    -s core.instruction_buffer=2
# a store of a warp that has ended waits for its page while the other warp computes
cat >parked.cl <<'EOF'
kernel void parked(global uint *out, uint count)
{
    uint x = get_global_id(0);
    if (x < 32) {
        out[x] = x;
        return;
    }
    for (uint i = 0; i < count; i++)
        x = (x * 1664525u + 1013904223u) ^ (x >> 3);
    out[get_global_id(0)] = x;
}
EOF
cat >parked.yaml <<'EOF'
kernel: parked.cl
buffers: {out: {type: u32, count: 64}}
launches:
  - {entry: parked, global: [64], local: [64], args: [out, {u32: 8000}]}
EOF
compare parked.yaml -m fermi-paged -s paging.mode=demand

# A fault stops compute units that ran ahead: it is what is reported, and what was counted makes sense.
cat >fault.cl <<'EOF'
kernel void fault(global uint *out, uint n)
{
    uint i = get_global_id(0), x = i;
    if (get_group_id(0) == 0) {
#pragma unroll 1
        for (uint j = 0; j < 50; j++)
            x += out[(x + 64 * j) % n];
        out[n + 1000 + (x & 1)] = x;
        return;
    }
#pragma unroll 1
    for (uint j = 0; j < 20000; j++)
        x = x * 1664525u + (x >> 7) + j;
    out[i] = x;
}
EOF
cat >fault.yaml <<'EOF'
kernel: fault.cl
buffers: {out: {type: u32, count: 4096}}
launches:
  - {entry: fault, groups: [16], local: [64], args: [out, {u32: 4096}]}
EOF
for ahead in true false; do
    run_program run fault.yaml -m v100 -s host.run_ahead=$ahead --json fault.json
    check_status 1
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -q "^fault.cl:8: kernel 'fault', .* is out of bounds" err.txt ||
        complain "another error than the fault: $(cat err.txt)"
    awk -F'[":, ]+' '
        { value[$2] = $3 }
        $2 ~ /^core.warp_/ && $2 !~ /width|cycles|lifetime/ { reasons += $3 }
        END {
            cycles = value["core.cycles"]; resident = value["core.resident_cycles"]
            exit !(reasons == value["core.warp_lifetime"] && reasons > 0 && resident <= 16 * cycles &&
                value["core.issue_cycles"] + value["core.stall_cycles"] == resident)
        }' fault.json || complain "the counters make no sense: $(grep '"core\.' fault.json)"
done
finish
