# Small runs give what they gave before: cycles and every statistic. Where a change is meant to move them, `make golden`
# writes them anew, and its commit says why.
. "$WW_ROOT/tests/support/cli.sh"

command=golden
sh "$WW_ROOT/tools/golden" "$WARPWALK" now || complain "a run failed"
diff -r "$WW_ROOT/tests/golden" now >differences.txt || {
    complain "other results than in tests/golden (make golden writes them anew; the commit says why)"
    head -n 40 differences.txt >&2
}
finish
