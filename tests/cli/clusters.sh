# A machine of several clusters: programs are right, every access goes where it must (checked mode), statistics of clusters
# add up, run-ahead changes nothing, a narrow link is slower, and numbers that clusters cannot share are refused.
. "$WW_ROOT/tests/support/cli.sh"

# value NAME: of a statistic of the result in out.txt
value() {
    sed -n "s/^    \"$1\": \([0-9]*\),*\$/\1/p" out.txt
}

# add_up NAME: the two clusters' values of GROUP.NAME are its sum, and none is 0
add_up() {
    group=${1%%.*} name=${1#*.}
    first=$(value "$group\\[0\\].$name") second=$(value "$group\\[1\\].$name")
    [ "$first" -gt 0 ] && [ "$second" -gt 0 ] && [ $((first + second)) -eq "$(value "$1")" ] ||
        complain "$1 is $(value "$1"), but $first and $second in the clusters"
}

for workload in bfs gups hotspot reduction; do
    run_program run $workload --size tiny -m v100-halves -s checked=true --json -
    check_status 0
    grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
    add_up l2.accesses
    add_up dram.bytes
    add_up link.packets
    [ "$(value 'link\[0\].packets')" -eq "$(value 'link\[1\].packets')" ] ||
        complain 'not every packet has a reply: no request of these is a write-back'
done

# Walkers of a cluster read entries of both.
run_program run gups --size tiny -m mi100-cuptw -s machine.clusters=2 -s gpu.compute_units=2 -s checked=true -s vm.frames=random \
    -s l1_tlb.entries=4 -s l2_tlb.entries=16 -s l2_tlb.ways=4 --json -
check_status 0
grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
add_up walk.pte_reads
add_up l2.pte_accesses

# Four clusters, with links of one port and queues of one packet.
run_program run bfs --size tiny -m v100 -s machine.clusters=4 -s link.queue=1 -s checked=true --json -
check_status 0
grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
[ -n "$(value 'l2\[3\].hits')" ] || complain 'cluster 3 has no statistics'

# What saves work on the host changes no result.
for ahead in true false; do
    run_program run bfs --size tiny -m v100-halves -s host.run_ahead=$ahead --json -
    check_status 0
    grep -v 'host[._]' out.txt >ahead.$ahead
done
cmp ahead.true ahead.false || complain 'run-ahead changes results'

# A link of 16 bytes a cycle is slower.
cycles=$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' out.txt)
run_program run bfs --size tiny -m v100-halves -s link.bandwidth=16 --json -
check_status 0
[ "$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' out.txt)" -gt "$cycles" ] || complain 'a narrow link is not slower'

# One cluster has no statistics of clusters.
run_program run bfs --size tiny -m v100 --json -
check_status 0
! grep -q '\[0\]' out.txt || complain 'one cluster has statistics of clusters'

# refuse LINE KEYS...: the keys are refused with this line
refuse() {
    line=$1
    shift
    run_program run bfs --size tiny -m mi100-cuptw "$@"
    check_status 2
    grep -qF -- "$line" err.txt || complain "no line '$line'"
    [ "$(grep -c . err.txt)" -eq 1 ] || complain 'more than one line'
}
refuse 'gpu.compute_units is 3, which machine.clusters, 2, does not divide (a multiple of 2)' \
    -s machine.clusters=2 -s gpu.compute_units=3
refuse 'walk.walkers is 7, which machine.clusters, 2, does not divide (a multiple of 2)' \
    -s machine.clusters=2 -s walk.walkers=7
refuse 'walk.memory is dram, but machine.clusters is 2' -s machine.clusters=2 -s walk.memory=dram
refuse 'link.bandwidth is 10, which link.ports, 4, does not divide (a multiple of 4)' \
    -s machine.clusters=2 -s link.ports=4 -s link.bandwidth=10
refuse '-s link.latency=9: has no effect while machine.clusters is 1' -s link.latency=9
run_program list stats
check_status 0
[ "$(grep -c 'l2\[1\].hits' out.txt)" -eq 1 ] || complain 'list stats does not speak of clusters, or more than once'
finish
