# Figures of numbers over time (plot: series): text, CSV, JSON, raw results, and mistakes.
. "$WW_ROOT/tests/support/cli.sh"

rm -rf ./*.db ./*.db-* ./*.db.work page
cat >over.yaml <<'END'
machine: fermi-paged
size: tiny
workloads: [backprop, pathfinder]
variants:
  resident: {paging.mode: resident}
  demand: {paging.mode: demand}
  half: {paging.mode: demand, paging.resident_fraction: 0.5, paging.evict: lru}
figures:
  times: {title: all of it, plot: series, series: [link_in, link_out, faults, resident, evictions, waiting]}
  one: {plot: series, series: [faults], rows: variant, columns: seed, where: {workload: backprop}}
  watts: {plot: series, series: [power, power_dram], where: {workload: backprop, variant: demand}}
  chosen: {plot: series, series: [faults], where: {variant: half}}
  bars: {metric: cycles, where: {variant: half}}
END
run_program sweep over.yaml
check_status 0
grep -qx 'faults: far-faults a millisecond' out.txt || complain "no line about faults"
grep -qx 'mean over the run (least..greatest of its bins)' out.txt || complain "no line about the cells"
grep -q '^backprop, resident  *-  *- ' out.txt || complain "a series of a run without paging"
[ "$(awk '{ if (length($0) > 100) n++ } END { print n + 0 }' out.txt)" = 0 ] || complain "a line of more than 100 columns"

# The numbers are those of the run, whose time is its series' cycles at 1.4 GHz; the mean of faults is all of them over that time.
"$WARPWALK" run backprop -m fermi-paged --size tiny -s paging.mode=demand -s paging.resident_fraction=0.5 -s paging.evict=lru \
    --json half.json >/dev/null
stat() { sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" half.json; }
bins() { sed -n "/^ *\"$1\": \[/,/\]/p" "$2" | grep -v '[][]' | tr -d ' ,'; }
cycles=$(sed -n '/"series"/,/"stats"/s/^ *"cycles": \([0-9]*\),$/\1/p' half.json)
[ -n "$cycles" ] && [ "$cycles" -ge "$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' half.json)" ] || complain "the time of the series is '$cycles'"
"$WARPWALK" report over.db --csv >over.csv
value() { awk -F, -v figure="$1" -v metric="$2" -v point="$3" -v column="$4" \
    '{ gsub(/"/, "") } $2 == figure && $3 == metric && $4 "," $5 == point { print $(column) }' over.csv; }
about() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b * 0.999999 && a < b * 1.000001) }' || complain "$3: $1, not $2"; }
for name in faults evictions; do
    [ "$(stat paging.$name)" -gt 0 ] || complain "no $name"
    about "$(value times $name 'backprop, half' 7)" \
        "$(awk -v n="$(stat paging.$name)" -v c="$cycles" 'BEGIN { printf "%.12g", n / (c / 1400000) }')" "$name a millisecond"
done
about "$(value times resident 'backprop, half' 7)" "$(bins resident half.json | awk '{ s += $1 } END { printf "%.12g", s / NR }')" "resident pages"
[ "$(value times resident 'backprop, half' 8)" = "$(bins resident half.json | sort -n | head -n 1)" ] || complain "another least"
about "$(value times link_in 'backprop, half' 9)" "$(bins link_in half.json | sort -n | tail -n 1)" "the greatest use of the link"
[ "$(value one faults 'half, 1' 7)" = "$(value times faults 'backprop, half' 7)" ] || complain "rows and columns change the numbers"
for name in link_in link_out faults resident evictions waiting; do
    [ -n "$(value times $name 'backprop, demand' 7)" ] || complain "no $name"
    grep -q "^|.*\`$name\`.*|" "$WW_ROOT/docs/studies.md" || complain "docs/studies.md does not describe $name"
done

# `where` chooses among rows and columns, too, in every figure.
figure() { awk -F, -v figure="$1" '{ gsub(/"/, "") } $2 == figure { print $4 "," $5 }' over.csv | sort -u | tr '\n' ';'; }
[ "$(figure watts)" = 'backprop, demand;' ] || complain "watts has $(figure watts)"
[ "$(figure chosen)" = 'backprop, half;pathfinder, half;' ] || complain "chosen has $(figure chosen)"
[ "$(figure bars)" = 'backprop,half;pathfinder,half;' ] || complain "bars has $(figure bars)"
[ "$(value chosen faults 'backprop, half' 7)" = "$(value times faults 'backprop, half' 7)" ] || complain "where changes the numbers"

# JSON has the lines, each series' kind, and raw results have what the run wrote.
"$WARPWALK" report over.db --json >report.json
grep -q '"over_time"' report.json || complain "no description of the series"
[ "$(sed -n '/"line"/,/\]/p' report.json | grep -c '"seconds"')" = 43 ] || complain "not a line for each run and series"
kinds() { sed -n "/\"series\": \[/,/\]/s/^ *\"$1\": \"\([a-z_]*\)\",*\$/\1/p" report.json | tr '\n' ' '; }
[ "$(kinds name)" = 'link_in link_out faults resident evictions waiting faults power power_dram faults ' ] ||
    complain "the series are $(kinds name)"
[ "$(kinds kind)" = 'share share count level count level count mean mean count ' ] || complain "their kinds are $(kinds kind)"
if "$WARPWALK" report over.db --html page 2>err.txt; then
    raw=$(grep -l '"paging.resident_fraction": 0.5' page/runs/*.json | xargs grep -l '"workload": "backprop"')
    for name in link_in link_out faults resident evictions waiting; do
        bins $name half.json >one.txt
        bins $name "$raw" | cmp - one.txt >&2 || complain "another $name in the raw result"
    done
    raw=$(grep -l '"paging.mode": "resident"' page/runs/*.json | head -n 1)
    ! grep -q '"link_in"' "$raw" || complain "series of the link in the raw result of a run without paging"
else
    grep -q 'was built without node_modules/' err.txt || complain "no page: $(cat err.txt)"
fi

# Mistakes.
wrong() { sed "s/^  times: .*/  times: {$1}/; /^  \(one\|watts\|chosen\|bars\): /d" over.yaml >wrong.yaml; }
wrong 'plot: series, series: [link_in, residents]'
expect_error 2 "wrong.yaml:9:43: unknown series 'residents' (did you mean 'resident'?)" sweep wrong.yaml
wrong 'plot: series, series: [pcie.in]'
expect_error 2 "wrong.yaml:9:34: unknown series 'pcie.in' (one of: link_in, link_out, faults, resident, evictions, waiting, power, power_core, power_l1, power_l2, power_dram, power_network, power_tlb, power_static)" sweep wrong.yaml
wrong 'plot: series, series: [faults, faults]'
expect_error 2 "wrong.yaml:9:42: series 'faults' is listed twice" sweep wrong.yaml
wrong 'plot: series'
expect_error 2 "wrong.yaml:9:10: 'series' is missing" sweep wrong.yaml
wrong 'plot: series, series: []'
expect_error 2 "wrong.yaml:9:33: no series (at least one is needed)" sweep wrong.yaml
wrong 'series: [faults], metric: cycles'
expect_error 2 "wrong.yaml:9:19: 'series' is for figures with 'plot: series'" sweep wrong.yaml
wrong 'plot: series, series: [faults], metric: cycles, sets: [all]'
expect_error 2 "wrong.yaml:9:51: 'metric' in a figure with 'plot: series', which has none
wrong.yaml:9:65: 'sets' in a figure with 'plot: series', which has none" sweep wrong.yaml
wrong 'plot: series, series: [faults], rows: seed'
expect_error 2 "wrong.yaml:9:10: the figure does not select a value of 'workload', which has 2 values (make it rows or columns, or choose one with 'where')" \
    sweep wrong.yaml
finish
