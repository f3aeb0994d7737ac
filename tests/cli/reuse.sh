# l1d.reuse_distance: distances between loads of a line, over all and by instruction.
. "$WW_ROOT/tests/support/cli.sh"

base="bfs --size tiny -m gtx480-cawa -s core.criticality=cpl -s core.critical_warps=top"
stat() { sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" "$2"; }
names="0_3 4_7 8_15 16_31 32_63 64_127 128 never"

run_program run $base --json off.json
check_status 0
grep -q '"reuse"\|l1d.reuse_[^d]\|l1d.reuse_distance_' off.json && complain "distances that nobody asked for"
run_program run $base -s l1d.reuse_distance=true --json on.json
check_status 0
for file in off on; do grep -v 'reuse_\|host_' $file.json | sed '/^  "reuse": \[/,/^  \],*$/d' >$file.txt; done
cmp off.txt on.txt >&2 || complain "measuring changes the result"

# Buckets add up; all loads of the L1 are uses; rows of instructions add up to the statistics.
uses=$(stat l1d.reuse_uses on.json)
[ "$uses" = "$(stat l1d.reads on.json)" ] || complain "$uses uses, not $(stat l1d.reads on.json)"
sum=0
for name in $names; do
    all=$(stat l1d.reuse_$name on.json)
    all=${all%.0}
    sum=$((sum + all))
    rows=$(sed -n '/^  "reuse": \[/,/^  \],*$/s/^ *"'$name'": \([0-9]*\),*$/\1/p' on.json | awk '{ sum += $1 } END { print sum + 0 }')
    [ "$rows" = "$all" ] || complain "$name: $rows in rows, $all in all"
done
[ "$sum" = "$uses" ] || complain "buckets add up to $sum, not $uses"
[ "$(sed -n '/^  "reuse": \[/,/^  \],*$/s/^ *"uses": \([0-9]*\),*$/\1/p' on.json | awk '{ sum += $1 } END { print sum }')" = "$uses" ] ||
    complain "rows have other uses"
[ "$(grep -c '"kernel": "bfs_' on.json)" -gt 4 ] || complain "no rows of instructions"

# Critical warps: a part of the loads. The more the L1 holds, the fewer of their lines are lost.
accesses=$(stat l1d.critical_accesses on.json)
[ "$accesses" -gt 0 ] && [ "$accesses" -lt "$(stat l1d.accesses on.json)" ] || complain "$accesses accesses of critical warps"
[ "$(stat l1d.critical_hits on.json)" -le "$accesses" ] || complain "more hits than accesses"
lost=$(stat l1d.reuse_critical_lost on.json)
run_program run $base -s l1d.reuse_distance=true -s l1d.size=1KiB -s l1d.ways=2 --json small.json
[ "$(stat l1d.reuse_critical_lost small.json)" -gt "$lost" ] || complain "a small L1 loses no more lines"
critical=$(sed -n 's/^ *"l1d.reuse_critical_[0-9_]*": \([0-9]*\),*$/\1/p' small.json | awk '{ sum += $1 } END { print sum }')
awk -v lost="$(stat l1d.reuse_critical_lost small.json)" -v all="$critical" -v share="$(stat l1d.reuse_critical_lost_share small.json)" \
    'BEGIN { d = lost / all - share; exit !(d < 1e-6 && d > -1e-6 && share > 0) }' || complain "another share of lost lines"
run_program run bfs --size tiny -m gtx480-cawa --json none.json
[ "$(stat l1d.critical_accesses none.json)" = 0 ] || complain "critical warps without predictions"

# A region: of its loads alone. An oracle's first pass does not count.
run_program run $base -s l1d.reuse_distance=true --region skip=1000,warm=1000,measure=3000 --json region.json
check_status 0
[ "$(stat l1d.reuse_uses region.json)" -lt "$uses" ] || complain "a region has all uses"
grep -q '"never": -' region.json && complain "fewer uses than distances in a region"
run_program run bfs --size tiny -m gtx480-cawa -s core.scheduler=caws_blk -s l1d.reuse_distance=true --json oracle.json
[ "$(stat l1d.reuse_uses oracle.json)" = "$(stat l1d.reads oracle.json)" ] || complain "the first pass counts"

expect_error 2 "-s l1d.reuse_distance=true: l1d.reuse_distance is true, but there is no L1: l1d.size is 0 (false)" \
    run $base -s l1d.size=0 -s l1d.reuse_distance=true
finish
