# Workloads of the catalogue on the command line: sizes, results, wrong input.
. "$WW_ROOT/tests/support/cli.sh"

run_program exec atax --size tiny --json -
check_status 0
for line in '  "workload": "atax",' '  "size": "tiny",' '    "rows": 256,' '  "verified": true,' \
    '  "footprint": 265216,'; do
    grep -qxF "$line" out.txt || complain "no $line"
done
cp out.txt first.json
run_program exec atax --size tiny --json -
grep -v host_ out.txt >second.txt
grep -v host_ first.json | cmp -s - second.txt || complain "two runs differ"
run_program exec atax --size tiny --seed 2 --json -
check_status 0
run_program exec atax --size tiny --no-verify --json -
check_status 0
grep -qxF '  "verified": null,' out.txt || complain "verified although nobody looked"

expect_error 2 "no workload 'atex' in the catalogue (did you mean 'atax'?)" exec atex
expect_error 2 "--size: atax has no size 'isca19' (did you mean 'isca18'?)" exec atax --size isca19
expect_error 2 "--size: atax has no size 'huge' (tiny, small, isca18, cuptw, or PARAMETER=VALUE,...)" exec atax --size huge
expect_error 2 "--size: rows is '70000' (a whole number from 1 to 65536 is needed)" \
    exec atax --size rows=70000
expect_error 2 "--size: 'tiny' (a launch file has no named sizes: PARAMETER=VALUE is needed)" \
    exec "$WW_ROOT/examples/vadd/vadd.yaml" --size tiny

# The catalogue's kernels are part of the program: no compiler is needed.
PATH=/nowhere run_program exec atax --size tiny
check_status 0

# A limit ends the run without a verdict.
run_program exec atax --size tiny --max-instructions 100 --json -
check_status 1
grep -qxF '  "complete": false,' out.txt || complain "complete after a limit"
grep -qxF '  "verified": null,' out.txt || complain "a verdict after a limit"
finish
