# Hints about buffers: --hint, `hints` of launch files and of studies; what they change in results and what is refused.
. "$WW_ROOT/tests/support/cli.sh"

# The hints of the last result, on one line; nothing: it has none.
hints() { sed -n '/^  "hints": {/,/^  },*$/p' out.txt | tr -d ' \n'; }
expect_hints() {
    check_status 0
    [ "$(hints)" = "$1" ] || complain "hints are $(hints), not $1"
}

# Advice changes nothing where no pages move, but it is in the result.
run_program run atax --size tiny --json -
expect_hints ''
grep -v host_ out.txt >plain.txt
run_program run atax --size tiny --hint '*=preferred:gpu' --hint 'A=preferred:host,accessed_by' \
    --hint 'x=read_mostly tmp=preferred:none,prefetch' --json -
expect_hints '"hints":{"A":{"preferred":"host","accessed_by":"gpu"},"x":{"preferred":"gpu","read_mostly":true},"tmp":{"prefetch":true},"y":{"preferred":"gpu"}},'
cp out.txt hinted.json
sed '/^  "hints": {/,/^  },*$/d' out.txt | grep -v host_ | cmp -s - plain.txt || complain "hints changed something else"

expect_error 2 '--hint: atax has no buffer '"'B' (one of: A, x, tmp, y)" run atax --size tiny --hint B=prefetch
expect_error 2 "--hint: 'A' (BUFFER=HINT is needed, such as a=preferred:host)
--hint: unknown hint 'fetch' (one of: preferred, accessed_by, read_mostly, prefetch)
--hint: 'preferred' is 'cpu' (one of: none, host, gpu)" \
    run atax --size tiny --hint A --hint A=fetch --hint x=preferred:cpu
expect_error 2 "unknown option '--hint' ('warpwalk help exec' shows the options)" exec atax --hint A=prefetch

# Launch files, with a symbol.
cat >k.cu <<'EOF'
__device__ int total;
extern "C" __global__ void k(int *a) { a[threadIdx.x] += total; }
EOF
cat >k.yaml <<'EOF'
kernel: k.cu
buffers:
  a: {type: i32, count: 32, fill: iota, hints: {preferred: host, accessed_by: gpu, prefetch: true}}
symbols:
  total: {type: i32, fill: [5], hints: {read_mostly: true}}
launches:
  - {entry: k, global: 32, local: 32, args: [a]}
EOF
run_program run k.yaml --json -
expect_hints '"hints":{"a":{"preferred":"host","accessed_by":"gpu","prefetch":true},"total":{"read_mostly":true}},'
run_program run k.yaml --hint a=prefetch:false,preferred:gpu --hint total=read_mostly:false --json -
expect_hints '"hints":{"a":{"preferred":"gpu","accessed_by":"gpu"}},'
expect_error 2 "--hint: k.yaml has no buffer 'b' (one of: a, total)" run k.yaml --hint b=prefetch
sed 's/preferred: host/prefered: host/; s/read_mostly: true/read_mostly: often/' k.yaml >wrong.yaml
expect_error 2 "wrong.yaml:3:49: unknown hint 'prefered' (one of: preferred, accessed_by, read_mostly, prefetch)
wrong.yaml:5:54: 'read_mostly' is 'often' (one of: false, true)" run wrong.yaml

# Comparisons name them.
cp hinted.json a.json
sed '/^  "hints": {/,/^  },*$/d' hinted.json >b.json
run_program compare a.json b.json
grep -qx 'The hints about buffers differ.' out.txt || complain "no word about hints"
run_program compare a.json a.json
grep -q 'hints' out.txt && complain "a word about hints that are the same"

# Studies: points with other hints are other runs.
cat >s.yaml <<'EOF'
size: tiny
workloads: [atax]
variants:
  plain: {}
  host: {hints: A=preferred:host}
axes:
  moved: {hints: [none, "*=prefetch"]}
metrics: {cycles: cycles}
EOF
run_program sweep s.yaml --dry-run
check_status 0
sed -n 's/^[0-9a-f]*  //p' out.txt >got.txt
cat >want.txt <<'EOF'
warpwalk run atax -m apu-isca18 --size tiny --seed 1
warpwalk run atax -m apu-isca18 --size tiny --hint '*=prefetch:true' --seed 1
warpwalk run atax -m apu-isca18 --size tiny --hint A=preferred:host --seed 1
warpwalk run atax -m apu-isca18 --size tiny --hint 'A=preferred:host *=prefetch:true' --seed 1
EOF
diff -u want.txt got.txt >&2 || complain "other runs than wanted"
run_program sweep s.yaml --db s.db
check_status 0
grep -q '4 points, 4 different runs' err.txt || complain "another number of runs"
sed 's/A=preferred:host/A=preferred/' s.yaml >wrong.yaml
expect_error 2 "wrong.yaml:5:17: 'preferred' is '' (one of: none, host, gpu)" sweep wrong.yaml --dry-run

finish
