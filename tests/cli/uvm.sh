#!/bin/sh
# The driver uvm: all policies of replay run a workload to the right result, with little memory, too.
set -eu
run() {
    "$WARPWALK" run jacobi1d -m v100 --size tiny -s translation=full -s paging.mode=demand -s paging.driver=uvm "$@"
}
number() {
    sed -n "s/^ *\"paging.$1\": \([0-9]*\),*\$/\1/p" result.json
}
for replay in block batch batch_flush once; do
    run -s paging.replay=$replay -s paging.prefetch=tree -s paging.fault_buffer=64 --json result.json >out
    [ "$(number faults)" -eq $(($(number queued) + $(number buffer_dropped))) ] || { echo "$replay: faults are lost"; exit 1; }
    [ "$(number pages_in)" -eq "$(number pages)" ] || { echo "$replay: $(number pages_in) pages came"; exit 1; }
    run -s paging.replay=$replay -s paging.resident_fraction=0.5 --json result.json >out
    [ "$(number evictions)" -gt 0 ] || { echo "$replay: nothing was evicted"; exit 1; }
done

status=0
run -s paging.warm=sequential >out 2>&1 || status=$?
[ $status -eq 2 ]
grep -q 'paging.warm=sequential: paging.warm is sequential, but the driver uvm brings no page before a fault' out
