# The other ways of workloads that have a choice: each verifies, and sizes that cannot work are refused.
. "$WW_ROOT/tests/support/cli.sh"

for choice in gups:atomic=yes gups:n=1024,items=1024,updates=16 xsbench:method=history; do
    for width in 64 7; do
        run_program exec "${choice%%:*}" --size "tiny,${choice#*:}" -s core.warp_width=$width --json -
        check_status 0
        grep -qxF '  "verified": true,' out.txt || complain "not verified"
    done
done

expect_error 2 '--size: n is 1000 (a power of two is needed)' exec gups --size tiny,n=1000,updates=1
expect_error 2 '--size: items * updates is 131072 (at most 16 times n can be verified)' \
    exec gups --size tiny,n=4096
expect_error 2 '--size: n is 1000 (a power of two is needed)' exec fwt --size n=1000
expect_error 2 '--size: n is 100 (a multiple of 64 is needed)' exec transpose --size n=100
expect_error 2 '--size: group is 96 (a power of two is needed)' exec reduction --size group=96
expect_error 2 "--size: method is 'events' (history|event is needed)" \
    exec xsbench --size method=events
finish
