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
expect_error 2 "-s core.cpl_reading=exact: core.cpl_reading is 'exact' (one of remaining, literal, cfg, counter is needed)" \
    run $base -s core.criticality=cpl -s core.cpl_reading=exact

# Every reading predicts; the accuracy is its share of samples. Without a policy nothing is counted.
for reading in remaining literal cfg counter; do
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

# The statistics are what the rows of the warps say: of waves of one, of inversions against the first pass under rr.
large="bfs --size tiny -m gtx480-cawa -s gpu.compute_units=2 -s core.groups=2"
run_program run $large -s core.scheduler=rr --warp-times rr.csv --json rr.json
check_status 0
run_program run $large -s core.scheduler=caws_blk --warp-times blk.csv --json blk.json
check_status 0
sh inversion.sh | awk -F, 'NR > 1 { groups += $3; inverted += $4; changed += $5; if ($2 == 1) { first += $3; early += $4 } }
    END { print groups, inverted, changed, first, early }' >seen.txt
echo "$(stat core.group_compared blk.json) $(stat core.group_inverted blk.json) $(stat core.group_changed blk.json)" \
    "$(stat core.first_wave_compared blk.json) $(stat core.first_wave_inverted blk.json)" >wanted.txt
cmp seen.txt wanted.txt >&2 || complain "statistics of inversion are not those of the rows: $(cat wanted.txt), not $(cat seen.txt)"
read -r groups inverted rest <seen.txt
[ "$inverted" -gt 0 ] && [ "$inverted" -lt "$groups" ] || complain "the test sees no inversion"
[ "$(stat core.first_wave_count blk.json)" -lt "$groups" ] || complain "the test sees one wave"
[ "$(stat core.group_compared rr.json)" = 0 ] || complain "compared without a first pass"
# Under any scheduler, on demand; rr is as it was under rr. An oracle has its own first pass.
run_program run $large -s core.scheduler=gto -s core.inversion=true --json gto.json
check_status 0
[ "$(stat core.group_compared gto.json)" = "$groups" ] || complain "gto is not compared"
[ "$(stat core.group_changed gto.json)" -gt 0 ] || complain "gto changes nothing"
run_program run $large -s core.scheduler=rr -s core.inversion=true --json same.json
[ "$(stat core.group_compared same.json) $(stat core.group_inverted same.json) $(stat core.group_changed same.json)" = "$groups 0 0" ] ||
    complain "rr is not as in the first pass under rr"
run_program run $large -s core.scheduler=caws_blk -s core.inversion=true --json both.json
[ "$(stat core.group_inverted both.json)" = "$inverted" ] || complain "an oracle is compared with another first pass"
awk -F, 'FNR > 1 { g = $1 "," $2; n[g]++; sum[g] += $7
                   if (!(g in most) || $7 > most[g]) most[g] = $7
                   if (!(g in least) || $7 < least[g]) least[g] = $7 }
    END { for (g in n) { groups++; slowest += most[g]; fastest += least[g]; mean += sum[g] / n[g]; disparity += 1 - least[g] / most[g] }
          printf "%d %d %.3f %.6f\n", slowest, fastest, mean, disparity / groups }' rr.csv >seen.txt
printf '%d %d %.3f %.6f\n' "$(stat core.group_slowest rr.json)" "$(stat core.group_fastest rr.json)" \
    "$(stat core.group_mean rr.json)" "$(stat core.group_disparity rr.json)" >wanted.txt
cmp seen.txt wanted.txt >&2 || complain "statistics of disparity are not those of the rows: $(cat wanted.txt), not $(cat seen.txt)"
# One wave, and no store in flight at its end: the first wave is the launch.
run_program run waves.yaml -m gtx480-cawa -s gpu.compute_units=1 -s core.groups=8 --json one.json
run_program run waves.yaml -m gtx480-cawa -s gpu.compute_units=1 -s core.groups=2 --warp-times waves.csv --json three.json
awk -F, 'NR > 1 && $5 == 1 { if (!($1 in first) || $6 < first[$1]) first[$1] = $6; if ($6 + $7 > end[$1]) end[$1] = $6 + $7 }
    END { print end[1] - first[1] + end[2] - first[2] }' waves.csv >seen.txt
# A launch begins one cycle before its first warp can issue.
echo $(($(stat core.first_wave_cycles three.json) - 2)) >wanted.txt
cmp seen.txt wanted.txt >&2 || complain "other cycles of first waves: $(cat wanted.txt), not $(cat seen.txt)"
[ "$(stat core.first_wave_cycles three.json)" -lt "$(stat core.first_wave_cycles one.json)" ] || complain "three waves are one"
finish
