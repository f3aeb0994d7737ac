# Random small machines whose compute units walk, in checked mode, together with merged walks, schedulers of walks, merged
# TLB entries and clusters: each result is right, the same a second time, and the same whether or not compute units run ahead
# on the host. Machines that contradict themselves are refused.
. "$WW_ROOT/tests/support/cli.sh"

# The keys of machines, one in a line, each behind a workload and the number of contradictions.
awk -v seed=20260 -v count=46 '
function random() { return (state = state * 16807 % 2147483647) / 2147483647 } # the same with every awk
function one_of(list,    parts) { return parts[1 + int(random() * split(list, parts, " "))] }
function key(name, list) { value = one_of(list); line = line " -s " name "=" value; return value }
BEGIN {
    state = seed
    for (i = 0; i < count; i++) {
        mode = one_of("base sw mt full")
        form = one_of("amd amd nvidia")
        workload = one_of("bfs transpose spmv atax reduction")
        line = "-s cuptw.mode=" mode " -s cuptw.form=" form
        units = key("gpu.compute_units", "1 2 4")
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
        line = line " -s l2_tlb.queue=" (i % 3 ? 512 : 1) " -s l2_tlb.arbiter=" (i % 2 ? "waiting" : "rotating")
        key("l1s.mshrs", "1 16")
        walkers = key("walk.walkers", "1 4")
        page = key("page_size", "4KiB 4KiB 4KiB 64KiB 2MiB")
        key("vm.frames", "contiguous contiguous random")
        merge = key("walk.merge", "none mpw neighborhood")
        scheduler = key("walk.scheduler", "fcfs fcfs simt sjf batch")
        key("tlb.merge", "none snakebyte")
        clusters = key("machine.clusters", "1 1 2")
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
        if (mode == "sw" || mode == "full") {
            banks = one_of("3 9 24")
            if (page != "2MiB")
                line = line " -s cuptw.banks_2=" banks
        }
        key("core.arguments", "registers scalar")
        if (random() < 0.3)
            line = line " -s paging.mode=demand -s paging.fault_latency=1us -s paging.resident_fraction=0.9"
        wrong = (merge == "mpw" && scheduler != "fcfs") + units % clusters + walkers % clusters
        print workload, wrong, line
    }
}' >machines.txt

value() {
    sed -n "s/^    \"$1\": \([0-9]*\),\$/\1/p" out.txt
}

# refused LINES: the last run was, with a line for each contradiction
refused() {
    check_status 2
    [ ! -s out.txt ] || complain 'an error, but something on standard output'
    lines=$(grep -c -e 'walk.merge is mpw, .*(fcfs is needed)$' \
        -e 'which machine.clusters, 2, does not divide (a multiple of 2)$' err.txt)
    [ "$lines" -eq "$1" ] && [ "$(wc -l <err.txt)" -eq "$1" ] || {
        complain 'other errors than wanted'
        cat err.txt >&2
    }
}

# met KEY=VALUE STATISTIC [LESS]: adds it to `all`, if the machine has it, its compute units walked, and the statistic is more
# than 0, or than that of LESS
met() {
    case " $keys " in *" $1 "*) ;; *) return ;; esac
    less=0
    [ $# -eq 2 ] || less=$(value "$3")
    [ "$(value cuptw.walks)" -eq 0 ] || [ "$(value "$2")" -le "$less" ] || all="$all $1"
}

walks=0 refusals=0 all=
while read -r workload wrong keys; do
    for way in true false again; do
        ahead=$way
        [ $way != again ] || ahead=true
        run_program run $workload --size tiny -m mi100-cuptw $keys -s host.run_ahead=$ahead --json -
        if [ "$wrong" -gt 0 ]; then
            refused "$wrong"
            refusals=$((refusals + 1))
            continue 2
        fi
        check_status 0
        grep -qxF '  "verified": true,' out.txt || complain 'the result is not verified'
        grep -v '"host[._]\|per_host_second' out.txt >$way.json
    done
    cmp true.json false.json || complain 'run-ahead changes results'
    cmp true.json again.json || complain 'the second run has another result'
    walks=$((walks + $(value cuptw.walks)))
    met walk.merge=mpw walk.batch_walks_level1 walk.batches_level1
    met walk.merge=neighborhood walk.merged
    for scheduler in simt sjf batch; do
        met walk.scheduler=$scheduler walk.selected
    done
    met tlb.merge=snakebyte tlb.merges_8
    met machine.clusters=2 walk.count
    for size in 4KiB 64KiB 2MiB; do
        met page_size=$size walk.count
    done
done <machines.txt
[ "$walks" -gt 2000 ] || complain "only $walks walks of all machines"
[ "$refusals" -gt 0 ] || complain 'no machine contradicts itself'
# Each was used together with walks on compute units.
for one in walk.merge=mpw walk.merge=neighborhood walk.scheduler=simt walk.scheduler=sjf walk.scheduler=batch \
    tlb.merge=snakebyte machine.clusters=2 page_size=4KiB page_size=64KiB page_size=2MiB; do
    case "$all " in *" $one "*) ;; *) complain "no machine with $one and walks on compute units" ;; esac
done
finish
