# Random small machines whose compute units walk, in checked mode: each result is right, the same a second time, and the same
# whether or not compute units run ahead on the host.
. "$WW_ROOT/tests/support/cli.sh"

# The keys of machines, one in a line, each behind a workload.
awk -v seed=20260 -v count=36 '
function random() { return (state = state * 16807 % 2147483647) / 2147483647 } # the same with every awk
function one_of(list,    parts) { return parts[1 + int(random() * split(list, parts, " "))] }
function key(name, list) { value = one_of(list); line = line " -s " name "=" value; return value }
BEGIN {
    state = seed
    for (i = 0; i < count; i++) {
        mode = one_of("base sw mt full")
        form = one_of("amd amd nvidia")
        line = one_of("bfs transpose spmv atax reduction") " -s cuptw.mode=" mode " -s cuptw.form=" form
        key("gpu.compute_units", "1 2 4")
        key("core.schedulers", "1 2 4")
        key("core.issue_period", "1 4")
        key("core.scalar_registers", "0 400 3200")
        key("core.memory_queue", "2 16")
        key("core.memory_return", "in_order any")
        key("l1_tlb.entries", "1 4 32")
        key("l1_tlb.mshrs", "1 8 32")
        key("l2_tlb.entries", "8 64")
        key("l2_tlb.ways", "2 8")
        mshrs = key("l2_tlb.mshrs", "1 2 8")
        key("l2_tlb.order", "arrival oldest")
        key("l2_tlb.lookups", "1 64")
        key("l1s.mshrs", "1 16")
        walkers = key("walk.walkers", "1 4")
        key("page_size", "4KiB 4KiB 4KiB 64KiB 2MiB")
        key("vm.frames", "contiguous random")
        if (mode == "mt" || mode == "full") {
            threads = key("cuptw.threads", "1 3 16 64")
            if (threads + 0 > 1) {
                key("cuptw.timeout", "1 128 5000")
                key("cuptw.answers", "together each")
            }
        }
        if (walkers + 0 < mshrs + 0)
            key("cuptw.forward", "full walkers")
        key("cuptw.wait", "compute_unit l2_tlb")
        key("cuptw.register_words", "1 2")
        if (mode == "sw" || mode == "full")
            key("cuptw.banks_2", "3 9 24")
        key("core.arguments", "registers scalar")
        if (random() < 0.3)
            line = line " -s paging.mode=demand -s paging.fault_latency=1us -s paging.resident_fraction=0.9"
        print line
    }
}' >machines.txt

walks=0
while read -r workload keys; do
    for way in true false again; do
        ahead=$way
        [ $way != again ] || ahead=true
        run_program run $workload --size tiny -m mi100-cuptw $keys -s host.run_ahead=$ahead --json -
        check_status 0
        grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
        grep -v '"host[._]\|per_host_second' out.txt >$way.json
    done
    cmp true.json false.json || complain 'run-ahead changes results'
    cmp true.json again.json || complain 'the second run has another result'
    walks=$((walks + $(sed -n 's/^    "cuptw.walks": \([0-9]*\),$/\1/p' out.txt)))
done <machines.txt
[ "$walks" -gt 2000 ] || complain "only $walks walks of all machines"
finish
