# Runs in which pages leave while instructions wait for them: each one ends, with the right values.
. "$WW_ROOT/tests/support/cli.sh"

run_paged() {
    run_program run "$@" -m fermi-paged --size tiny -s paging.mode=demand --json result.json
}

# A far-fault is on its way to a compute unit when its page is invalidated: the compute unit frees the miss register
# that the L1 TLB holds for it, the only one.
run_paged srad -s gpu.compute_units=2 -s paging.resident_fraction=0.5 -s paging.evict=random -s paging.fault_latency=1ns \
    -s paging.faults_per_cu=infinite -s paging.write_back=always -s core.data_access=own_page -s l1_tlb.mshrs=1
check_status 0

# Others take the far-fault registers whenever it is the turn of an instruction with several pages.
run_paged transpose -s gpu.compute_units=1 -s paging.resident_fraction=0.5 -s paging.warm=oracle -s paging.faults_per_cu=2 \
    -s paging.merged_faults=true -s paging.flush=all -s paging.write_back=always --max-instructions 20000
check_status 0
cycles=$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' result.json | head -1)
[ "$cycles" -lt 10000000 ] || complain "transpose takes $cycles cycles"

# The pages of the oldest instruction come one after the other, where a compute unit has one register and pages leave in
# an order that does not know of accesses.
run_paged xsbench -s gpu.compute_units=1 -s paging.resident_fraction=0.25 -s paging.evict=allocation2m -s paging.faults=blocking \
    -s paging.fault_latency=1us
check_status 0

# Sets of 80 pages in memory for 20: those that were prefetched do not drive out the page that faulted before it was used.
run_paged reduction -s gpu.compute_units=1 -s core.groups=2 -s paging.faults=blocking -s paging.prefetch=locality \
    -s paging.resident_fraction=0.3
check_status 0

# Far-faults leave a miss register of the L1 TLB to pages that have come.
run_paged transpose -s paging.resident_fraction=0.25 -s paging.chunk=2MiB -s core.data_access=own_page -s l1_tlb.mshrs=2
check_status 0

# Memory for fewer pages than an instruction needs is refused at its first fault.
expect_error 2 "-s paging.resident_fraction=0.05: kernel 'bicg_rows': an instruction needs more pages at a time than the 4 \
that paging.resident_fraction leaves (a larger fraction, or smaller pages)" \
    run bicg -m fermi-paged --size tiny -s paging.mode=demand -s core.memory_queue=1 -s l1_tlb.mshrs=1 -s paging.resident_fraction=0.05

# A compute unit does not run ahead of the replay of a store whose warp has ended.
for ahead in true false; do
    run_paged transpose -s paging.resident_fraction=0.5 -s paging.fault_latency=1us -s host.run_ahead=$ahead
    check_status 0
    grep -v '"host' result.json | grep -v host_second >"ahead-$ahead.json"
done
cmp ahead-true.json ahead-false.json || complain "run-ahead changes the result"
finish
