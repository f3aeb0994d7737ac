# core.criticality: cpl, core.scheduler: gcaws, and warpwalk run --warp-times.
. "$WW_ROOT/tests/support/cli.sh"

base="bfs --size tiny -m gtx480-cawa"
cpl="-s core.scheduler=gcaws -s core.criticality=cpl"
stat() { sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" "$2"; }

expect_error 2 "-s core.scheduler=gcaws: core.scheduler is gcaws, and core.criticality is none (a policy that predicts: cpl)" \
    run $base -s core.scheduler=gcaws
expect_error 2 "-s core.cpl_reading=cfg: has no effect while core.criticality is none" \
    run $base -s core.cpl_reading=cfg
expect_error 2 "-s core.cpl_reading=cfg: has no effect while core.criticality is profiled" \
    run $base -s core.criticality=profiled -s core.cpl_reading=cfg
expect_error 2 "-s core.critical_warps=top: has no effect while core.criticality is none" \
    run $base -s core.critical_warps=top
expect_error 2 "-s core.cpl_reading=exact: core.cpl_reading is 'exact' (one of remaining, literal, cfg is needed)" \
    run $base -s core.criticality=cpl -s core.cpl_reading=exact

# Every reading predicts; the accuracy is its share of samples. Without a policy nothing is counted.
for reading in remaining literal cfg; do
    run_program run $base $cpl -s core.cpl_reading=$reading --json $reading.json
    check_status 0
    awk -v all="$(stat core.criticality_samples $reading.json)" -v slow="$(stat core.criticality_slow $reading.json)" \
        -v share="$(stat core.criticality_accuracy $reading.json)" \
        'BEGIN { exit !(all > 0 && slow <= all && share > slow / all - 1e-6 && share < slow / all + 1e-6) }' ||
        complain "$reading: the accuracy is not the share of slow samples"
done
run_program run $base --json off.json
grep -q 'core.criticality_' off.json && complain "accuracy without predictions"
# Nobody asks: the same cycles.
run_program run $base -s core.criticality=cpl --json asked.json
[ "$(stat cycles off.json)" = "$(stat cycles asked.json)" ] || complain "a prediction that nobody uses changes the cycles"
# With an oracle's times: the first pass has no criticality.
run_program run $base -s core.scheduler=gcaws -s core.criticality=profiled -s host.first_pass_cache=none
check_status 0

# A row for each warp, and their times are the statistic.
run_program run $base $cpl --warp-times warps.csv --json seen.json
check_status 0
head -1 warps.csv | grep -qx 'launch,group,warp,compute_unit,wave,start,cycles' || complain "another head of the CSV"
sum=$(awk -F, 'NR > 1 { sum += $7 } END { print sum + 0 }' warps.csv)
[ "$sum" = "$(stat core.warp_lifetime seen.json)" ] || complain "$sum cycles of warps, not core.warp_lifetime"
[ "$(awk 'END { print NR - 1 }' warps.csv)" = "$(stat core.warps seen.json)" ] || complain "not a row for each warp"
for file in remaining seen; do grep -v '"host_\|host_second' $file.json >$file.txt; done
cmp remaining.txt seen.txt >&2 || complain "--warp-times changes the result"
run_program run $base $cpl --warp-times -
cmp out.txt warps.csv >&2 || complain "--warp-times - is another table"
expect_error 2 "--timeline and --warp-times are both 'x' (each needs a file of its own)" \
    run $base --timeline x --warp-times x

# Waves: two groups fit, six run, each for as long as the others that started with it.
cat >waves.cl <<'KERNEL'
__kernel void waves(__global uint *p) { p[get_global_id(0)] = 1; }
KERNEL
cat >waves.yaml <<'LAUNCH'
kernel: waves.cl
buffers: {p: {type: u32, count: 384}}
launches:
  - {entry: waves, global: [384], local: [64], args: [p]}
  - {entry: waves, global: [64], local: [64], args: [p]}
LAUNCH
run_program run waves.yaml -m gtx480-cawa -s gpu.compute_units=1 -s core.groups=2 --warp-times waves.csv
check_status 0
awk -F, 'NR > 1 { print $1, $2, $5 }' waves.csv | sort -u >seen.txt
printf '%s\n' '1 0 1' '1 1 1' '1 2 2' '1 3 2' '1 4 3' '1 5 3' '2 0 1' >wanted.txt
cmp seen.txt wanted.txt >&2 || complain "other waves"

# The command of docs/timing.md, on two groups: of the first, 1 was faster than the mean and is the slowest now; of the
# second another slow warp is.
head=launch,group,warp,compute_unit,wave,start,cycles
printf '%s\n' $head 1,0,0,0,1,0,90 1,0,1,0,1,0,10 1,1,0,0,2,0,50 1,1,1,0,2,0,40 1,1,2,0,2,0,10 >rr.csv
printf '%s\n' $head 1,0,0,0,1,0,60 1,0,1,0,1,0,70 1,1,0,0,2,0,30 1,1,1,0,2,0,45 1,1,2,0,2,0,10 >blk.csv
sed -n '/^    \$ awk -F, .FNR/,/blk.csv$/s/^    \(\$ \)*//p' "$WW_ROOT/docs/timing.md" >inversion.sh
sh inversion.sh | sort >seen.txt
printf '%s\n' 1,1,1,1,1 1,2,1,0,1 launch,wave,groups,inverted,changed >wanted.txt
cmp seen.txt wanted.txt >&2 || complain "other inversions"
finish
