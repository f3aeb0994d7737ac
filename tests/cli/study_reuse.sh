# Figures of reuse distances by instruction (plot: instructions): text, CSV, JSON, raw results, and mistakes.
. "$WW_ROOT/tests/support/cli.sh"

rm -rf ./*.db ./*.db-* ./*.db.work page
cat >reuse.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [bfs, kmeans]
keys: {core.criticality: cpl, l1d.reuse_distance: true}
sets: {one: [bfs]}
variants:
  small: {l1d.size: 2KiB}
  large: {l1d.size: 256KiB}
  none: {l1d.reuse_distance: false}
figures:
  by: {title: by instruction, plot: instructions}
  one: {plot: instructions, over: one, where: {variant: small}, columns: seed}
END
run_program sweep reuse.yaml
check_status 0
grep -qx 'never: uses that no other of the line follows' out.txt || complain "no line about a part"
[ "$(awk '{ if (length($0) > 100) n++ } END { print n + 0 }' out.txt)" = 0 ] || complain "a line of more than 100 columns"

# Shares are those of the run's own rows. Buckets and `never` add up to 1.
"$WARPWALK" run bfs -m gtx480-cawa --size tiny -s core.criticality=cpl -s l1d.reuse_distance=true -s l1d.size=2KiB --json run.json >/dev/null
"$WARPWALK" report reuse.db --csv | tr -d '"' >reuse.csv
row=$(sed -n '/^  "reuse": \[/,/^  \],*$/p' run.json | tr -d '\n ' | sed 's/},{/\n/g' | sed -n 2p)
count() { printf %s "$row" | sed "s/.*\"$1\":\"*\([a-z_0-9]*\).*/\1/"; }
label="bfs, small, $(count kernel) $(count pc)"
for name in 0_3 128 never critical; do
    ours=$(grep "^reuse,by,$name,$label,$name," reuse.csv | cut -d, -f8)
    awk -v a="$ours" -v n="$(count $name)" -v all="$(count uses)" 'BEGIN { d = a - n / all; exit !(a != "" && d < 1e-9 && d > -1e-9) }' ||
        complain "$label, $name: '$ours', not $(count $name) of $(count uses)"
done
awk -F, '$2 == "by" && $3 !~ /critical/ && $8 != "" { sum[$4 $5 $6] += $8 } END { for (i in sum) { n++; if (sum[i] < 0.999999 || sum[i] > 1.000001) exit 1 }
    exit n < 8 }' reuse.csv || complain "parts do not add up to 1"
grep -q '^reuse,by,[^,]*,bfs, none' reuse.csv && complain "rows of a run without distances"
# Of one workload and one seed, which rows do not repeat: 'over' and 'where' select.
grep '^reuse,by,never,bfs, small, ' reuse.csv | sed 's/bfs, small, //' | cut -d, -f3-8 >wanted.txt
grep '^reuse,one,never,' reuse.csv | cut -d, -f3-8 | cmp - wanted.txt >&2 || complain "other rows of one run"
[ "$(wc -l <wanted.txt)" -gt 4 ] || complain "no rows with other columns"

# A small cache has lost more lines before critical warps use them again.
lost() { awk -F, -v v=" $1" '$2 == "by" && $3 == "critical_lost" && $4 == "bfs" && $5 == v { s += $8 } END { print s + 0 }' reuse.csv; }
awk -v small="$(lost small)" -v large="$(lost large)" 'BEGIN { exit !(small > large) }' || complain "a small cache loses $(lost small), a large one $(lost large)"

"$WARPWALK" report reuse.db --json >report.json
grep -q '"parts"' report.json || complain "no description of the parts"
if "$WARPWALK" report reuse.db --html page 2>err.txt; then
    raw=$(grep -l '"l1d.size": "2KiB"' page/runs/*.json | xargs grep -l '"workload": "bfs"')
    sed -n '/^  "reuse": \[/,/^  \],*$/p' run.json | tr -d ' \n' | sed 's/,*$//' >own.txt
    [ "$(sed -n '/^  "reuse": \[/,/^  \],*$/p' "$raw" | tr -d ' \n' | sed 's/,*$//' | wc -c)" = "$(wc -c <own.txt)" ] || complain "other rows in the raw result"
fi

sed 's/plot: instructions}/plot: instructions, metric: cycles, sets: [one]}/' reuse.yaml >wrong.yaml
run_program sweep wrong.yaml --dry-run
check_status 2
grep -q "'metric' in a figure with 'plot: instructions', which has none" err.txt || complain "a metric is not refused"
grep -q "'sets' in a figure with 'plot: instructions', which has none" err.txt || complain "sets are not refused"
finish
