# translated.sh WORKLOAD [quick]: in checked mode every access of the workload, at `tiny`, goes to the frame that its page table says,
# with random frames, at every page size, merged or not, through an IOMMU and through a GMMU, whose pages get their
# frames when they are touched. TLBs and walk caches are small, so that they forget, and walks wait. quick: pages
# of 4 KiB alone.
. "$WW_ROOT/tests/support/cli.sh"
workload=$1

# translate MACHINE KEYS...: it runs, the result is right, and pages were walked for
translate() {
    machine=$1
    shift
    run_program run "$workload" --size tiny -m "$machine" -s translation=full -s vm.frames=random \
        -s l1_tlb.entries=4 -s l1_tlb.mshrs=8 -s l2_tlb.entries=16 -s l2_tlb.ways=4 -s walk.walkers=2 -s walk.cache_entries=2 \
        "$@" --json -
    check_status 0
    grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
    grep -q '"walk.count": [1-9]' out.txt || complain 'no page was walked for'
}

pages='4KiB 64KiB 2MiB'
[ "$2" != quick ] || pages=4KiB
for page in $pages; do
    for merge in none neighborhood mpw; do
        translate apu-isca18 -s page_size=$page -s walk.merge=$merge -s iommu_l1_tlb.entries=2 -s iommu_l2_tlb.entries=16
        translate mi100-cuptw -s page_size=$page -s walk.merge=$merge -s vm.allocate=first_touch
    done
done
# Merged entries of TLBs, with frames that merge.
translate mi100-cuptw -s tlb.merge=snakebyte -s vm.frames=contiguous -s vm.allocate=first_walk -s vm.allocate_pages=16
translate apu-isca18 -s tlb.merge=snakebyte -s vm.frames=contiguous -s page_size=64KiB -s iommu_l1_tlb.entries=2 \
    -s iommu_l2_tlb.entries=16
# The other choices of the load/store unit and of shared TLBs.
translate apu-isca18 -s core.memory_return=any -s core.data_access=own_page -s core.address_queue=256 \
    -s l2_tlb.order=oldest -s iommu_l1_tlb.order=oldest -s iommu_l2_tlb.order=oldest
finish
