# The reorder buffer of vector memory: with more entries than lines it changes nothing; with one, instructions go one by
# one; faults and pages that leave do not block it; and wrong input.
. "$WW_ROOT/tests/support/cli.sh"

cycles() {
    run_program run "$@" --json result.json
    check_status 0
    sed -n 's/^  "cycles": \([0-9]*\),.*/\1/p' result.json
}

machine="-m mi100-cuptw -s gpu.compute_units=4"
none=$(cycles transpose --size tiny $machine -s core.reorder=0)
many=$(cycles transpose --size tiny $machine -s core.reorder=4096)
some=$(cycles transpose --size tiny $machine -s core.reorder=16)
one=$(cycles transpose --size tiny $machine -s core.reorder=1)
[ "$none" -eq "$many" ] || complain "4096 entries: $many cycles, without a buffer $none"
[ "$some" -gt "$many" ] || complain "16 entries: $some cycles, 4096: $many"
[ "$one" -gt $((2 * many)) ] || complain "one entry: $one cycles, 4096: $many"

# Parked instructions hold entries that all others wait for.
for entries in 1 16; do
    for queue in 1 8; do
        run_program run hotspot --size tiny -m fermi-paged -s paging.mode=demand -s paging.resident_fraction=0.5 \
            -s core.memory_return=in_order -s core.reorder=$entries -s core.memory_queue=$queue
        check_status 0
    done
done

expect_error 2 "-s core.reorder=16: has no effect while core.memory_return is any" \
    run transpose --size tiny -m v100 -s core.reorder=16

finish
