# Runs in which pages leave while instructions wait for them: each one ends, with the right values.
. "$WW_ROOT/tests/support/cli.sh"

run_paged() {
    run_program run "$@" -m fermi-paged --size tiny -s paging.mode=demand --json result.json
}

# A far-fault is on its way to a compute unit when its page is invalidated: the compute unit frees the miss register
finish
