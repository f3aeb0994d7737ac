# warpwalk run: a machine with time, its summary and its JSON, and what it refuses.
. "$WW_ROOT/tests/support/cli.sh"

run_program run atax --size tiny
check_status 0
grep -qx 'atax (tiny) on apu-isca18: verified' out.txt || complain "not verified"
grep -q '^  atax_rows  *[0-9][0-9]*  *5516  *353024$' out.txt || complain "no cycles of the launch"
for line in '^[0-9]* cycles, ' '^  data_cache  *[0-9.]*%' '^  L2  *[0-9.]*% of' '^  DRAM .* GB/s'; do
    grep -q "$line" out.txt || complain "no line like $line"
done

run_program run bfs --size tiny -m v100 --json -
check_status 0
grep -v host_ out.txt >first.txt
grep -q '^  "cycles": [1-9]' first.txt || complain "no cycles in JSON"
grep -q '"core.stall_cycles": [0-9]' first.txt || complain "no stall cycles in JSON"
run_program run bfs --size tiny -m v100 --json -
grep -v host_ out.txt | cmp -s - first.txt || complain "two runs differ"

# Other policies give other times and the same result.
for scheduler in $("$WARPWALK" list policies | awk '$1 == "core.scheduler" { print $2 }'); do
    criticality=none
    [ "$scheduler" != gcaws ] || criticality=cpl
    run_program run hotspot --size tiny -m gtx480-cawa -s core.scheduler=$scheduler -s core.criticality=$criticality
    check_status 0
done
run_program run atax --size tiny -s l1d.size=0
check_status 0

# Groups that start out of step: by the seed, which changes nothing else here.
cycles_of() { "$WARPWALK" run atax --size tiny -m v100 "$@" --json - | sed -n 's/^  "cycles": \([0-9]*\),$/\1/p'; }
[ "$(cycles_of --seed 1)" = "$(cycles_of --seed 2)" ] || complain "the seed changes the time"
late=$(cycles_of -s gpu.dispatch_jitter=1000 --seed 1)
[ "$late" != "$(cycles_of --seed 1)" ] || complain "groups start in step"
[ "$late" != "$(cycles_of -s gpu.dispatch_jitter=1000 --seed 2)" ] || complain "the seed does not decide when groups start"
[ "$late" = "$(cycles_of -s gpu.dispatch_jitter=1000 --seed 1)" ] || complain "the same seed gives another time"

# All that is wrong with a machine, before anything runs.
expect 2 run atax -s gpu.compute_units=0 -s core.scheduler=fifo <<'END'
END
grep -q "gpu.compute_units is '0'" err.txt || complain "0 compute units are taken"
grep -q "core.scheduler.*fifo.*(.*rr" err.txt || complain "no choices of schedulers"
run_program run hotspot --size tiny -s lds.size=1KiB
check_status 2
grep -q "a group of 'hotspot_steps' needs .* bytes of local memory (a compute unit has 1024: lds.size)" err.txt ||
    complain "a group that fits no compute unit is taken"
run_program run atax --size tiny -s l1d.line=100
check_status 2
run_program run atax --size tiny -s l2.ways=7 -s l2.size=1KiB
check_status 2

run_program run atax --size tiny --max-instructions 100 --json -
check_status 1
grep -qxF '  "complete": false,' out.txt || complain "complete after a limit"
# It is right at the last instruction, and late by no more than those of a cycle.
run_program run atax --size tiny -m v100 --json -
all=$(sed -n 's/^  "warp_instructions": \([0-9]*\),$/\1/p' out.txt)
run_program run atax --size tiny -m v100 --max-instructions "$all"
check_status 0
run_program run atax --size tiny -m v100 --max-instructions $((all - 1))
check_status 1
run_program run atax --size tiny -m v100 --max-instructions 1000 --json -
check_status 1
some=$(sed -n 's/^  "warp_instructions": \([0-9]*\),$/\1/p' out.txt)
[ "$some" -gt 1000 ] && [ "$some" -le $((1000 + 80 * 4)) ] || complain "stopped after $some"
finish
