# Some sweeps of a study alone: their runs, their figures, and the rest later without repeating anything.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db ./*.db.work

cat >parts.yaml <<'YAML'
machine: gtx480-cawa
size: tiny
workloads: [backprop, hotspot]
variants: {rr: {core.scheduler: rr}, gto: {core.scheduler: gto}}
sweeps:
  first: {}
  second: {workloads: [hotspot], axes: {l1d.size: [32KiB, 64KiB]}}
metrics: {speedup: "cycles[rr] / cycles"}
figures:
  fig1: {metric: speedup, sweep: first}
  fig2: {metric: speedup, sweep: second, columns: l1d.size, where: {variant: gto}}
YAML

expect_error 2 "--sweep 'third': parts has no such sweep (first, second)" sweep parts.yaml --sweep third
[ ! -e parts.db ] || complain "a wrong name made a database"
run_program sweep parts.yaml --sweep second --dry-run
check_status 0
[ "$(wc -l <out.txt)" -eq 4 ] || complain "not 4 runs"
grep -qv hotspot out.txt && complain "runs of another sweep"
grep -q '4 points, 4 different runs' err.txt || complain "counts of another sweep"

run_program sweep parts.yaml --sweep first
check_status 0
grep -q '4 points, 4 different runs, 0 of them done before' err.txt || complain "not the first sweep"
grep -qxF '8 runs: 4 done, 0 failed, 4 to be made' out.txt || complain "not four of eight"
grep -qx 'fig1' out.txt || complain "no figure of the first sweep"
grep -qx 'fig2' out.txt && complain "a figure without values"
grep -qxF '1 of 2 figures waits for runs that are not made' out.txt || complain "silent about figures"

run_program sweep parts.yaml
check_status 0
grep -q '8 points, 8 different runs, 4 of them done before' err.txt || complain "runs are repeated"
grep -qxF '8 runs: 8 done, 0 failed, 0 to be made' out.txt || complain "not all done"
grep -qx 'fig2' out.txt || complain "no second figure"
run_program sweep parts.yaml --sweep first --sweep second
grep -q '8 points, 8 different runs, 8 of them done before' err.txt || complain "not both sweeps"
finish
