# bench/same tells builds that give the same results from builds that do not.
. "$WW_ROOT/tests/support/cli.sh"

command=bench/same
sh "$WW_ROOT/bench/same" "$WARPWALK" "$WARPWALK" bfs/v100 >same.txt || complain "one binary differs from itself"
grep -qx '3 cases, 0 with other results' same.txt || complain "not three machines: $(cat same.txt)"

# A build with another latency of its L2.
cat >slower <<'END'
#!/bin/sh
[ "$1" = list ] && exec "$WARPWALK" "$@"
exec "$WARPWALK" "$@" -s l2.latency=77
END
chmod +x slower
if sh "$WW_ROOT/bench/same" "$WARPWALK" ./slower bfs/v100-halves >other.txt; then
    complain "the other build passes"
fi
grep -q '^bfs/v100-halves: other results' other.txt || complain "the difference is not shown"
grep -qx '1 cases, 1 with other results' other.txt || complain "it is not counted"

if sh "$WW_ROOT/bench/same" "$WARPWALK" 2>error.txt; then
    complain "one binary is enough"
fi
grep -q 'two binaries' error.txt || complain "no word of what is missing"
finish
