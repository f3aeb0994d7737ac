# warpwalk run --timeline: an event a line, all that begins ends, the same bytes in every run.
. "$WW_ROOT/tests/support/cli.sh"

check_timeline() {
    awk '
        function fail(what) { print FILENAME ":" NR ": " what; bad = 1 }
        NR == 1 { if ($0 != "[") fail("no array"); next }
        over { fail("something after the end") }
        $0 == "]" { over = 1; if (comma) fail("a comma before the end"); next }
        {
            if (NR > 2 && !comma) fail("no comma before")
            comma = sub(/,$/, "")
            if ($0 !~ /^{"ph":"[MBEbeC]","pid":[0-9]+,.*}$/) fail("no event")
            phase = substr($0, 8, 1)
            seen[phase]++
            match($0, /"pid":[0-9]+,"tid":[0-9]+/); track = substr($0, RSTART, RLENGTH)
            if (phase == "B" && open[track]++) fail("two slices at once")
            if (phase == "E" && --open[track]) fail("ends twice")
        }
        END {
            for (track in open) if (open[track]) fail("open at the end: " track)
            if (!over || seen["B"] != seen["E"] || seen["b"] != seen["e"]) fail("not balanced")
            if (!seen["B"] || !seen["b"] || !seen["C"] || !seen["M"]) fail("something is not there")
            exit bad
        }' "$1" >&2 || complain "$1 is no timeline"
}

for machine in apu-isca18 v100; do
    run_program run hotspot --size tiny -m $machine --timeline $machine.json
    check_status 0
    check_timeline $machine.json
    warps=$(grep -c '"cat":"warp"' $machine.json)
    run_program run hotspot --size tiny -m $machine --json - --timeline again.json
    grep -q "\"core.warps\": $warps,*\$" out.txt || complain "not every warp is there"
    cmp $machine.json again.json >&2 || complain "two runs differ"
done
grep -q '"cat":"warp","name":"hotspot_steps 0","args":{"launch":1,"group":0,"warp":0}' apu-isca18.json ||
    complain "no slice of the first warp"
for name in 'issues per kilocycle' 'DRAM GB\/s' 'requests in flight' warps 'page walks' 'power W'; do
    grep -q "^{\"ph\":\"C\",.*\"name\":\"$name\"" apu-isca18.json || complain "no counter $name"
done

! grep -q '"name":"page walks"' v100.json || complain "page walks where there are none"

# Walks on compute units: some are in threads at the time of a sample, and none on a machine without them.
cus='"name":"page walks on compute units","args":{"waiting":[0-9]*,"threads"'
run_program run gups --size tiny -m mi100-cuptw -s cuptw.mode=full -s cuptw.forward=walkers -s l2_tlb.mshrs=64 --timeline cuptw.json
check_status 0
check_timeline cuptw.json
grep -q "$cus:[1-9]" cuptw.json || complain "no walk on a compute unit"
! grep -q "$cus" apu-isca18.json || complain "walks on compute units where there are none"
# What is in the file is in docs/timing.md.
sed -n 's/^{"ph":"C",.*"name":"\([^"]*\)".*/\1/p' apu-isca18.json cuptw.json | sort -u | while IFS= read -r name; do
    grep -q "^|.*\`$name\`.*|" "$WW_ROOT/docs/timing.md" || echo "$name"
done >missing.txt
[ ! -s missing.txt ] || complain "docs/timing.md does not describe $(cat missing.txt)"

# A run that ends too early leaves a whole file as well.
run_program run atax --size tiny --max-instructions 2000 --timeline short.json
check_status 1
check_timeline short.json

# Nothing is due for longer than progress waits.
run_program run atax --size tiny -s gpu.launch_latency=100000 --timeline late.json
check_status 0
check_timeline late.json

expect_error 2 "cannot write 'none/x.json': No such file or directory" \
    run atax --size tiny --timeline none/x.json
finish
