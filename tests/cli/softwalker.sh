# Walks in walk warps (cuptw.mode softwalker) and lent entries (l2_tlb.lent_mshrs): results are right in checked mode on
# machines of all kinds, run-ahead changes nothing, every walk is made once, and wrong input is refused in one line.
. "$WW_ROOT/tests/support/cli.sh"

# value NAME: of a statistic of the result in out.txt
value() {
    sed -n "s/^    \"$1\": \([0-9]*\),*\$/\1/p" out.txt
}

# verified ARGUMENTS...: the run is right
verified() {
    run_program run "$@" --size tiny --json -
    check_status 0
    grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
}

soft='-s cuptw.mode=softwalker'
few='-s l1_tlb.entries=2 -s l2_tlb.entries=8 -s l2_tlb.ways=4 -s l2_tlb.mshrs=2'

# All walks are made by walk warps; with hybrid, the sum is made by both.
# shellcheck disable=SC2086 # words of a command
{
    verified bfs -m mi100-cuptw -s gpu.compute_units=4 $soft $few -s l2_tlb.lent_mshrs=6
    misses=$(value l2_tlb.misses)
    [ "$(value cuptw.walks)" -eq "$misses" ] || complain "$misses misses and $(value cuptw.walks) walks of walk warps"
    [ "$(value walk.count)" -eq 0 ] || complain 'walkers made walks'
    [ "$(value l2_tlb.lent)" -gt 0 ] || complain 'no entry was lent'
    [ "$(value cuptw.delay)" -gt 0 ] || complain 'no warp waited for a walk warp'
    verified bfs -m mi100-cuptw -s gpu.compute_units=4 $soft $few -s l2_tlb.lent_mshrs=6 -s softwalker.hybrid=true -s walk.walkers=1
    misses=$(value l2_tlb.misses)
    walks=$(value cuptw.walks) hardware=$(value walk.count)
    [ "$walks" -gt 0 ] && [ "$hardware" -gt 0 ] && [ $((walks + hardware)) -eq "$misses" ] ||
        complain "$misses misses, $walks walks of walk warps and $hardware of walkers"

    # Machines of all kinds: NVIDIA's, an IOMMU, clusters; page sizes; pages that come and leave under walks.
    verified bfs -m v100 -s translation=full -s gpu.compute_units=2 $soft $few -s l2_tlb.lent_mshrs=8
    verified bfs -m apu-isca18 -s gpu.compute_units=2 $soft $few -s l2_tlb.lent_mshrs=8
    verified gups -m mi100-cuptw -s gpu.compute_units=4 -s machine.clusters=2 -s vm.frames=random $soft $few -s l2_tlb.lent_mshrs=8
    for page in 64KiB 2MiB; do
        verified transpose -m mi100-cuptw -s gpu.compute_units=2 -s page_size=$page $soft $few -s l2_tlb.lent_mshrs=8
    done
    verified atax -m fermi-paged -s gpu.compute_units=2 -s paging.mode=demand -s paging.resident_fraction=0.5 -s paging.evict=random \
        -s paging.fault_latency=1us $soft $few -s l2_tlb.lent_mshrs=8
    [ "$(value cuptw.faults)" -gt 0 ] || complain 'no walk of a walk warp found an absent page'
    verified atax -m fermi-paged -s gpu.compute_units=2 -s paging.mode=demand -s paging.resident_fraction=0.5 \
        -s paging.fault_latency=1us $few -s l2_tlb.lent_mshrs=8

    # Where walkers read in the DRAM past the L2, compute units still read through it.
    verified bfs -m apu-isca18 -s gpu.compute_units=2 -s cuptw.mode=base $few

    # Lent entries also serve walkers, and translation wavefronts of compute units.
    for mode in none full; do
        verified bfs -m mi100-cuptw -s gpu.compute_units=2 -s cuptw.mode=$mode $few -s l2_tlb.lent_mshrs=4
        [ "$(value l2_tlb.lent)" -gt 0 ] || complain 'no entry was lent'
    done

    # The same result twice, and whether or not compute units run ahead.
    for ahead in true false; do
        run_program run bfs -m v100 -s translation=full --size tiny -s gpu.compute_units=2 $soft $few -s host.run_ahead=$ahead --json $ahead.json
        check_status 0
        grep -v 'host_\|host\.run_ahead' $ahead.json >$ahead.txt
    done
    cmp true.txt false.txt >&2 || complain 'running ahead changes the result'
}

# refuse LINE SETTING...
refuse() {
    line=$1
    shift
    settings=
    for setting; do
        settings="$settings -s $setting"
    done
    # shellcheck disable=SC2086 # words of a command
    expect_error 2 "$line" run gups -m mi100-cuptw --size tiny $settings
}

refuse '-s softwalker.threads=16: has no effect while cuptw.mode is none' softwalker.threads=16
refuse '-s softwalker.hybrid=true: has no effect while cuptw.mode is full' cuptw.mode=full softwalker.hybrid=true
refuse '-s cuptw.threads=32: has no effect while cuptw.mode is softwalker' cuptw.mode=softwalker cuptw.threads=32
# Keys of walkers, which take no walk.
for key in walkers=4 buffer=64 scheduler=simt merge=mpw opportunity=true pte_cache=8KiB memory=dram; do
    refuse "-s walk.$key: has no effect while softwalker.hybrid is false" cuptw.mode=softwalker "walk.$key"
done
refuse '-s softwalker.threads=64: softwalker.threads is 64 (at most core.warp_width, 32)' \
    cuptw.mode=softwalker core.warp_width=32 softwalker.threads=64
refuse '-s core.registers=1024: a walk warp takes 1024 of core.registers, 1024, and leaves nothing to kernels (a larger core.registers, or fewer softwalker.registers)' \
    cuptw.mode=softwalker core.registers=1024
refuse '-s l2_tlb.lent_mshrs=4096: l2_tlb.lent_mshrs is 4096 (at most l2_tlb.entries, 2048)' l2_tlb.lent_mshrs=4096
refuse '-s l2_tlb.lent_mshrs=4: l2_tlb.lent_mshrs is 4 with tlb.merge (0: lending an entry of several pages would take all of them)' \
    tlb.merge=snakebyte l2_tlb.lent_mshrs=4
refuse '-s l2_tlb.lent_mshrs=1: has no effect while translation is ideal' translation=ideal l2_tlb.lent_mshrs=1
finish
