# A microbenchmark for each resource: what the machine is short of has most of the blame, whichever queue is full;
# with more of it the run is faster, with more of another resource it is not.
. "$WW_ROOT/tests/support/cli.sh"
cp "$WW_ROOT/bench/timed/timed.cl" .
cat >strided.cl <<END
/* Lane after lane, group after group (shift) and round after round (step) reads the next of mask + 1 words
 * that are stride bytes apart. Each load needs the one before: the table is all zero. */
kernel void strided(global uint *out, global const char *table, uint stride, uint shift, uint step, uint mask,
                    uint rounds)
{
    uint i = get_local_id(0) + get_group_id(0) * shift, sum = 0;
    for (uint n = 0; n < rounds; n++, i += step)
        sum += *(global const uint *)(table + ((i + sum) & mask) * stride);
    out[get_global_id(0)] = sum;
}

kernel void counted(global uint *counters, uint rounds)
{
    for (uint n = 0; n < rounds; n++)
        rounds -= atomic_add(counters + (get_local_id(0) & 7), 1u) == 0xffffffff; /* never */
}
END

cat >stream.yaml <<END
kernel: timed.cl
buffers:
  a: {type: f32, count: 65536, fill: iota}
  b: {type: f32, count: 65536, fill: iota}
  c: {type: f32, count: 65536}
launches:
  - {entry: vecadd, global: [65536], local: [256], args: [c, a, b]}
END
cat >walks.yaml <<END
kernel: timed.cl
buffers:
  out: {type: u32, count: 2048}
  table: {type: u8, count: 33554432}
launches:
  - {entry: divergent, global: [2048], local: [64], args: [out, table, {u32: 0x1ffffff}, {u32: 4}]}
END
cat >atomics.yaml <<END
kernel: strided.cl
buffers:
  counters: {type: u32, count: 8}
launches:
  - {entry: counted, global: [512], local: [64], args: [counters, {u32: 8}]}
END
# strided NAME ITEMS LOCAL STRIDE SHIFT STEP WORDS ROUNDS
strided() {
    cat >"$1.yaml" <<END
kernel: strided.cl
buffers:
  out: {type: u32, count: $2}
  table: {type: u8, count: $(($4 * $7))}
launches:
  - {entry: strided, global: [$2], local: [$3],
     args: [out, table, {u32: $4}, {u32: $5}, {u32: $6}, {u32: $(($7 - 1))}, {u32: $8}]}
END
}
strided lines 4096 128 128 0 0 128 32         # a line for each lane, all of them in the L1
strided one_bank 4096 128 512 0 0 32 32       # likewise, in one of four banks
strided few 256 64 128 0 0 32 32              # likewise, of few warps
strided rows 512 64 16384 64 512 4096 8       # a row of one DRAM bank for each lane
strided pages 4096 64 4160 0 0 32 128         # pages that the L1 TLB has; their lines are in the L1
strided more_pages 4096 64 4160 64 64 256 64  # pages that the L2 TLB has
strided most_pages 4096 64 4160 64 64 1024 16 # more than the L2 TLB has

# blames CAUSE WORKLOAD OPTIONS...: it has most of the time of requests and of warps, of these a quarter or more; both
# views add up to the same
blames() {
    cause=$1
    shift
    run_program run "$@" -s host.blame_every=1 --json -
    check_status 0
    awk -v want="$cause" '
        {name = $1; gsub(/[":]/, "", name); value = $2 + 0}
        name ~ /^blame\./ {sum += value; if (value > most) {most = value; first = name}}
        name ~ /^core\.blame_/ {warps += value; if (value > top) {top = value; warp_first = name}}
        name ~ /^core\.(warp_(structural|mshr|data_cache)|load_hazard)$/ {waits += value}
        name == "latency.total" {total = value}
        name == "core.warp_lifetime" {lifetime = value}
        END {
            if (first != "blame." want || warp_first != "core.blame_" want || sum != total || warps != waits ||
                top < lifetime / 4) {
                print first, warp_first, sum, total, warps, waits, top / lifetime
                exit 1
            }
        }' out.txt >&2 || complain "the blame is not on $cause, or does not add up"
}

cycles() {
    sed -n 's/^  "cycles": \([0-9]*\),/\1/p' out.txt
}

# binds CAUSE HELPS ANOTHER WORKLOAD OPTIONS...: likewise; with the settings HELPS the run takes at most 4/5 of the
# time, with ANOTHER at least 19/20
binds() {
    helps=$2 another=$3 bound=$1
    shift 3
    blames "$bound" "$@"
    base=$(cycles)
    run_program run "$@" $helps --json -
    check_status 0
    [ "$(($(cycles) * 5))" -le "$((base * 4))" ] || complain "$helps does not help: $base, $(cycles) cycles"
    run_program run "$@" $another --json -
    check_status 0
    [ "$(($(cycles) * 20))" -ge "$((base * 19))" ] || complain "$another helps: $base, $(cycles) cycles"
}

small='-m v100 -s gpu.compute_units=8 -s l2.size=1536KiB'
binds dram_bus '-s dram.clock=1.7GHz' '-s network.width=160' stream.yaml $small -s dram.channels=1
small="$small -s dram.channels=16"
binds network '-s network.width=8' '-s l2.latency=50' stream.yaml $small -s network.width=2
slow='-s dram.latency=5us -s l1d.mshrs=4'
binds dram_latency '-s dram.latency=2us' '-s network.width=160' stream.yaml $small $slow
binds dram_latency '-s l1d.mshrs=16' '-s l2.ports=4' stream.yaml $small $slow
binds network_latency '-s network.latency=500' '-s dram.latency=50ns' stream.yaml $small -s network.latency=2000
binds l2_latency '-s l2.latency=1000' '-s network.latency=16' stream.yaml $small -s l2.latency=4000
one_bank='-s dram.channels=1 -s dram.hash=false -s dram.order=row:rank:bank:group:column'
binds dram_bank '-s dram.hash=true' '-s dram.width=128' rows.yaml $small $one_bank
binds l2_ports '-s l2.atomic_interval=4' '-s network.width=160' atomics.yaml $small -s l2.atomic_interval=20

# Every load hits in the L1.
binds coalescer '-s l1d.requests_per_cycle=4' '-s l1d.ports=16' lines.yaml $small -s l1d.banks=0 -s l1d.requests_per_cycle=1
binds l1_ports '-s l1d.ports=4' '-s l1d.requests_per_cycle=16' lines.yaml $small -s l1d.banks=0 -s l1d.ports=1
binds l1_ports '-s l1d.banks=16' '-s l1d.ports=16' one_bank.yaml $small
binds l1_latency '-s l1d.latency=28' '-s l1d.ports=16' few.yaml $small -s l1d.latency=400

wide='-m apu-isca18 -s l1d.ports=4 -s l1d.requests_per_cycle=4'
binds tlb '-s l1_tlb.lookups=4' '-s l1_tlb.entries=64' pages.yaml $wide -s l1_tlb.lookups=1
binds tlb '-s l2_tlb.latency=69' '-s l1_tlb.lookups=8' more_pages.yaml $wide -s l2_tlb.latency=1000
binds walkers '-s l2_tlb.entries=4096' '-s network.width=256' most_pages.yaml $wide
binds walkers '-s walk.walkers=4' '-s l1d.size=64KiB' walks.yaml -m apu-isca18 -s walk.walkers=1
binds walk '-s dram.latency=500ns' '-s network.width=256' walks.yaml -m apu-isca18 -s walk.walkers=256 -s dram.latency=2us
finish
