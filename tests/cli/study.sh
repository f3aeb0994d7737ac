# Studies from the file to the report: points that share runs, figures, failures, limits, one runner at a time.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db ./*.db.work

cat >mine.yaml <<'END'
doc: two programs, two schedulers, two sizes of the L1
machine: gtx480-cawa
size: tiny
workloads: [backprop, {name: hotspot, label: hot}]
sets: {both: [backprop, hot]}
variants:
  rr:  {core.scheduler: rr}
  gto: {core: {scheduler: gto}}
axes:
  l1: {l1d.size: [16KiB, 32KiB], l1d.ways: [4, 8], labels: [little, large]}
metrics:
  speedup: cycles[rr] / cycles
  saved: {value: "cycles[l1=little] - cycles", unit: cycles, fold: sum}
figures:
  fig1:
    title: a greedy scheduler
    metric: speedup
    where: {l1: little}
    sets: [both]
    references:
      - {row: both, column: gto, value: 1.05, source: "nobody, 2020, figure 1"}
      - {row: hot, column: gto, low: 1, high: 1.5, source: "nobody, 2020, section 2", note: read off}
  fig2: {metric: saved, rows: l1, columns: variant, over: both}
  fig3:
    metric: [saved, speedup]
    rows: variant
    where: {l1: little}
    references: [{row: gto, column: speedup, low: 1.1, source: us}, {row: rr, column: saved, high: 9, source: us}]
END

# The list of runs is that of the command lines, and each works alone.
run_program sweep mine.yaml --dry-run
check_status 0
[ "$(wc -l <out.txt)" -eq 8 ] || complain "not 8 runs"
[ ! -e mine.db ] || complain "a dry run made a database"
cut -d' ' -f3- out.txt >commands.txt
sed -n 3p commands.txt >third.txt
echo 'warpwalk run backprop -m gtx480-cawa -s core.scheduler=gto -s l1d.size=16KiB -s l1d.ways=4 --size tiny --seed 1' |
    diff - third.txt || complain "another command"
run_program $(cut -d' ' -f2- third.txt) --json alone.json
check_status 0
cycles=$(sed -n '/"region"/q; s/^  "cycles": \([0-9]*\),$/\1/p' alone.json)

run_program sweep mine.yaml --jobs 2
check_status 0
cp out.txt report.txt
grep -qxF '8 runs: 8 done, 0 failed, 0 to be made' out.txt || complain "not all done"

# Of pages it speaks only where it can make them.
pages=yes
"$WARPWALK" report mine.db --html page 2>pages.txt || pages=no
[ $pages = yes ] || grep -q 'was built without node_modules/' pages.txt || complain "no page"
last_line() {
    if [ $pages = yes ]; then
        echo "all of it is in $1: warpwalk report $2 --html DIR makes a page"
    else
        echo "all of it is in $1"
    fi
}
grep -qxF "$(last_line mine.db mine.db)" err.txt || complain "another last line"
grep -q replaces err.txt && complain "a new study replaces none"

# Both streams in one file: what comes last is said last. The command for a page can be pasted.
"$WARPWALK" sweep mine.yaml --db "a b.db" >both.txt 2>&1
tail -n 1 both.txt | grep -qxF "$(last_line 'a b.db' "'a b.db'")" ||
    complain "not the last line"
"$WARPWALK" sweep mine.yaml --dry-run >both.txt 2>&1
tail -n 1 both.txt | grep -qxF '8 points, 8 different runs, of which mine.db has 8' || complain "not the last line"
grep -qE '^both +1.000 +[01]\.[0-9]{3} \[1.050\]$' out.txt || complain "no published value"
grep -qE '^hot +1.000 +[01]\.[0-9]{3} \[1.000\.\.1.500\]$' out.txt || complain "no published range"
grep -qE '^both, gto: (agrees|differs|direction only): [01]\.[0-9]{3}, published 1.050 \([-+]?[0-9]+%\) \[nobody, 2020, figure 1\]$' out.txt ||
    complain "no verdict"
grep -qE '^little +0 +0$' out.txt || complain "nothing saved against itself"
grep -qxF 'saved in cycles; of several workloads: sum' out.txt || complain "no word of the first metric"
grep -qxF 'speedup; of several workloads: geometric mean' out.txt || complain "no word of the second metric"
grep -qE '^variant +saved +speedup$' out.txt || complain "metrics are no columns"
grep -qE '^rr +0 \[<9\] +1.000$' out.txt || complain "no upper bound"
grep -qE '^gto +0 +[01]\.[0-9]{3} \[>1.100\]$' out.txt || complain "no lower bound"
[ ! -e mine.db.work ] || complain "the work folder is still there"
[ ! -e mine.db-wal ] || complain "the journal is still there"
expect 0 report mine.db <report.txt

run_program report mine.db --csv
check_status 0
grep -q '^mine,fig1,speedup,both,gto,[0-9.]*,[0-9.]*,[0-9.]*,1.05,,,"nobody, 2020, figure 1",,[a-z ]*,,,[0-9a-z+]*,[0-9a-f]\{16\}$' out.txt ||
    complain "no such line"
grep -q '^mine,fig3,saved,rr,saved,0,0,0,,,9,us,,agrees,,,[0-9a-z+]*,[0-9a-f]\{16\}$' out.txt || complain "no line of a metric among several"
run_program report mine.db --json
check_status 0
grep -qF '"source": "nobody, 2020, section 2"' out.txt || complain "no source in JSON"

# Nothing is done twice; what a later study shares with an earlier one is there already.
run_program sweep mine.yaml --resume
check_status 0
grep -qxF 'mine: 8 points, 8 different runs, 8 of them done before; into mine.db' err.txt || complain "again?"
cat >other.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [backprop]
keys: {l1d.size: 16KiB, l1d.ways: 4, core.scheduler: gto}
axes: {core.two_level_active: [4, 8]}
END
run_program sweep other.yaml --db mine.db
check_status 0
grep -qxF 'other: 2 points, 1 different run, 1 of them done before; into mine.db' err.txt || complain "not found"
grep -qE "^backprop 4 +$cycles$" out.txt || complain "other cycles than alone"
[ "$(head -n 1 out.txt)" = other ] || complain "the report is of another study, too"
run_program report mine.db
check_status 0
grep -qxF 'mine: two programs, two schedulers, two sizes of the L1' out.txt && grep -qx other out.txt ||
    complain "not both studies"
grep -qxF 'on gtx480-cawa; sizes: tiny' out.txt || complain "no size"

# Metrics of metrics, of keys with their units and with what they leave open, and of one workload alone.
cat >keys.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads:
  - {name: backprop, metrics: {expected: "8 * config.l1d.size"}}
  - {name: hotspot, metrics: {expected: lines}}
axes: {l1d.size: [16KiB, 32KiB]}
metrics:
  lines: config.l1d.size / config.l1d.line
  expected: {doc: each workload has its own}
  more: expected[l1d.size=32KiB] / expected
  clocks: 1e-6 * config.gpu.clock + 1e-6 * config.dram.clock
  latency: 1e9 * config.dram.latency + config.dram.tcl + config.l1d.whole_lines
  cycles: 2 * cycles
figures:
  sizes: {metric: [lines, expected, more, clocks, latency], where: {l1d.size: 16KiB}, sets: [all]}
  cycles: {metric: cycles, columns: l1d.size}
END
run_program sweep keys.yaml --db mine.db
check_status 0
grep -qE '^backprop +128 +131072 +2 +1624 +156$' out.txt || complain "not the values of the keys"
grep -qE '^hotspot +128 +128 +2 +1624 +156$' out.txt || complain "not the workload's own metric"
grep -qE '^all +128 +4096 ' out.txt || complain "not the mean of both"
backprop=$(sed -n 's/^backprop  *\([0-9]*\)  *[0-9]*$/\1/p' out.txt)
run_program run backprop -m gtx480-cawa -s l1d.size=16KiB --size tiny --json alone.json
[ "$backprop" = $((2 * $(sed -n '/"region"/q; s/^  "cycles": \([0-9]*\),$/\1/p' alone.json))) ] ||
    complain "a metric's own name is not the statistic"

# Parameters of workloads: of the catalogue beside a size, and of a user's own launch file, whose sizes may follow the
# machine. The nearest wins.
mkdir -p own
cat >own/fill.cl <<'END'
kernel void fill(global int *a, int rounds)
{
    for (int i = 0; i < rounds; i++)
        a[get_global_id(0)] += i;
}
END
cat >own/fill.yaml <<'END'
kernel: fill.cl
parameters: {rounds: 1, items: =config.gpu.compute_units * 64, check: "=rounds * (rounds - 1) / 2"}
buffers: {a: {type: i32, count: =items}}
launches: [{entry: fill, global: [=items], local: [64], args: [a, {i32: =rounds}]}]
check: {a: {value: =check}}
END
cat >own/rounds.yaml <<'END'
machine: gtx480-cawa
workloads: [{name: fill.yaml, label: fill, parameter.rounds: 9}, {name: fwt, size: tiny, parameter.group: 128}]
variants: {few: {}, many: {gpu.compute_units: 30}}
sweeps:
  rounds: {workloads: [fill], axes: {parameter.rounds: [2, 4]}}
  size: {workloads: [fill, fwt]}
metrics: {items: parameter.items, rounds: parameter.rounds, group: parameter.group}
figures:
  rounds: {sweep: rounds, metric: rounds, rows: parameter.rounds}
  items: {sweep: rounds, metric: items, rows: parameter.rounds}
  group: {sweep: size, metric: group}
END
run_program sweep own/rounds.yaml --dry-run
check_status 0
cut -d' ' -f3- out.txt >commands.txt
diff - commands.txt <<'END' || complain "not the runs with their parameters"
warpwalk run own/fill.yaml -m gtx480-cawa --size rounds=2 --seed 1
warpwalk run own/fill.yaml -m gtx480-cawa --size rounds=4 --seed 1
warpwalk run own/fill.yaml -m gtx480-cawa -s gpu.compute_units=30 --size rounds=2 --seed 1
warpwalk run own/fill.yaml -m gtx480-cawa -s gpu.compute_units=30 --size rounds=4 --seed 1
warpwalk run own/fill.yaml -m gtx480-cawa --size rounds=9 --seed 1
warpwalk run own/fill.yaml -m gtx480-cawa -s gpu.compute_units=30 --size rounds=9 --seed 1
warpwalk run fwt -m gtx480-cawa --size tiny,group=128 --seed 1
warpwalk run fwt -m gtx480-cawa -s gpu.compute_units=30 --size tiny,group=128 --seed 1
END
cat >own/named.yaml <<'END'
machine: gtx480-cawa
workloads: [{name: fill.yaml, label: fill, size: "rounds=9"}, {name: fwt, size: small}]
END
run_program sweep own/named.yaml --dry-run --size tiny
cut -d' ' -f3- out.txt >commands.txt
diff - commands.txt <<'END' || complain "the name of a size changes a launch file"
warpwalk run own/fill.yaml -m gtx480-cawa --size rounds=9 --seed 1
warpwalk run fwt -m gtx480-cawa --size tiny --seed 1
END
run_program sweep own/rounds.yaml --db mine.db
check_status 0
grep -qE '^2 +2 +2$' out.txt && grep -qE '^4 +4 +4$' out.txt || complain "not the rounds"
grep -qE '^4 +960 +1920$' out.txt || complain "not the items of each machine"
grep -qE '^fwt +128 +128$' out.txt || complain "not the group of fwt"

# A study that takes the place of another one of its name says so, once; the format of numbers is that of their metric.
cat >formats.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [backprop]
axes: {l2.ways: [8, 16]}
metrics:
  cycles: {value: cycles, doc: cycles, unit: cycles}
  whole: {value: "cycles * 0 + config.l2.ways * 100", doc: hundreds}
  part: {value: "config.l2.ways * 1.53125"}
  large: {value: "config.l2.ways * 187.53125"}
figures:
  f: {metric: [cycles, whole, part, large], rows: l2.ways, references: [{row: "8", column: whole, value: 5000, source: us}]}
END
run_program sweep formats.yaml --db formats.db
check_status 0
grep -qxF cycles out.txt || complain "a name that is repeated"
grep -qxF 'whole (hundreds)' out.txt || complain "no doc"
grep -qE '^8 +[0-9]+ +800 \[5000\] +12.250 +1500$' out.txt || complain "not one format for a metric"
grep -qE '^16 +[0-9]+ +1600 +24.500 +3000$' out.txt || complain "not one format for a metric"
mkdir -p elsewhere
{ cat formats.yaml; echo 'name: formats'; } >elsewhere/mine.yaml
cp formats.yaml elsewhere/formats.yaml
replaces() {
    run_program sweep "$@" --db formats.db
    check_status 0
    sed -n 's/^formats: replaces the study of this name //p' err.txt
}
[ "$(replaces elsewhere/formats.yaml)" = "" ] || complain "the same study is not replaced"
[ "$(replaces elsewhere/mine.yaml)" = "from elsewhere/formats.yaml without --size (its runs stay)" ] ||
    complain "no word of another file"
[ "$(replaces elsewhere/mine.yaml --size tiny)" = "from elsewhere/mine.yaml without --size (its runs stay)" ] ||
    complain "no word of another size"
[ "$(replaces elsewhere/mine.yaml --size tiny)" = "" ] || complain "the same size is not replaced"
[ "$(replaces elsewhere/mine.yaml)" = "from elsewhere/mine.yaml with --size tiny (its runs stay)" ] ||
    complain "no word of the old size"

# Every built-in study is right.
for file in "$WW_ROOT"/studies/*.yaml; do
    run_program study "$(basename "$file" .yaml)" --dry-run
    check_status 0
done

# Failures are recorded and do not stop the rest.
cat >bad.cl <<'END'
kernel void bad(global int *a) { a[1 << 20] = 1; }
END
cat >bad.yaml <<'END'
kernel: bad.cl
buffers: {a: {type: i32, count: 4}}
launches: [{entry: bad, global: [1], local: [1], args: [a]}]
END
cat >failing.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [backprop, bad.yaml, hotspot]
axes: {l1: {l1d.size: [16KiB], l1d.ways: [4], labels: [small]}, l2.ways: [8]}
END
for way in "" --resume; do
    run_program sweep failing.yaml --jobs 1 $way
    check_status 1
    grep -qxF '3 runs: 2 done, 1 failed, 0 to be made' out.txt || complain "not one failure"
    grep -q '^  bad.yaml base l1=small l2.ways=8 seed 1: exit status 1: ' out.txt || complain "no reason"
    grep -qxF '1 run failed (the report lists them)' err.txt || complain "no last line"
done
grep -qxF 'failing: 3 points, 3 different runs, 2 of them done before; into failing.db' err.txt ||
    complain "a failure counts as done"
run_program report failing.db --json
grep -q '"message": ".*out of bounds.*[^n]"' out.txt || complain "no message, or one that ends with a line break"

# Limits of a run.
cat >limited.yaml <<'END'
machine: gtx480-cawa
size: small
limits: {memory: 1MiB}
workloads: [atax]
END
run_program sweep limited.yaml
check_status 1
grep -q 'over the study.s limit of memory' out.txt || complain "no limit"
grep -qxF '1 run: 0 done, 1 failed, 0 to be made' out.txt || complain "one run in the plural"
[ ! -e limited.db.work ] || complain "the work folder is still there"

# A signal ends the processes; what is stored stays, and the same command continues.
cat >long.yaml <<'END'
machine: gtx480-cawa
size: small
workloads: [{name: backprop, size: tiny}, atax, bicg]
seeds: [1, 2, 3, 4]
END
command="sweep with a signal"
"$WARPWALK" sweep long.yaml --jobs 1 >out.txt 2>err.txt &
runner=$!
until grep -q '^\[1/12\]' err.txt; do sleep 0.02; done
kill -TERM $runner
status=0
wait $runner || status=$?
check_status 143
[ ! -s out.txt ] || complain "a report all the same"
tail -n 1 err.txt | grep -qE '^interrupted: (1 more run is|[2-9] more runs are) stored \(the same command continues\)$' || complain "no word"
[ ! -e long.db.work ] || complain "the work folder is still there"
expect_line '12 runs: 12 done, 0 failed, 0 to be made' sweep long.yaml --size tiny --resume
grep -q '^long: 12 points, 12 different runs, [1-4] of them done before' err.txt || complain "nothing was kept"

# A mean over seeds is inside of their spread, whatever rounding does to it (three times 0.1 is more than 0.3).
cat >tenth.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [backprop]
seeds: [1, 2, 3]
metrics: {tenth: 0.1 + 0 * cycles, large: 2e203 + 0 * cycles, over: 2e203 * large}
figures: {a: {metric: tenth}, b: {metric: [large, over], rows: workload},
          c: {metric: tenth, columns: seed}}
END
run_program sweep tenth.yaml
check_status 0
grep -qx 'tenth; by seed; of several workloads: geometric mean' out.txt || complain "no word of what the columns are"
grep -qx 'backprop  2e+203  -' out.txt || complain "not a large number, and none that is too large"
run_program report tenth.db --csv
grep -q '^tenth,a,tenth,backprop,base,0.1,0.1,0.1,,,,,,,,,[0-9a-z+]*,[0-9a-f]*$' out.txt || complain "not a tenth"

# A damaged database is told from an empty one, and from somebody else's.
cp mine.db damaged.db
dd if=/dev/urandom of=damaged.db bs=4096 seek=1 count=8 conv=notrunc 2>/dev/null
run_program report damaged.db
check_status 1
grep -q '^damaged.db: the database is damaged: ' err.txt || complain "damage is not seen"
: >empty.db
expect_error 2 "empty.db: a database, but not of warpwalk results" report empty.db

# A second runner is refused while a lock is held; a folder that cannot be written to is said.
if command -v flock >/dev/null; then
    mkdir mine2.db.work
    : >mine2.db.work/lock
    command="sweep with a lock"
    status=0
    flock mine2.db.work/lock "$WARPWALK" sweep mine.yaml --db mine2.db >out.txt 2>err.txt || status=$?
    check_status 1
    [ ! -e mine2.db ] || complain "a database all the same"
    grep -q '^mine2.db: another warpwalk makes runs into this database' err.txt || complain "not refused"
fi
: >mine3.db.work
run_program sweep mine.yaml --db mine3.db
check_status 2
grep -q '^mine3.db.work: ' err.txt || complain "no word of the folder"
finish
