# Walks of a compute unit on a whole machine, cycle by cycle: what each stage takes, from set-up to done, is worked out by hand
# from the keys of the machine.
#
# A kernel of one warp reads pages in rounds; each round needs what the round before has read. In a round it reads two pages or
# three: the L2 TLB has one register, which the first page takes, and a walker walks for it. The others are forwarded. No
# instruction of the warp can issue until the round is over, so that walks have all units for themselves. Entries of later
# rounds are in lines that the first has brought to the scalar cache.
#
# With i, the cycle in which the load issues:
#
#     i + 1     the load/store unit sends lookups
#     i + 21    l1_tlb.latency, 20: misses
#     i + 101   l2_tlb.latency, 80: the first page takes the register; the second is forwarded
#     i + 102   the way back takes a tick: it has come, and its thread is set up; the next one in i + 103
#
# A round of a walk of one thread, from the cycle of its offset, o, where schedulers are active in every cycle:
#
#     o         offset
#     o + 4     unit.simd_latency, 4: memory
#     o + 5     the read is at the reorder buffer
#     o + 7     l1s.reorder_latency, 2: at the scalar cache
#     o + 33    it hits. l1s.latency is from the issue of a warp's load, 28; two of these are before the cache: 26
#     o + 35    l1s.reorder_latency again: the reply, and check
#     o + 39    unit.scalar_latency, 4: the offset of the next level, or done
. "$WW_ROOT/tests/support/cli.sh"

cat >rounds.cl <<'EOF2'
/* Page `way` x `apart`, the next one in the next round; `far` pages behind that in every second round. */
kernel void rounds(global const uint *data, global uint *out, uint rounds, uint ways, uint apart, uint far)
{
    uint at = 0, way = get_local_id(0) % ways;
#pragma unroll 1
    for (uint i = 0; i < rounds; i++)
        at += data[((ulong)way * apart + (i & 1) * far + i) * 1024 + at];
    out[get_global_id(0)] = at + 1;
}
EOF2
cat >rounds.yaml <<'EOF2'
kernel: rounds.cl
parameters: {rounds: 1, ways: 2, apart: 8, far: 0}
buffers:
  data: {type: u32, count: =(ways * apart + far) * 1024}
  out: {type: u32, count: 64}
launches:
  - {entry: rounds, global: [64], local: [64], args: [data, out, {u32: =rounds}, {u32: =ways}, {u32: =apart}, {u32: =far}]}
check: {out: {value: 1}}
EOF2
cat >one.yaml <<'EOF2'
name: one
base: mi100-cuptw
gpu: {compute_units: 1}
core: {issue_period: 1}
l2_tlb: {mshrs: 1}
walk: {walkers: 1}
cuptw: {mode: base, form: amd}
EOF2

value() {
    sed -n "s/^    \"$1\": \([0-9.]*\),\{0,1\}\$/\1/p" out.txt | head -1
}

# is STATISTIC VALUE
is() {
    got=$(value "$1")
    [ "$got" = "$2" ] || complain "$1 is $got, not $2"
}

# walk ROUNDS KEYS...: with the sizes in `pages`, which are those of the launch file at first
walk() {
    rounds=$1
    shift
    run_program run rounds.yaml -m ./one.yaml --size "rounds=$rounds$pages" "$@" --json -
    check_status 0
}
pages=

# walks_take CYCLES FIRST KEYS...: the walks after round FIRST, up to round 8, take so many cycles together, each from its
# set-up to done. All that they read is in the scalar cache, and no warp waits for a unit.
walks_take() {
    cycles=$1 first=$2
    shift 2
    walk $first "$@"
    before=$(($(value cuptw.latency_ticks) - $(value cuptw.waiting_ticks))) misses=$(value cuptw.pte_misses)
    walk 8 "$@"
    is cuptw.pte_misses "$misses"
    is cuptw.delay 0
    took=$(($(value cuptw.latency_ticks) - $(value cuptw.waiting_ticks) - before))
    [ "$took" -eq "$cycles" ] || complain "the walks after round $first took $took cycles, not $cycles"
}

### One thread, without a cache in local memory: 1 from set-up to offset, 4 rounds of 39
walks_take $((7 * (1 + 4 * 39))) 1
is l2_tlb.forwarded 8
is cuptw.walks 8
is cuptw.wavefronts 8
is walk.count 9 # of the first pages, and that of the results
# Each waits for the tick on its way alone.
is cuptw.waiting_mean 1.0
# 4 reads of each walk. The first walk reads 4 lines; those of level 1 have the entries of 8 pages.
for level in 1 2 3 4; do
    is cuptw.pte_reads_level$level 8
done
is cuptw.pte_misses 4
is l1s.accesses 32
is l1s.pte_accesses 32
is l1s.hits 28
is l1s_reorder.requests 32
is l1s_reorder.held 0
# Offset, memory and check of each level, and done; units are busy for their intervals: 4, 1, 1 and 4 cycles.
is cuptw.simd_issues 32
is cuptw.simd_busy 128
is cuptw.scalar_issues 32
is cuptw.scalar_busy 32
is cuptw.branch_issues 32
is cuptw.branch_busy 32
is cuptw.memory_issues 8
is cuptw.memory_busy 32
is cuptw.lds_issues 0
is cuptw.lds_busy 0

# A cycle more of each, and no buffer. The way to the scalar cache and the way back are two. A check takes the latency of a
# scalar instruction, not of a branch.
walks_take $((7 * (1 + 4 * 41))) 1 -s l1s.reorder_latency=3
walks_take $((7 * (1 + 4 * 35))) 1 -s l1s.reorder=0
walks_take $((7 * (1 + 4 * 40))) 1 -s l1s.latency=29
walks_take $((7 * (1 + 4 * 40))) 1 -s unit.simd_latency=5
walks_take $((7 * (1 + 4 * 40))) 1 -s unit.scalar_latency=5
walks_take $((7 * (1 + 4 * 39))) 1 -s unit.branch_latency=9
walks_take $((7 * (1 + 4 * 39))) 1 -s unit.lds_latency=23
# Nothing waits for a unit: intervals change for how long it is busy, and nothing else.
walks_take $((7 * (1 + 4 * 39))) 1 -s unit.simd_interval=3 -s unit.scalar_interval=2 -s unit.branch_interval=3 \
    -s unit.memory_interval=7
is cuptw.simd_busy 96
is cuptw.scalar_busy 64
is cuptw.branch_busy 96
is cuptw.memory_busy 56

### Schedulers that are active in every fourth cycle, as on mi100-cuptw: the warp and the wavefront are of the first one, which
### is active in cycles that 4 divides. The load issues in such a cycle, so that i + 102 is two cycles before the next one. A
### reply comes 31 cycles after memory, and the check a cycle later: a round is 4 + 32 + 4 = 40 cycles. A walk takes 2 + 4 x 40
### = 162, with the tick of the way back 163. Set up a cycle later it waits for 1 cycle, and in an active cycle for 4: with the
### way back it takes 162 to 165.
period='-s core.issue_period=4'
walks_take $((7 * (2 + 4 * 40))) 1 $period
is cuptw.waiting_mean 1.0
walks_take $((7 * (1 + 4 * 40))) 1 $period -s l2_tlb.latency=81
walks_take $((7 * (4 + 4 * 40))) 1 $period -s l2_tlb.latency=82
walks_take $((7 * (3 + 4 * 40))) 1 $period -s l2_tlb.latency=83
# Replies that come a cycle later are still in time; two cycles later they wait for the next turn.
walks_take $((7 * (2 + 4 * 40))) 1 $period -s l1s.latency=29
walks_take $((7 * (2 + 4 * 44))) 1 $period -s l1s.reorder_latency=3
# Without the reorder buffer a reply comes after 27 cycles, and waits for one: 4 x 4 less.
walks_take $((7 * (2 + 4 * 36))) 1 $period -s l1s.reorder=0

### A cache in local memory (sw). The first walk writes levels 4, 3 and 2; the others find level 2, and read the leaf: lookup
### 22 cycles, and one round.
sw='-s cuptw.mode=sw'
walks_take $((7 * (1 + 22 + 39))) 1 $sw
is cuptw.cache_lookups 8
is cuptw.cache_misses 1
is cuptw.cache_hits_level2 7
is cuptw.cache_writes 3
is cuptw.pte_reads_level1 8
is cuptw.pte_reads_level2 1
is cuptw.pte_reads_level3 1
is cuptw.pte_reads_level4 1
is l1s.accesses 11
is cuptw.simd_issues 11
is cuptw.scalar_issues 11
is cuptw.branch_issues 11
is cuptw.memory_issues 8
# 8 lookups and 3 updates, each of 2 cycles
is cuptw.lds_issues 11
is cuptw.lds_busy 22
walks_take $((7 * (1 + 23 + 39))) 1 $sw -s unit.lds_latency=23
walks_take $((7 * (1 + 22 + 41))) 1 $sw -s l1s.reorder_latency=3
walks_take $((7 * (1 + 22 + 40))) 1 $sw -s unit.simd_latency=5
walks_take $((7 * (1 + 22 + 40))) 1 $sw -s unit.scalar_latency=5
# Every fourth cycle: a lookup takes 24.
walks_take $((7 * (2 + 24 + 40))) 1 $sw $period

# One block for level 2 (3 banks of one row), and pages that are in turn below two neighbouring entries of level 2: each walk
# finds level 3, reads two entries, and writes the upper one. The round with the update takes 22 cycles more. The first two
# walks bring the lines.
pages=,far=512 other="$sw -s cuptw.banks_2=3 -s lds.size=128"
walks_take $((6 * (1 + 22 + 39 + 22 + 39))) 2 $other
is cuptw.cache_rows 1
is cuptw.cache_misses 1
is cuptw.cache_hits_level3 7
is cuptw.cache_writes 10
is cuptw.pte_reads_level1 8
is cuptw.pte_reads_level2 8
is cuptw.pte_reads_level3 1
is cuptw.pte_reads_level4 1
is cuptw.lds_issues 18
is cuptw.lds_busy 36
walks_take $((6 * (1 + 23 + 39 + 23 + 39))) 2 $other -s unit.lds_latency=23

### Two threads (full), set up in i + 102 and i + 103: the wavefront is full, and issues in i + 104. Their reads are a cycle
### apart, so that the round takes 40. The walk of the first takes 2 + 22 + 40 = 64, of the second 63.
pages=,ways=3 full='-s cuptw.mode=full -s cuptw.threads=2'
walks_take $((7 * (64 + 63))) 1 $full
is cuptw.walks 16
is cuptw.wavefronts 8
is cuptw.timeouts 0
is cuptw.waiting_mean 1.5
is cuptw.scalar_issues 11
is cuptw.scalar_busy 22 # two reads each
is cuptw.simd_issues 11
is cuptw.branch_issues 11
is cuptw.memory_issues 8
is cuptw.lds_issues 11
is cuptw.conflict_cycles 0
# One thread more than pages: the wavefront issues 50 cycles after the set-up of its first thread.
walks_take $((7 * (112 + 111))) 1 -s cuptw.mode=full -s cuptw.threads=3 -s cuptw.timeout=50
is cuptw.timeouts 8
# Their pages are below two entries of level 2, whose blocks are in two rows of one bank: 5 cycles more in each lookup.
pages=,ways=3,apart=512
walks_take $((7 * (69 + 68))) 1 $full -s cuptw.banks_2=3
is cuptw.cache_hits_level2 14
# ... and in the first walks' update of level 2
is cuptw.conflict_cycles 45
walks_take $((7 * (70 + 69))) 1 $full -s cuptw.banks_2=3 -s lds.conflict=6
### A store of what the walk was for: it becomes ready with the reply, when the vector memory unit that `done` had is free
### again. That it was not ready while the unit was busy is no delay.
sed -e 's/at += data/at = data/' -e 's/= at + 1/= at/' rounds.cl >stored.cl
sed -e 's/rounds.cl/stored.cl/' -e 's/value: 1/value: 0/' rounds.yaml >stored.yaml
for interval in 4 7; do
    run_program run stored.yaml -m ./one.yaml -s unit.memory_interval=$interval --json -
    check_status 0
    is cuptw.walks 1
    is cuptw.delay 0
done
finish
