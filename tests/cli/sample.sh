# warpwalk run --sample: some launches and groups are timed; the interval has the truth; what is refused.
. "$WW_ROOT/tests/support/cli.sh"

value() { sed -n "s/^ *\"$1\": \([0-9.e-]*\),*\$/\1/p" "$2" | head -n 1; }
near() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a - b; d = d < 0 ? -d : d; exit !(d <= p / 100 * b) }'; }

# Launches that are alike: a few of them are timed.
srad="srad --size rows=64,columns=64,iterations=20 -m gtx480-cawa -s l1d.invalidate=true"
run_program run $srad --json -
check_status 0
cp out.txt whole.json
run_program run $srad --sample --json -
check_status 0
cp out.txt sample.json
truth=$(value cycles whole.json)
[ "$(value low sample.json)" -le "$truth" ] && [ "$truth" -le "$(value high sample.json)" ] ||
    complain "the interval $(value low sample.json) to $(value high sample.json) does not have $truth"
near "$(value cycles sample.json)" "$truth" 3 || complain "$(value cycles sample.json), not $truth"
[ "$(value launches sample.json)" = 102 ] || complain "not all launches were counted"
[ "$(value timed sample.json)" -lt 60 ] || complain "most launches were timed"
grep -qxF '  "verified": true,' sample.json || complain "a sampled run was not verified"
[ "$(value exec.warp_instructions sample.json)" = "$(value exec.warp_instructions whole.json)" ] ||
    complain "instructions of launches that were not timed are missing"
for key in core.instructions l1d.accesses l2.accesses; do
    near "$(value $key sample.json)" "$(value $key whole.json)" 2 || complain "$key is not scaled"
done
grep -q '"cycles": null' sample.json || complain "launches that were not timed have cycles"

# The same seed gives the same result, another one another sample.
run_program run $srad --sample --json -
grep -v host_ out.txt >again.txt
grep -v host_ sample.json | cmp -s - again.txt || complain "two runs differ"
run_program run $srad --sample
grep -q 'cycles ± [0-9.]*% (95%)' out.txt || complain "the summary has no interval"
grep -q 'a sample: [0-9]* of 102 launches were timed' out.txt || complain "the summary does not say what was timed"
grep -q 'not timed' out.txt || complain "the table of launches does not say what was not timed"

# Caches and TLBs are warmed by launches that are not timed: `read` finds what `sweep` has left of its
# buffer, which is little, and not what a `read` before it left.
cat >turns.cl <<'C'
kernel void read(global const float *x, global float *y, uint n)
{
    float sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i];
    y[get_global_id(0)] = sum;
}
kernel void sweep(global const float *x, global float *y, uint n)
{
    float sum = 1;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i];
    y[get_global_id(0)] = sum;
}
C
{
    printf 'kernel: turns.cl\nbuffers:\n  a: {type: f32, count: 65536, fill: 1}\n'
    printf '  b: {type: f32, count: 524288, fill: 1}\n  y: {type: f32, count: 2048}\nlaunches:\n'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        printf '  - {entry: read, global: [2048], local: [64], args: [a, y, {u32: 65536}]}\n'
        printf '  - {entry: sweep, global: [2048], local: [64], args: [b, y, {u32: 524288}]}\n'
    done
} >turns.yaml
turns="turns.yaml -m apu-isca18"
run_program run $turns --json -
check_status 0
cp out.txt whole.json
run_program run $turns --sample --json -
check_status 0
near "$(value cycles out.txt)" "$(value cycles whole.json)" 2 ||
    complain "turns: $(value cycles out.txt), not $(value cycles whole.json)"
near "$(value l2.hits out.txt)" "$(value l2.hits whole.json)" 5 || complain "the L2 was not warmed"
near "$(value walk.count out.txt)" "$(value walk.count whole.json)" 5 || complain "TLBs were not warmed"
[ "$(value timed out.txt)" -lt 20 ] || complain "most turns were timed"

# Nothing is alike: all is timed, and the result is exact.
run_program run bfs --size tiny --json -
cp out.txt whole.json
run_program run bfs --size tiny --sample --json -
near "$(value cycles out.txt)" "$(value cycles whole.json)" 3 || complain "bfs: $(value cycles out.txt)"

# What is refused, in one line.
refuse() { # TEXT OPTION...
    expected=$1
    shift
    run_program run atax --size tiny "$@"
    check_status 2
    grep -qF -- "$expected" err.txt || complain "'$*' was not refused with '$expected'"
    [ "$(wc -l <err.txt)" = 1 ] || complain "'$*' was refused in more than a line"
}
refuse "--sample: 'error=2' (error=E and confidence=C are possible" --sample=error=2
refuse "--sample: 'often' (" --sample=often
refuse "--sample with --region: " --sample --region measure=1000
refuse "--sample with --timeline: " --sample --timeline t.json
refuse "--sample with --trace: " --sample --trace warp=0.0
refuse "--sample with a policy that needs a first pass: " --sample -m gtx480-cawa -s l1d.invalidate=true -s core.scheduler=caws_blk
refuse "--sample with paging.mode other than resident: " --sample -m fermi-paged -s paging.mode=demand
refuse "--sample with l1d.invalidate=false: " --sample -m gtx480-cawa
refuse "--sample with l1d.reuse_distance: " --sample -s l1d.reuse_distance=true
finish
