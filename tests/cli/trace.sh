# warpwalk run --trace: every instruction of a warp, and every cycle that it waited.
. "$WW_ROOT/tests/support/cli.sh"

# Between two instructions: one cycle for the first, and those that it waited.
check_cycles() {
    awk '
        /^# launch / { sub(/.*starts in cycle /, ""); before = $1 + 0; waited = -1; next }
        /^# ended/ { if ($5 != before + 1 || $7 != count) { print "line " NR ": " $0; bad = 1 }; count = 0; next }
        /^#/ { next }
        {
            cycles = waited + 1
            at = match($0, /; [a-z_]+ [0-9]+(, [a-z_]+ [0-9]+)*$/)
            if (at) {
                n = split(substr($0, at + 2), words, /,? /)
                for (i = 2; i <= n; i += 2) cycles += words[i]
            }
            if ($1 - before != cycles) { print "line " NR ": " $0; bad = 1 }
            before = $1; waited = 0; count++; all++
        }
        END { exit bad || all < 100 }' "$1" >&2 || complain "the cycles of the trace do not add up"
}

for machine in apu-isca18 v100 gtx480-cawa; do
    run_program run atax --size tiny -m $machine --trace warp=0.0
    check_status 0
    mv err.txt $machine.txt
    check_cycles $machine.txt
    [ "$(grep -c '^# launch [12], atax_[a-z]*: warp 0.0 starts in cycle' $machine.txt)" -eq 2 ] ||
        complain "not one part for each launch"
done
grep -q '^ *[0-9]* *[0-9]* [0-9a-f]\{16\}, .*kernel.cl:[0-9]*, ld.global.* %' apu-isca18.txt ||
    complain "no line of a load with its place"
grep -q 'data_cache [1-9]' apu-isca18.txt || complain "nobody waited for the data cache"

run_program run atax --size tiny --trace launch=2,warp=1.0 --trace-file trace.txt
check_status 0
[ ! -s err.txt ] || complain "the trace is not in its file alone"
[ "$(grep -c '^# launch' trace.txt)" -eq 1 ] || complain "other launches than the second"
grep -q '^# launch 2, atax_columns: warp 1.0 ' trace.txt || complain "not the second launch"
check_cycles trace.txt
run_program run atax --size tiny --trace launch=2,warp=1.0 --trace-file again.txt
cmp trace.txt again.txt >&2 || complain "two runs differ"

# Nothing changes for those who look.
run_program run atax --size tiny --json plain.json
run_program run atax --size tiny --json traced.json --trace warp=0.0 --timeline timeline.json
for file in plain traced; do
    grep -v host_ $file.json >$file.txt
done
cmp plain.txt traced.txt >&2 || complain "a trace changes the result"

for selector in warp=0 warp=x.0 warp=0.0.0 warp=-1.0 0.0 '' launch=0,warp=0.0 launch=1 warp=0.0,launch=1; do
    expect_error 2 "--trace is '$selector' (warp=GROUP.WARP is needed, such as warp=0.0, or \
launch=N,warp=GROUP.WARP)" run atax --size tiny --trace "$selector"
done
expect_error 2 "--trace-file without --trace (which warp? --trace warp=GROUP.WARP)" \
    run atax --size tiny --trace-file trace.txt
run_program run atax --size tiny --trace warp=4096.0
check_status 2
grep -q '^--trace: no launch had warp 4096.0 (' err.txt || complain "a group that is not there"
expect_error 2 "--trace: no group can have warp 40 (a compute unit holds core.wavefronts, 40, counted from 0)" \
    run atax --size tiny --trace warp=0.40
run_program run atax --size tiny --trace launch=3,warp=0.0
check_status 2
grep -qxF -e '--trace: there was no launch 3 (the last is 2)' err.txt || complain "a launch that is not there"
expect_error 2 "cannot write 'none/trace.txt': No such file or directory" \
    run atax --size tiny --trace warp=0.0 --trace-file none/trace.txt

# The examples of docs/timing.md: they show what a run prints.
page="$WW_ROOT/docs/timing.md"
[ "$(grep -c '^ *[0-9]* *[0-9]* ffffffff, kernels/' "$page")" -ge 4 ] || complain "docs/timing.md shows no trace"
cp "$page" page.md
command="run --trace of docs/timing.md"
sh "$WW_ROOT/tools/examples" "$WARPWALK" page.md || complain "the run failed"
diff -u "$page" page.md >&2 || complain "docs/timing.md shows another trace (make golden writes it anew)"
run_program $(sed -n 's/^    \$ warpwalk \(run .*--timeline .*\)/\1/p' "$page")
check_status 0
[ -s atax.json ] || complain "docs/timing.md writes no timeline"
finish
