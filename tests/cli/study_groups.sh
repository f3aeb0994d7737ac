# Figures of waves and warps (plot: waves, warps), stacks (plot: stacked), and the time of critical warps.
. "$WW_ROOT/tests/support/cli.sh"

rm -rf ./*.db ./*.db-* ./*.db.work page
cat >groups.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [bfs, hotspot]
keys: {gpu.compute_units: 2, core.groups: 2}
sets: {one: [bfs]}
variants:
  rr: {core.scheduler: rr, core.inversion: true}
  oracle: {core.scheduler: caws_blk}
  plain: {core.scheduler: rr}
metrics:
  critical: core.group_critical / core.group_critical_before
  share: {value: core.warp_data_cache / core.warp_cycles, fold: mean}
  rest: {value: 1 - share, fold: mean}
figures:
  warps: {title: warps of a group, plot: warps, over: one}
  waves: {title: by launch and wave, plot: waves}
  stack: {plot: stacked, metric: [share, rest], where: {variant: rr}}
  critical: {metric: critical, over: one}
END
run_program sweep groups.yaml
check_status 0
grep -qx 'data_hazard: an operand is not ready yet' out.txt || complain "no line about a cause"
grep -qx 'inverted: groups whose slowest warp was faster than the mean before' out.txt || complain "no line about inversion"
[ "$(awk '{ if (length($0) > 100) n++ } END { print n + 0 }' out.txt)" = 0 ] || complain "a line of more than 100 columns"

# The figures have what the run's own result has.
"$WARPWALK" run bfs -m gtx480-cawa --size tiny -s gpu.compute_units=2 -s core.groups=2 -s core.scheduler=caws_blk --json run.json >/dev/null
"$WARPWALK" report groups.db --csv | tr -d '"' >groups.csv
rows() { sed -n "/^  \"$1\": \[/,/^  \]/p" run.json | tr -d '\n ' | sed 's/},{/\n/g;s/$/\n/'; }
number() { sed "s/.*\"$1\":\"*\([0-9.a-z_]*\).*/\1/"; }
for name in scheduling data_cache execution; do
    rows warps | while read -r row; do
        label="warp $(echo "$row" | number warp) of $(echo "$row" | number launch).$(echo "$row" | number group)"
        echo "groups,warps,$name,oracle, $label,$name,$(echo "$row" | number $name)"
    done >wanted.txt
    grep "^groups,warps,$name,oracle, " groups.csv | cut -d, -f1-7 | cmp - wanted.txt >&2 || complain "other cycles of $name"
    [ "$(wc -l <wanted.txt)" -gt 1 ] || complain "no warps"
done
label() { echo "$(echo "$1" | number kernel), launch $(echo "$1" | number launch), wave $(echo "$1" | number wave)"; }
rows waves | while read -r row; do
    echo "$(label "$row"): $(echo "$row" | number groups) $(awk -v a="$(echo "$row" | number critical)" -v b="$(echo "$row" | number critical_before)" 'BEGIN { printf "%.9f", a / b }')"
done >wanted.txt
for name in groups critical; do
    grep "^groups,waves,$name,bfs, oracle, " groups.csv | sed "s/^[^ ]* oracle, \(.*\),$name,\([0-9.]*\),.*/\1: \2/" >$name.txt
done
cut -d: -f2 critical.txt | awk '{ printf "%.9f\n", $1 }' | paste -d' ' groups.txt - | cmp - wanted.txt >&2 || complain "other waves"
[ "$(wc -l <wanted.txt)" -gt 20 ] || complain "too few waves"
grep -q '^groups,wa[a-z]*,.*plain' groups.csv && complain "rows of a run without a first pass"
grep -q '^groups,warps,.*hotspot' groups.csv && complain "'over' does not select"

# Under rr critical warps take what they took; the same group is shown.
critical() { grep "^groups,critical,[^,]*,[^,]*,$1," groups.csv | cut -d, -f6; }
[ "$(critical rr)" = 1 ] || complain "rr against itself: $(critical rr)"
for variant in rr oracle; do grep "^groups,warps,execution,$variant, " groups.csv | cut -d, -f5 >$variant.txt; done
cmp rr.txt oracle.txt >&2 || complain "other warps, or in another order"

"$WARPWALK" report groups.db --json >report.json
for plot in stacked table bars; do grep -q "\"plot\": \"$plot\"" report.json || complain "no figure is drawn as '$plot'"; done
if "$WARPWALK" report groups.db --html page 2>err.txt; then
    raw=$(grep -l '"core.scheduler": "caws_blk"' page/runs/*.json | xargs grep -l '"workload": "bfs"')
    for name in warps waves; do
        rows $name | wc -c >own.txt
        sed -n "/^  \"$name\": \[/,/^  \]/p" "$raw" | tr -d '\n ' | sed 's/},{/\n/g;s/$/\n/' | wc -c | cmp - own.txt >&2 || complain "other $name in the raw result"
    done
fi

sed 's/plot: waves}/plot: waves, metric: critical}/' groups.yaml >wrong.yaml
run_program sweep wrong.yaml --dry-run
check_status 2
grep -q "'metric' in a figure with 'plot: waves', which has none" err.txt || complain "a metric is not refused"
sed 's/plot: waves}/plot: pie}/' groups.yaml >wrong.yaml
run_program sweep wrong.yaml --dry-run
check_status 2
grep -q "one of: bars, lines, stacked, series, instructions, warps, waves" err.txt || complain "plots are not named: $(cat err.txt)"
finish
