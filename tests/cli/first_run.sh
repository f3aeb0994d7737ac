# What `make run` runs after the build: a short study, its table, its page and what to try next; or what ARGS says.
. "$WW_ROOT/tests/support/cli.sh"
command="of make run"
rm -rf built
mkdir built
ln -s "$WARPWALK" built/warpwalk

"$WW_ROOT/tools/run" built list studies >out.txt 2>err.txt || complain "arguments are not warpwalk's"
grep -q '^schedulers ' out.txt || complain "no list of studies"
[ ! -e built/run ] || complain "a study although there were arguments"

# The study is the same with sanitizers, but takes ten times as long.
grep -q '^WW_SANITIZE:[A-Z]*=..*' "$WW_BUILD/CMakeCache.txt" && finish && exit
"$WW_ROOT/tools/run" built >out.txt 2>err.txt || complain "failed"
grep -q '^[0-9]* runs: [0-9]* done, 0 failed, 0 to be made' out.txt || complain "not all runs"
[ "$(grep -c '^workload ' out.txt)" -eq 1 ] || complain "not one table"
grep -q '^mean .*\[1.300\]' out.txt || complain "no published value"
awk 'length > 100 { wide = 1 } END { exit wide }' out.txt || complain "lines do not fit a terminal"
if grep -q 'built without' err.txt; then
    finish
    exit
fi
grep -q ': built/run/page/index.html$' out.txt && [ -s built/run/page/index.html ] || complain "no page"
# What it says to try is right.
sed -n '/^To try next:/,$s/^  built\/warpwalk \(.*[^ ]\)   .*/\1/p' out.txt >next.txt
[ "$(wc -l <next.txt)" -eq 3 ] || complain "not three commands to try next"
while read -r line; do
    # shellcheck disable=SC2086 # words of a command
    (cd "$WW_ROOT" && "$WARPWALK" $line >/dev/null 2>&1) || complain "'$line' does not work"
done <next.txt

# README.md shows the same: it is run again with the results that are there.
sed 's/^/    /; s/^ *$//; s/built\//build\//g' out.txt >want.txt
awk '/^    \$ make run$/ { on = 1; next } on && NF && !/^    / { exit } on' "$WW_ROOT/README.md" | sed '$d' >shown.txt
diff want.txt shown.txt >&2 || complain "README.md shows another table (make golden writes it anew)"
finish
