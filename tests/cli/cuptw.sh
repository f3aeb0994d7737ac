# Page walks on compute units on small machines, in checked mode: what is forwarded, what walks read, who goes first, what
# happens without registers and without local memory, pages that move, the NVIDIA form, page sizes, clusters, and wrong input.
. "$WW_ROOT/tests/support/cli.sh"

cat >pages.cl <<'EOF2'
kernel void scatter(global const uint *data, global uint *out, uint words)
{
    out[get_global_id(0)] = data[get_global_id(0) * (ulong)words];
}

/* The first 64 work-items read pages, the others compute. */
kernel void busy(global const uint *data, global uint *out, uint rounds)
{
    uint id = get_global_id(0), a = id;
    if (id < 64)
        a = data[(ulong)id * 1024];
    else
        for (uint i = 0; i < rounds; i++)
            a = a * 1664525 + 1013904223;
    out[id] = a;
}

kernel void shared(global const uint *data, global uint *out, local uint *room)
{
    room[get_local_id(0)] = data[get_global_id(0) * (ulong)1024];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = room[63 - get_local_id(0)];
}

/* Reads pages here and there. */
kernel void again(global const uint *data, global uint *out, uint pages, uint reads)
{
    uint id = get_global_id(0), at = id * 2654435761u, sum = 0;
    for (uint i = 0; i < reads; i++) {
        at = at * 1664525 + 1013904223;
        sum += data[(ulong)((at >> 8) % pages) * 1024 + id];
    }
    out[id] = sum;
}

kernel void stores(global uint *data)
{
    data[get_global_id(0) * (ulong)1024] = 1;
}

/* Of each group's two warps one reads pages, and one computes and ends before it. */
kernel void uneven(global const uint *data, global uint *out)
{
    uint id = get_global_id(0), a = id;
    if (get_local_id(0) < 64) {
        for (uint i = 0; i < 4; i++)
            a += data[(id + i * 1024) * (ulong)1024];
    } else {
        for (uint i = 0; i < 100; i++)
            a = a * 1664525 + 1013904223;
    }
    out[id] = a;
}

kernel void burst(global const uint *data, global uint *out, uint words)
{
    size_t id = get_global_id(0) * (size_t)words, step = get_global_size(0) * (size_t)words;
    uint a = data[id], b = data[id + step], c = data[id + 2 * step], d = data[id + 3 * step];
    out[get_global_id(0)] = a + b + c + d;
}
EOF2
cat >scatter.yaml <<'EOF2'
kernel: pages.cl
parameters: {items: 64, words: 1024}
buffers:
  data: {type: u32, count: =items * words}
  out: {type: u32, count: =items}
launches:
  - {entry: scatter, global: [=items], local: [64], args: [data, out, {u32: =words}]}
EOF2
cat >busy.yaml <<'EOF2'
kernel: pages.cl
parameters: {rounds: 1000}
buffers:
  data: {type: u32, count: 65536}
  out: {type: u32, count: 2560}
launches:
  - {entry: busy, global: [2560], local: [64], args: [data, out, {u32: =rounds}]}
EOF2
cat >shared.yaml <<'EOF2'
kernel: pages.cl
parameters: {bytes: 256}
buffers:
  data: {type: u32, count: 65536}
  out: {type: u32, count: 64}
launches:
  - {entry: shared, global: [64], local: [64], args: [data, out, {local: =bytes}]}
EOF2
cat >again.yaml <<'EOF2'
kernel: pages.cl
parameters: {items: 128, pages: 64, reads: 6}
buffers:
  data: {type: u32, count: =pages * 1024}
  out: {type: u32, count: =items}
launches:
  - {entry: again, global: [=items], local: [32], args: [data, out, {u32: =pages}, {u32: =reads}]}
EOF2
cat >burst.yaml <<'EOF2'
kernel: pages.cl
parameters: {items: 2560}
buffers:
  data: {type: u32, count: =items * 4 * 1024}
  out: {type: u32, count: =items}
launches:
  - {entry: burst, global: [=items], local: [64], args: [data, out, {u32: 1024}]}
EOF2
cat >uneven.yaml <<'EOF2'
kernel: pages.cl
buffers:
  data: {type: u32, count: 4194304}
  out: {type: u32, count: 1024}
launches:
  - {entry: uneven, global: [1024], local: [128], args: [data, out]}
EOF2
cat >stores.yaml <<'EOF2'
kernel: pages.cl
buffers:
  data: {type: u32, count: 65536}
launches:
  - {entry: stores, global: [64], local: [64], args: [data]}
  - {entry: stores, global: [64], local: [64], args: [data]}
EOF2

value() {
    sed -n "s/^ *\"$1\": \([0-9.]*\),\{0,1\}\$/\1/p" "${2:-out.txt}" | head -1
}

# is STATISTIC VALUE
is() {
    got=$(value "$1")
    [ "$got" = "$2" ] || complain "$1 is $got, not $2"
}

# walk FILE KEYS...: on a machine with one compute unit, an L1 TLB with many registers, 4 in the L2 TLB, and 2 walkers
walk() {
    file=$1
    shift
    run_program run "$file.yaml" -m mi100-cuptw -s gpu.compute_units=1 -s l1_tlb.mshrs=64 -s l2_tlb.mshrs=4 \
        -s walk.walkers=2 "$@" --json -
    check_status 0
}

### Forwarding. 64 pages at once: all come to the L2 TLB before a walk is over. 4 registers, or one more than walkers, are
### in use then; all others are forwarded. The page of the results, later, is walked for by a walker.
for mode in base sw mt full; do
    walk scatter -s cuptw.mode=$mode
    is l2_tlb.forwarded 60
    is cuptw.walks 60
    is walk.count 5
    walk scatter -s cuptw.mode=$mode -s cuptw.forward=walkers
    is l2_tlb.forwarded 61
    is walk.count 4
done

# The summary has them apart from those of walkers.
run_program run scatter.yaml -m mi100-cuptw -s gpu.compute_units=1 -s l1_tlb.mshrs=64 -s l2_tlb.mshrs=4 -s walk.walkers=2 \
    -s cuptw.mode=base
check_status 0
grep -q '^  page walks       5, of ' out.txt || complain 'the summary has other walks of walkers'
grep -q '^  on compute units 60, of 4.00 reads; [0-9]* cycles each, [0-9]* of them for a thread$' out.txt || complain 'the summary has no walks on compute units'

# A wavefront of one makes four reads for each page. With a cache in local memory the first four walk from the root at the
# same time; all others find level 2.
walk scatter -s cuptw.mode=base
is cuptw.pte_reads 240
is cuptw.wavefronts 60
is cuptw.room 4
is cuptw.cache_lookups 0
walk scatter -s cuptw.mode=sw
is cuptw.cache_lookups 60
is cuptw.cache_misses 4
is cuptw.cache_hits_level2 56
is cuptw.pte_reads $((4 * 4 + 56))
is cuptw.cache_writes 12

# A miss that waits in the L2 TLB has its thread when it comes to the compute unit: it waits for its set-up, one a cycle, alone.
walk scatter -s cuptw.mode=base
[ "$(value cuptw.waiting_ticks)" -gt 60000 ] || complain 'misses do not wait at the compute unit'
walk scatter -s cuptw.mode=base -s cuptw.wait=l2_tlb
[ "$(value cuptw.waiting_ticks)" -le $((5 * $(value cuptw.walks))) ] || complain 'misses wait at the compute unit'
[ "$(value l2_tlb.stall_mshr)" -gt 0 ] || complain 'misses do not wait in the L2 TLB'
is l2_tlb.accesses 65

# The state of 4 wavefronts of 128 compute units, of 224 bits each.
run_program run scatter.yaml -m mi100-cuptw -s cuptw.mode=base --json -
check_status 0
is cuptw.context_bytes 14336.0

# Walkers read past the L2, compute units through it: each gets its own lines. The same walks are forwarded.
for mode in base full; do
    walk scatter -s cuptw.mode=$mode -s walk.memory=dram
    is cuptw.walks 60
    is walk.count 5
done

### Page sizes: 2 MiB have no level 1
walk scatter -s cuptw.mode=base --size words=16384 -s page_size=64KiB
is cuptw.pte_reads $((4 * $(value cuptw.walks)))
is cuptw.pte_reads_level1 "$(value cuptw.walks)"
walk scatter -s cuptw.mode=full --size words=524288 -s page_size=2MiB
is cuptw.pte_reads_level1 0
is cuptw.cache_hits_level2 0
is cuptw.pte_reads_level2 "$(value cuptw.walks)"
[ "$(value cuptw.walks)" -gt 50 ] || complain 'no walks'

### A warp of a kernel goes first. 39 of 40 warps compute, and one of them can issue in every cycle: all cycles of walks come
### after that, however long it takes. What is left after issue cycles is the same but for the beginning.
one='-s core.schedulers=1 -s core.issue_period=1 -s core.issue_width=1 -s unit.simd_interval=1'
for rounds in 1000 4000; do
    walk busy -s cuptw.mode=base $one --size rounds=$rounds
    is l2_tlb.forwarded 60
    eval "idle_$rounds=$(($(value cycles) - $(value core.issue_cycles)))"
    eval "latency_$rounds=$(value cuptw.latency_ticks) cycles_$rounds=$(value cycles)"
done
difference=$((idle_4000 - idle_1000))
[ ${difference#-} -lt $(((cycles_4000 - cycles_1000) / 500)) ] ||
    complain "$idle_1000 and $idle_4000 cycles without an issue: walks used cycles between"
[ $(((latency_4000 - latency_1000) / 60)) -ge $(((cycles_4000 - cycles_1000) * 99 / 100)) ] ||
    complain "walks made progress while warps could issue: $latency_1000 and $latency_4000 in $cycles_1000 and $cycles_4000"

### A compute unit that could still accept a group takes nothing: of three groups, which start long after each other, only
### the misses of the last one are forwarded.
walk scatter -s cuptw.mode=base --size items=192 -s gpu.dispatch_interval=100000
is l2_tlb.forwarded 60
is walk.count $((64 + 64 + 4 + 1))

### Resources that the launch leaves. A group needs 5 rows of 64 vector registers and 9 scalar ones: what is there for
### wavefronts is what remains of them, 4 rows or 4 scalar registers each.
# left FORM NEEDED EACH KEY: no wavefront with one register less than for one; one; all four
left() {
    for wavefronts in 0 1 4; do
        count=$(($2 + $3 * wavefronts))
        [ $wavefronts -gt 0 ] || count=$(($2 + $3 - 1))
        walk scatter -s cuptw.mode="$1" -s "$4=$count"
        is cuptw.room $wavefronts
        is cuptw.launches 1
        [ $wavefronts -gt 0 ] && forwarded=60 || forwarded=0
        is l2_tlb.forwarded $forwarded
        is cuptw.walks $forwarded
    done
}
run_program run scatter.yaml -m mi100-cuptw -s core.registers=1 -s core.scalar_registers=1
needed=$(sed -n "s/.*a group of 'scatter' needs \([0-9]*\) registers.*/\1/p" err.txt)
run_program run scatter.yaml -m mi100-cuptw -s core.scalar_registers=1
scalar=$(sed -n "s/.*a group of 'scatter' needs \([0-9]*\) scalar registers.*/\1/p" err.txt)
left mt "$needed" 256 core.registers
left base "$scalar" 4 core.scalar_registers
walk scatter -s cuptw.mode=base -s cuptw.register_words=1 -s core.scalar_registers=$((scalar + 2))
is cuptw.room 1
# Without scalar registers a wavefront of one has vector registers, as a warp has.
run_program run scatter.yaml -m mi100-cuptw -s core.registers=1 -s core.scalar_registers=0
needed=$(sed -n "s/.*a group of 'scatter' needs \([0-9]*\) registers.*/\1/p" err.txt)
walk scatter -s cuptw.mode=base -s core.scalar_registers=0 -s core.registers=$((needed + 256))
is cuptw.room 1

# Four slots: two groups, or three, when a group starts in slots of warps that have ended. What the third one needs is not
# taken; where there are no registers for it, it does not come.
run_program run uneven.yaml -m mi100-cuptw -s core.registers=1
needed=$(sed -n "s/.*a group of 'uneven' needs \([0-9]*\) registers.*/\1/p" err.txt)
# taken RELEASE REGISTERS WAVEFRONTS
taken() {
    walk uneven -s cuptw.mode=mt -s core.wavefronts=4 -s core.slot_release="$1" -s core.registers="$2"
    is cuptw.room "$3"
}
taken group $((3 * needed)) $((needed / 256))
taken warp $((3 * needed - 1)) $(((needed - 1) / 256))
taken warp $((3 * needed + 255)) 0
taken warp $((3 * needed + 256)) 1
taken warp $((3 * needed + 4 * 256)) 4

# Of 1 KiB the group takes some: rows of 128 bytes, a power of two of them.
for pair in 256:4 512:4 513:2 768:2 769:1 896:1 897:0 1024:0; do
    walk shared -s cuptw.mode=sw -s lds.size=1KiB --size "bytes=${pair%:*}"
    is cuptw.cache_rows "${pair#*:}"
    [ "${pair#*:}" -eq 0 ] && lookups=0 || lookups=$(value cuptw.walks)
    is cuptw.cache_lookups "$lookups"
    is cuptw.lds_issues $((lookups + $(value cuptw.cache_writes)))
done

### Walks of stores go on when their warps have ended; the next launch begins after them
walk stores -s cuptw.mode=full -s l1_tlb.entries=1 -s l2_tlb.entries=8
is cuptw.launches 2
is cuptw.walks "$(value l2_tlb.forwarded)"
[ "$(value cuptw.walks)" -gt 100 ] || complain "few walks"

### More pages than a load/store unit can wait for at a time, 4096
walk burst -s cuptw.mode=base -s core.memory_queue=4096
[ "$(value cuptw.walks)" -gt 5000 ] || complain 'few pages are forwarded'

### Pages that move while compute units walk for them
small='-s gpu.compute_units=2 -s l2_tlb.mshrs=2 -s l2_tlb.entries=8 -s l2_tlb.ways=4 -s l1_tlb.entries=4 -s walk.walkers=1'
threads='-s core.warp_width=16 -s cuptw.mode=full -s cuptw.threads=8'
for mode in '-s cuptw.mode=base' "$threads -s cuptw.answers=together" "$threads -s cuptw.answers=each"; do
    walk again $small $mode -s paging.mode=demand -s paging.resident_fraction=0.5 -s paging.fault_latency=1us
    [ "$(value cuptw.restarts)" -gt 0 ] || complain 'no page moves while a compute unit walks for it'
    [ "$(value cuptw.faults)" -gt 0 ] || complain 'no walk finds that a page is not there'
    [ "$(value paging.evictions)" -gt 0 ] || complain 'no page leaves'
done

### NVIDIA: entries come through the L1 data cache; the L1 TLB keeps nothing of a forwarded page. Twice the same pages, more than
### the L1 TLB's misses can have brought: in the AMD form the second time hits.
nvidia='-m v100 -s translation=full -s gpu.compute_units=1 -s l2_tlb.mshrs=4 -s walk.walkers=2 -s cuptw.form=nvidia'
for mode in base sw mt full; do
    run_program run scatter.yaml $nvidia -s cuptw.mode=$mode --size items=256 --json -
    check_status 0
    is cuptw.walks "$(value l2_tlb.forwarded)"
    [ "$(value cuptw.walks)" -gt 100 ] || complain 'few walks'
    is cuptw.scalar_issues 0
    is cuptw.branch_issues 0
    [ "$(value cuptw.memory_issues)" -gt "$(value cuptw.wavefronts)" ] || complain 'the memory unit reads no entries'
done
for form in amd nvidia; do
    walk again -s cuptw.mode=base -s cuptw.form=$form -s l1_tlb.entries=128 --size items=64
    eval "hits_$form=$(value l1_tlb.hits) misses_$form=$(value l1_tlb.misses)"
done
[ "$misses_nvidia" -gt "$misses_amd" ] || complain 'the L1 TLB keeps pages in the NVIDIA form'
[ "$misses_amd" -le 65 ] || complain 'the L1 TLB does not keep pages in the AMD form'

### Clusters: each compute unit walks for itself
run_program run scatter.yaml -m mi100-cuptw -s gpu.compute_units=4 -s machine.clusters=2 -s vm.frames=random -s l2_tlb.mshrs=4 \
    -s walk.walkers=2 -s cuptw.mode=full --size items=512 --json -
check_status 0
for cluster in 0 1; do
    [ "$(value "cuptw\\[$cluster\\].walks")" -gt 100 ] || complain "few walks in cluster $cluster"
done
is cuptw.walks $(($(value 'cuptw\[0\].walks') + $(value 'cuptw\[1\].walks')))

### Registers that never run out: nothing changes
# never_needed MODE KEYS...: into MODE.json
never_needed() {
    mode=$1
    shift
    run_program run scatter.yaml -m mi100-cuptw -s gpu.compute_units=4 --size items=512 -s cuptw.mode=$mode "$@" --json -
    check_status 0
    is l2_tlb.stall_mshr 0
    grep -v '"cuptw\.\|"host[._]\|per_host_second' out.txt >"$mode.json"
}
never_needed none
for form in amd nvidia; do
    for mode in base sw mt full; do
        never_needed $mode -s cuptw.form=$form
        cmp none.json $mode.json || complain 'walks that are never needed change something'
    done
done

### Wrong input
# refuse LINE KEYS...
refuse() {
    line=$1
    shift
    expect_error 2 "$line" run scatter.yaml -m mi100-cuptw "$@"
}
refuse '-s cuptw.mode=base: cuptw.form is amd, and the machine has no scalar unit (cuptw.form=nvidia, or core.scalar_unit=true)' \
    -s cuptw.mode=base -s core.scalar_unit=false -s core.scalar_registers=0
refuse '-s core.warp_width=16: cuptw.threads is 32 (at most core.warp_width, 16)' \
    -s cuptw.mode=mt -s cuptw.threads=32 -s core.warp_width=16
refuse "-s cuptw.threads=65: cuptw.threads is '65' (a whole number of threads from 1 to 64 is needed)" \
    -s cuptw.mode=mt -s cuptw.threads=65
refuse '-s cuptw.banks_3=4: cuptw.banks_3 is 4 (a multiple of 3: a block has 3 banks)' -s cuptw.mode=sw -s cuptw.banks_3=4
refuse '-s cuptw.banks_2=30: cuptw.banks_2, banks_3 and banks_4 are 36 together (at most lds.banks, 32)' \
    -s cuptw.mode=full -s cuptw.banks_2=30
refuse '-s lds.banks=16: cuptw.banks_2, banks_3 and banks_4 are 30 together (at most lds.banks, 16)' \
    -s cuptw.mode=sw -s lds.banks=16
refuse "-s cuptw.mode=fast: cuptw.mode is 'fast' (did you mean 'base'?)" -s cuptw.mode=fast
refuse '-s cuptw.mode=base: has no effect while translation is ideal' -s cuptw.mode=base -s translation=ideal
for key in form=nvidia threads=4 timeout=4 forward=walkers wait=l2_tlb answers=each register_words=1 banks_2=3 banks_3=6 \
    banks_4=6; do
    refuse "-s cuptw.$key: has no effect while cuptw.mode is none" -s "cuptw.$key"
done
# Keys of threads and of the cache, in modes without.
for key in threads=4 timeout=4 answers=each; do
    refuse "-s cuptw.$key: has no effect while cuptw.mode is base" -s cuptw.mode=base -s "cuptw.$key"
    refuse "-s cuptw.$key: has no effect while cuptw.mode is sw" -s cuptw.mode=sw -s "cuptw.$key"
done
refuse '-s cuptw.banks_2=3: has no effect while page_size is 2MiB' -s cuptw.mode=full -s page_size=2MiB -s cuptw.banks_2=3
for key in banks_2=3 banks_3=6 banks_4=6; do
    refuse "-s cuptw.$key: has no effect while cuptw.mode is base" -s cuptw.mode=base -s "cuptw.$key"
    refuse "-s cuptw.$key: has no effect while cuptw.mode is mt" -s cuptw.mode=mt -s "cuptw.$key"
done
# Keys of wavefronts with several threads, with one; of the cache, without local memory; of walkers, with enough of them.
for key in timeout=4 timeout=128 answers=each; do
    refuse "-s cuptw.$key: has no effect while cuptw.threads is 1" -s cuptw.mode=full -s cuptw.threads=1 -s "cuptw.$key"
done
for key in banks_2=3 banks_3=6 banks_4=6; do
    refuse "-s cuptw.$key: has no effect while lds.size is 0" -s cuptw.mode=full -s lds.size=0 -s "cuptw.$key"
done
for walkers in 4 infinite; do
    refuse "-s cuptw.forward=walkers: has no effect while walk.walkers is $walkers" -s cuptw.mode=base -s l2_tlb.mshrs=4 \
        -s walk.walkers=$walkers -s cuptw.forward=walkers
done
refuse '-s cuptw.forward=walkers: has no effect while walk.walkers is 6' -s cuptw.mode=base -s l2_tlb.mshrs=4 \
    -s l2_tlb.lent_mshrs=2 -s walk.walkers=6 -s cuptw.forward=walkers
walk scatter -s cuptw.mode=base -s l2_tlb.lent_mshrs=3 -s walk.walkers=6 -s cuptw.forward=walkers
# A machine file that sets the mode where translation is ideal. With -s translation=ideal the mode is of other runs.
printf 'name: mine\nbase: v100\ncuptw: {mode: base, form: nvidia}\n' >mine.yaml
expect_error 2 './mine.yaml:3:15: cuptw.mode is base, but translation is ideal (translation: full is needed)' \
    run scatter.yaml -m ./mine.yaml
echo 'translation: full' >>mine.yaml
for keys in '' '-s translation=ideal'; do
    run_program run scatter.yaml -m ./mine.yaml $keys
    check_status 0
done
for key in address_queue=4 data_access=own_page; do
    refuse "-s core.$key: has no effect while translation is ideal" -s translation=ideal -s "core.$key"
done
finish
