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
finish
