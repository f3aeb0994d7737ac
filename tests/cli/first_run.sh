# What `make run` runs after the build: a short study, its table and its page; or what ARGS says.
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
grep -q ' runs: 72 done, 0 failed, ' out.txt || complain "not the main sweep"
# README.md shows how it begins.
sed -n '/^    \$ build\/warpwalk study /,/^    \.\.\.$/p' "$WW_ROOT/README.md" | sed '1d; $d; s/^    //' >shown.txt
[ "$(wc -l <shown.txt)" -ge 5 ] || complain "README.md shows no study"
sed 1d out.txt | head -n "$(wc -l <shown.txt)" | diff shown.txt - >&2 || complain "README.md shows another table"
grep -q '^irregular .*\[1.300\]' out.txt || complain "no published value"
if [ "$(tail -n 1 out.txt)" = "the same as a page with plots: built/run/page/index.html" ]; then
    [ -s built/run/page/index.html ] || complain "no page"
else
    grep -q 'this warpwalk was built without' err.txt || complain "neither a page nor a reason"
fi
finish
