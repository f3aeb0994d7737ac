# warpwalk run: compute units that run ahead of time give the same result as those that do not.
. "$WW_ROOT/tests/support/cli.sh"

strip() { grep -v 'host_\|host\.run_ahead' "$1"; }

compare() {
    for ahead in true false; do
        run_program run "$@" -s host.run_ahead=$ahead --json $ahead.json
        check_status 0
        strip $ahead.json >$ahead.txt
    done
    cmp true.txt false.txt >&2 || complain "running ahead changes the result of $*"
}

for machine in v100 apu-isca18 gtx480-cawa; do
    for workload in lud hotspot fwt; do
        compare $workload --size tiny -m $machine
    done
done
compare syrk --size tiny -m v100 --region skip=3000,warm=2000,measure=10000
compare lud --size tiny -m v100 -s core.scheduler=two_level -s l0i.size=1KiB
compare hotspot --size tiny -m v100 -s gpu.compute_units=4 -s l0i.size=256 -s l1i.shared_by=4 -s l1i.queue=1
compare "$WW_ROOT/bench/timed/fma_chain.yaml" -m v100 -s gpu.compute_units=80
finish
