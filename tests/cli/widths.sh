# Tables and texts for people fit the line: 100 characters, or what COLUMNS says; --wide shows all.
. "$WW_ROOT/tests/support/cli.sh"
unset COLUMNS

# fits WIDTH ARGUMENTS...: no line is longer, but for commands that can be copied.
fits() {
    width=$1
    shift
    run_program "$@"
    check_status 0
    grep -vE '^  (warpwalk|[^ ].*/warpwalk|\$) ' out.txt |
        awk -v width="$width" 'length > width { print; bad = 1 } END { exit bad }' >&2 ||
        complain "a line of more than $width characters"
}

for topic in machines workloads policies studies keys stats; do
    fits 100 list "$topic"
    COLUMNS=70
    export COLUMNS
    fits 70 list "$topic"
    COLUMNS=500
    run_program list "$topic"
    cp out.txt all.txt
    unset COLUMNS
    expect 0 list "$topic" --wide <all.txt # where there is room for all, all is shown
done
run_program list keys --wide
awk 'length > 150 { found = 1 } END { exit !found }' out.txt || complain "--wide is not wide"
head -n 1 out.txt | grep -q '^key  *value  *from  *takes  *doc$' || complain "--wide leaves columns out"
run_program list keys
head -n 1 out.txt | grep -q '^key  *value  *doc$' || complain "other columns than a line has room for"
grep -q '^core.caws_share  *0\.2  ' out.txt || complain "a number has digits that nobody wrote"

run_program --help
for name in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out.txt); do
    fits 100 help "$name"
done
COLUMNS=60
export COLUMNS
fits 60 help run
unset COLUMNS

fits 100 run atax --size tiny -m v100 --json a.json
grep -q '^translation: ideal (TLBs and page walks cost no time; ' out.txt || complain "it does not say that translation is ideal"
fits 100 run atax --size tiny -m apu-isca18 --region skip=1000,measure=2000
grep -q '^translation$' out.txt || complain "no translation"
fits 100 exec atax --size tiny
fits 100 run atax --size tiny -m apu-isca18 --json b.json
fits 100 compare a.json b.json --all

# Columns of numbers that have no room are further tables; counts have no decimals, not even their mean.
cat >counts.yaml <<'END'
machine: gtx480-cawa
size: tiny
workloads: [atax, bfs, gups]
sets: {mean_of_all: [atax, bfs, gups]}
axes: {l1d.size: [16KiB, 32KiB, 64KiB, 128KiB, 256KiB], l1d.ways: [4, 8]}
metrics: {cycles: {value: cycles}, ipc: {value: core.ipc}}
figures:
  by_size: {metric: cycles, columns: l1d.size, where: {l1d.ways: 4}, sets: [mean_of_all]}
  rates: {metric: ipc, columns: l1d.size, where: {l1d.ways: 4}, sets: [mean_of_all]}
END
rm -f counts.db*
COLUMNS=50
export COLUMNS
fits 50 sweep counts.yaml
[ "$(sed -n '/^by_size/,/^rates/p' out.txt | grep -c '^workload ')" -ge 2 ] || complain "one table is too wide"
sed -n '/^by_size/,/^rates/p' out.txt | grep -E '^(atax|mean_of_all) .*\.[0-9]' && complain "cycles with decimals"
sed -n '/^rates/,$p' out.txt | grep -qE '^atax .*\.[0-9]{3}' || complain "a rate without decimals"
unset COLUMNS
run_program report counts.db --wide
[ "$(grep -c '^workload ' out.txt)" -eq 2 ] || complain "--wide, but more than a table for each figure"

run_program report counts.db --html page
[ "$(cat out.txt)" = page/index.html ] || grep -q 'built without' err.txt || complain "the page's path is not printed"
run_program report counts.db --html page/
[ "$(cat out.txt)" = page/index.html ] || grep -q 'built without' err.txt || complain "the path is printed another way"
finish
