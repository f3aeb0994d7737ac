# What a machine reaches in the microbenchmarks: exact latencies and intervals, and 90% of its bandwidths. Rows and formulas
# are those of the built-in study, of which this takes a part.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db ./*.db.work
ln -sfn "$WW_ROOT/studies/microbench" microbench

# measure MACHINE ROWS [KEYS [TRANSLATION]]: table.csv has measured over configured
measure() {
    axes="{machine: {machine: [$1]}, more: {parameter.more: [0, 1]}}"
    sed -e '/^  apu-isca18: {/,$d' -e '/^  parts:$/,/^$/d' -e '/^keys: /d' \
        -e "s/^sweeps:\$/sweeps: {parts: {workloads: [$2], axes: $axes}}/" \
        "$WW_ROOT/studies/microbench.yaml" >part.yaml
    echo "keys: {translation: ${4:-ideal}${3:+, $3}}" >>part.yaml
    run_program sweep part.yaml --db microbench.db
    check_status 0
    run_program report microbench.db --csv
    check_status 0
    mv out.txt table.csv
}

# within ROW LEAST MOST: measured over configured
within() {
    awk -F, -v row="$1" -v least="$2" -v most="$3" '
        $4 == row {found = 1; good = $6 >= least && $6 <= most}
        END {exit !(found && good)}' table.csv || {
        complain "$1 is not between $2 and $3 of what the machine says"
        grep ",$1," table.csv >&2
    }
}

# A small MI100, with as many miss registers as its bandwidth needs, without refresh, and with slices chosen by a hash, so that
# nothing else is in them: where streams of several compute units meet in one slice, 0.83 is left of its bandwidth.
small='gpu.compute_units: 16, dram.channels: 8, l2.size: 1MiB, dram.refresh: none, dram.spread: true'
measure mi100-cuptw 'l1, l2, dram_near, read, write, fma, lds_chain_1, lds_chain_2, lds_chain_4, lds_chain_32, '\
'lds_stream_1, lds_stream_2, lds_stream_4, lds_stream_32, atomic' "$small, l1d.mshrs: 64"
for row in l1 l2 lds_chain_1 lds_chain_2 lds_chain_4 lds_chain_32 atomic; do
    within $row 1 1
done
for row in lds_stream_1 lds_stream_2 lds_stream_4 lds_stream_32 dram_near fma; do
    within $row 0.99 1.01
done
within read 0.9 1.01 # the difference of two runs, whose ends differ a little
within write 0.9 1.01

# Replies on their way from a DRAM that is far away take no place in short queues: else it would be 0.42. That 16
# waiting reads show few open rows costs the rest.
measure mi100-cuptw read \
    "$small, l1d.mshrs: 128, l2.mshrs: 128, dram.latency: 150ns, dram.read_queue: 16, l2.queue: 8"
within read 0.75 1

# Two ports for each slice: with one, 0.75 and 0.79.
measure fermi-paged 'read, write'
within read 0.9 1
within write 0.9 1

# An L1 and an atomic beside a DRAM whose clock has no whole ratio to theirs.
measure v100 'l1, atomic' 'gpu.clock: 700MHz, dram.clock: 924MHz, gpu.compute_units: 2'
within l1 1 1
within atomic 1 1

# A network of twice the cores' clock, whose packets take half cycles of theirs, and one of half of it.
measure gtx480-latency 'l1, l2' 'gpu.compute_units: 2'
within l1 1 1
within l2 1 1
measure gtx480-latency 'l1, l2' 'gpu.compute_units: 2, network.clock: 350MHz'
within l1 1 1
within l2 1 1.01 # packets wait for a cycle of the network

# TLBs and walks, with a turn in every cycle, so that a cycle more is seen.
measure apu-isca18 'tlb_l1, tlb_l2, tlb_iommu, walk_dram' 'core.issue_period: 1, dram.refresh: none, l2_tlb.index: hash' full
for row in tlb_l1 tlb_l2 tlb_iommu; do
    within $row 1 1
done
within walk_dram 0.999 1.005 # the clock of the DRAM has no whole ratio to the core's
measure mi100-cuptw 'tlb_l1, tlb_l2, walk_l2' 'core.issue_period: 1' full
for row in tlb_l1 tlb_l2 walk_l2; do
    within $row 1 1
done
measure fermi-paged 'tlb_l1, walk_lines' '' full
within tlb_l1 1 1
within walk_lines 0.999 1.001 # a few loads hit in the L1

# The built-in study carries its launch files and kernels: a run of it works in any folder.
mkdir -p elsewhere
cd elsewhere
run_program study microbench --dry-run
check_status 0
[ "$(wc -l <out.txt)" -eq 354 ] || complain "not 354 runs"
run_program $(sed -n 's/.*  warpwalk \(run .*atomic.* -m v100 .*more=1.*\)/\1/p' out.txt)
check_status 0
grep -qxF 'builtin:studies/microbench/atomic.yaml (more=1) on v100: nothing to verify' out.txt || complain "another run"
expect_error 2 "cannot read 'builtin:studies/microbench/none.yaml': no such file in this program" \
    run builtin:studies/microbench/none.yaml
finish
