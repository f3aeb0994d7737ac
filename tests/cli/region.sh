# warpwalk run --region: a part of a program is timed; what is counted, and what is refused.
. "$WW_ROOT/tests/support/cli.sh"

value() { sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" "$2" | head -n 1; }

run_program run atax --size tiny --json -
check_status 0
cp out.txt whole.json

# A region that is the whole program is the whole program.
run_program run atax --size tiny --region measure=1000000000 --json -
check_status 0
grep -qxF '  "verified": true,' out.txt || complain "the whole program was not verified"
for key in cycles warp_instructions l1d.accesses dram.bytes core.stall_cycles core.warp_data_cache; do
    [ "$(value $key out.txt)" = "$(value $key whole.json)" ] || complain "another $key than the whole"
done

# A part of it: as many instructions as were asked for, or a few more; reasons still add up.
run_program run atax --size tiny --region skip=1000,warm=1000,measure=3000 --json -
check_status 0
cp out.txt part.json
grep -qxF '  "verified": null,' part.json || complain "a part was verified"
grep -qxF '  "complete": true,' part.json || complain "a part is not complete"
grep -qxF '    "measure": 3000,' part.json || grep -qxF '    "measure": 3000' part.json ||
    complain "the result does not say what was measured"
count=$(value warp_instructions part.json)
[ "$count" -ge 3000 ] && [ "$count" -lt 3100 ] || complain "$count instructions measured"
[ "$(value core.instructions part.json)" = "$count" ] || complain "statistics of another part"
[ "$(value cycles part.json)" -lt "$(value cycles whole.json)" ] || complain "as long as the whole"
awk '/"core.warp_lifetime"/ { life = $2 + 0 }
    /"core.warp_(scheduling|synchronisation|fetch|control|data_hazard|data_cache|structural|mshr|execution)"/ {
        sum += $2 }
    END { exit life == 0 || life != sum }' part.json || complain "the reasons are not the lifetime"
run_program run atax --size tiny --region skip=1000,warm=1000,measure=3000 --json -
grep -v host_ out.txt >again.txt
grep -v host_ part.json | cmp -s - again.txt || complain "two runs differ"

# What cannot be run whole: a product of matrices at a published size.
run_program run syrk --size cuptw -m mi100-cuptw --region skip=20000,warm=1000,measure=2000
check_status 0
grep -qx 'syrk (cuptw) on mi100-cuptw: a part of it, not verified' out.txt || complain "another verdict"
grep -q '^a region: [23][0-9]* warp instructions, after 20000 that were skipped' out.txt ||
    complain "the summary does not speak of a region"

# A program that ends before: nothing is left to count. The result is verified, but there is no measurement.
for region in skip=1000000000,measure=1 warm=1000000000,measure=1; do
    run_program run atax --size tiny --region $region --json -
    check_status 1
    grep -qxF '  "verified": true,' out.txt || complain "not verified although it ran to its end"
    [ "$(value cycles out.txt)" = 0 ] || complain "cycles of nothing"
    grep -qx -- '--region: the program ended after 13344 warp instructions, before there was anything to measure' \
        err.txt || complain "no word about a region that was not reached"
done

expect_error 2 '--region: measure is missing or 0 (a number of warp instructions)' \
    run atax --region skip=1
expect_error 2 "--region: 'foo' (skip=N,warm=N,measure=N are needed, in warp instructions)" \
    run atax --region foo
expect_error 2 "--region: 'skip=-1' (skip=N,warm=N,measure=N are needed, in warp instructions)" \
    run atax --region skip=-1,measure=5
finish
