# `report --tables`: the runs and the figures of a study as files, with verdicts, commit and ids.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db ./*.db.work tables first file

cat >mine.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [backprop, hotspot]
variants: {rr: {core.scheduler: rr}, gto: {core.scheduler: gto}}
metrics: {speedup: "cycles[rr] / cycles", misses: {value: l1d.misses, unit: lines}}
sections: {more: ["mis*"]}
figures:
  speedup: {metric: speedup, sets: [all], headline: true, references: [{row: all, column: rr, value: 1, source: us, id: us.one}]}
  misses: {metric: misses}
END
run_program sweep mine.yaml --jobs 2
check_status 0
grep -qxF 'all, rr: agrees: 1.000, published 1.000 (0%) [us]' out.txt || complain "no verdict"
run_program report mine.db --tables tables
check_status 0
printf "%s\n" tables/mine.csv tables/mine-figures.csv | cmp -s - out.txt || complain "not the files' paths"
commit=$(sed -n '1s/^# warpwalk study mine, every run; commit \([0-9a-z+]*\)$/\1/p' tables/mine.csv)
[ -n "$commit" ] || complain "no commit in the first line"
sed -n 2p tables/mine.csv | grep -qx 'sweep,workload,variant,axes,seed,size,region,commit,configuration,verified,cycles,warp_instructions,host_seconds,l1d.misses' ||
    complain "other columns"
[ "$(wc -l <tables/mine.csv)" -eq 6 ] || complain "not four runs"
grep -q "^main,backprop,rr,{},1,tiny,,$commit,[0-9a-f]\{16\},1,[0-9]*,[0-9]*,[0-9.]*,[0-9]*$" tables/mine.csv || complain "no such run"
grep -q "^mine,speedup,speedup,all,rr,1,1,1,1,,,us,us.one,agrees,,,$commit,[0-9a-f]\{16\}$" tables/mine-figures.csv ||
    complain "no such cell"
tail -n +2 tables/mine-figures.csv >cells.csv
run_program report mine.db --csv
diff cells.csv out.txt || complain "other figures than --csv"
cp -r tables first
run_program report mine.db --tables tables
diff -r first tables || complain "other bytes the second time"
run_program report mine.db --json
grep -qF '"headline": true' out.txt || complain "no headline"
grep -qF '"section": "more"' out.txt || complain "no section"
grep -qF '"word": "agrees"' out.txt || complain "no verdict in JSON"

# What can be wrong.
: >file
expect_error 2 "cannot make the folder 'file/tables': Not a directory" report mine.db --tables file/tables
sed 's/headline: true/headline: perhaps/' mine.yaml >wrong.yaml
expect_error 2 "wrong.yaml:8:53: 'headline' is 'perhaps' (true or false is needed)" sweep wrong.yaml --dry-run
sed 's/"mis\*"/mises/' mine.yaml >wrong.yaml
expect_error 2 "wrong.yaml:6:19: unknown figure 'mises' (did you mean 'misses'?)" sweep wrong.yaml --dry-run
sed 's/"mis\*"/"*"/' mine.yaml >wrong.yaml
expect_error 2 "wrong.yaml:6:19: figure 'speedup' is in another section, or a headline (a figure is in one only)" sweep wrong.yaml --dry-run
{ sed '/^figures/,$d' mine.yaml; } >wrong.yaml
expect_error 2 "wrong.yaml:6:19: unknown figure 'mis*' (there is none)" sweep wrong.yaml --dry-run
finish
