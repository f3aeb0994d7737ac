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
head=launch,group,warp,compute_unit,wave,start,cycles,scheduling,synchronisation,fetch,control,data_hazard,data_cache,structural,mshr,execution
head -1 warps.csv | grep -qx $head || complain "another head of the CSV"
sum=$(awk -F, 'NR > 1 { sum += $7 } END { print sum + 0 }' warps.csv)
[ "$sum" = "$(stat core.warp_lifetime seen.json)" ] || complain "$sum cycles of warps, not core.warp_lifetime"
awk -F, 'NR > 1 { sum = 0; for (i = 8; i <= NF; i++) sum += $i; if (sum != $7 || NF != 16) exit 1 }' warps.csv ||
    complain "cycles by cause are not a warp's cycles"
column=8
for cause in $(echo $head | cut -d, -f8- | tr , ' '); do
    sum=$(awk -F, -v c=$column 'NR > 1 { sum += $c } END { print sum + 0 }' warps.csv)
    [ "$sum" = "$(stat core.warp_$cause seen.json)" ] || complain "$sum cycles of $cause, not core.warp_$cause"
    column=$((column + 1))
done
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

# The statistics are what the rows of the warps say: of waves of one, of inversions against the first pass under rr.
large="bfs --size tiny -m gtx480-cawa -s gpu.compute_units=2 -s core.groups=2"
run_program run $large -s core.scheduler=rr --warp-times rr.csv --json rr.json
check_status 0
run_program run $large -s core.scheduler=caws_blk --warp-times blk.csv --json blk.json
check_status 0
# From the rows of two runs: launch, wave, groups, inversions, other slowest warps.
awk -F, 'FNR == 1 { file++; next }
    { g = $1 "," $2; if ($7 > most[file, g]) { most[file, g] = $7; slowest[file, g] = $3 } }
    file == 1 { time[g, $3] = $7; sum[g] += $7; warps[g]++ }
    file == 2 { wave[g] = $1 "," $5 }
    END { for (g in wave) { w = wave[g]; s = slowest[2, g]; groups[w]++; inverted[w] += time[g, s] < sum[g] / warps[g]
                            changed[w] += time[g, s] < most[1, g] }
          for (w in groups) print w "," groups[w] "," inverted[w] "," changed[w] }' rr.csv blk.csv | sort >waves.txt
awk -F, '{ groups += $3; inverted += $4; changed += $5; if ($2 == 1) { first += $3; early += $4 } }
    END { print groups, inverted, changed, first, early }' waves.txt >seen.txt
# The result has the same.
list() { sed -n "/^  \"$1\": \[/,/^  \]/p" "$2" | tr -d ' \n' | sed 's/},{/\n/g'; }
number() { sed "s/.*\"$1\":\([0-9.a-z]*\).*/\1/"; }
list waves blk.json >rows.txt
for name in launch wave groups inverted changed; do number $name <rows.txt >$name.txt; done
paste -d, launch.txt wave.txt groups.txt inverted.txt changed.txt | sort >of_result.txt
cmp of_result.txt waves.txt >&2 || complain "other waves in the result than in the rows of warps"
for name in critical critical_before; do
    sum=$(number $name <rows.txt | awk '{ sum += $1 } END { print sum }')
    [ "$sum" = "$(stat core.group_$name blk.json)" ] || complain "$name of all waves is $sum"
done
# A launch begins one cycle before its first warp can issue.
number cycles <rows.txt | paste -d, launch.txt wave.txt - | sort >cycles_of_result.txt
awk -F, 'NR > 1 { w = $1 "," $5; if (!($1 in first) || $6 < first[$1]) first[$1] = $6; if ($6 + $7 > end[w]) end[w] = $6 + $7; of[w] = $1 }
    END { for (w in end) print w "," end[w] - first[of[w]] + 1 }' blk.csv | sort >wanted.txt
cmp cycles_of_result.txt wanted.txt >&2 || complain "other cycles of waves"
grep -q '"waves"' rr.json && complain "waves without a first pass"
# The critical warps' times, from the rows of both runs.
awk -F, 'FNR == 1 { file++; next } { g = $1 "," $2 }
    file == 1 && (!(g in most) || $7 > most[g] || $7 == most[g] && $3 < critical[g]) { most[g] = $7; critical[g] = $3 }
    file == 2 && $3 == critical[g] { now += $7; before += most[g] }
    END { print now, before }' rr.csv blk.csv >critical.txt
echo "$(stat core.group_critical blk.json) $(stat core.group_critical_before blk.json)" >wanted.txt
cmp critical.txt wanted.txt >&2 || complain "other times of critical warps: $(cat wanted.txt), not $(cat critical.txt)"
# The typical group: of the launch with most cycles of warps, of the groups that started before one of its warps ended, the
# one with the median disparity. Its warps, by their time under rr, are in every result with this first pass.
awk -F, 'NR == 1 { next } { sum[$1] += $7; if (!($1 in end) || $6 + $7 < end[$1]) end[$1] = $6 + $7; row[NR] = $0 }
    END { for (l in sum) if (sum[l] > sum[best] || sum[l] == sum[best] && l < best) best = l
          for (i in row) { split(row[i], f, ","); if (f[1] == best && f[6] < end[best]) print row[i] } }' rr.csv >first.txt
awk -F, '{ g = $2; launch = $1; if (!(g in most) || $7 > most[g]) most[g] = $7; if (!(g in least) || $7 < least[g]) least[g] = $7 }
    END { for (g in most) printf "%.17g %d %d\n", (most[g] - least[g]) / most[g], g, launch }' first.txt | sort -g -k1,1 -k2,2n >ranked.txt
[ "$(wc -l <ranked.txt)" -gt 2 ] || complain "the test sees too few first groups"
typical=$(sed -n "$((($(wc -l <ranked.txt) + 1) / 2))p" ranked.txt | cut -d' ' -f2-)
group=${typical% *} launch=${typical#* }
list warps blk.json >rows.txt
for name in launch group warp compute_unit wave start cycles $(echo $head | cut -d, -f8- | tr , ' '); do number $name <rows.txt >$name.txt; done
paste -d, launch.txt group.txt warp.txt compute_unit.txt wave.txt start.txt cycles.txt scheduling.txt synchronisation.txt fetch.txt control.txt \
    data_hazard.txt data_cache.txt structural.txt mshr.txt execution.txt | sort >of_result.txt
grep "^$launch,$group," blk.csv | sort >wanted.txt
[ "$(wc -l <wanted.txt)" -gt 1 ] || complain "the typical group has no warps"
cmp of_result.txt wanted.txt >&2 || complain "other warps of the typical group"
number cycles_before <rows.txt >seen_before.txt
grep "^$launch,$group," rr.csv | sort -t, -k7,7n -k3,3n | cut -d, -f3,7 >wanted.txt
paste -d, warp.txt seen_before.txt | cmp - wanted.txt >&2 || complain "warps are not in the order of their times under rr"
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
list warps gto.json | number warp | cmp - warp.txt >&2 || complain "gto shows another group"
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
