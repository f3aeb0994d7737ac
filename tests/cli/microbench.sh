# What a machine reaches in the microbenchmarks: exact latencies and intervals, and 90% of its bandwidths. A small
# MI100, with as many miss registers as its bandwidth needs and without refresh, so that nothing else is in them.
. "$WW_ROOT/tests/support/cli.sh"

command=microbench
export SET='-s gpu.compute_units=16 -s dram.channels=8 -s l2.size=1MiB -s l1d.mshrs=64 -s dram.refresh=none'
export ONLY='l1 l2 dram_near read write fma lds_chain lds_stream atomic'
"$WW_ROOT/bench/microbench/run" "$(dirname "$WARPWALK")" mi100-cuptw >table.csv || complain "did not run"

# within ROW LEAST MOST: measured over configured
within() {
    awk -F, -v row="$1" -v least="$2" -v most="$3" '
        $2 == row {found = 1; good = $6 >= least && $6 <= most}
        END {exit !(found && good)}' table.csv || {
        complain "$1 is not between $2 and $3 of what the machine says"
        grep ",$1," table.csv >&2
    }
}

for row in l1 l2 lds_chain_1 lds_chain_2 lds_chain_4 lds_chain_32 atomic; do
    within $row 1 1
done
for row in lds_stream_1 lds_stream_2 lds_stream_4 lds_stream_32 dram_near fma; do
    within $row 0.99 1.01
done
within read 0.9 1
within write 0.9 1.01

# Replies on their way from a DRAM that is far away take no place in short queues: else it would be 0.42. That 16
# waiting reads show few open rows costs the rest.
ONLY=read SET="$SET -s dram.latency=150ns -s dram.read_queue=16 -s l2.queue=8 -s l1d.mshrs=128 -s l2.mshrs=128" \
    "$WW_ROOT/bench/microbench/run" "$(dirname "$WARPWALK")" mi100-cuptw >table.csv || complain "did not run"
within read 0.75 1

# Two ports for each slice: with one, 0.75 and 0.79.
ONLY='read write' SET= "$WW_ROOT/bench/microbench/run" "$(dirname "$WARPWALK")" fermi-paged >table.csv ||
    complain "did not run"
within read 0.9 1
within write 0.9 1

# An L1 and an atomic beside a DRAM whose clock has no whole ratio to theirs.
ONLY='l1 atomic' SET='-s gpu.clock=700MHz -s dram.clock=924MHz -s gpu.compute_units=2' \
    "$WW_ROOT/bench/microbench/run" "$(dirname "$WARPWALK")" v100 >table.csv || complain "did not run"
within l1 1 1
within atomic 1 1
finish
