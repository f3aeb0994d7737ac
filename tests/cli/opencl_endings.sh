# The result of a program that the driver runs, however the program ends.
. "$WW_ROOT/tests/support/cli.sh"

endings=$WW_BUILD/tests/ocl/endings
[ -x "$endings" ] || {
    echo "the OpenCL driver is not built here"
    exit 77
}

# check NAME STATUS COMPLETE: three launches are there, and the JSON is valid; statistics are there unless NAME ends at once.
check() {
    rm -f out.json
    run_program app -s gpu.compute_units=2 --no-summary --json out.json -- "$endings" "$1"
    check_status "$2"
    check_result "$1" "$3"
}

check_result() {
    "$WARPWALK" compare out.json out.json >/dev/null 2>compare.err || complain "$1: $(cat compare.err)"
    [ "$(grep -c '"entry": "add"' out.json)" = 3 ] || complain "$1: not three launches"
    grep -q "\"complete\": $2" out.json || complain "$1: not $2"
    case $1 in
    quick | kill) ;;
    *) grep -q '"exec.warps"' out.json || complain "$1: no statistics" ;;
    esac
}

check leak 0 true
check callback 3 true
check quick 4 false
check kill 137 false
check term 143 false
if ! nm -D "$WW_BUILD/libwarpwalk_ocl.so" | grep -q __asan_init; then # which takes crashes itself
    check abort 134 false
    check crash 139 false
fi

# A kernel without end stops when the process is asked to end.
"$WARPWALK" app -s gpu.compute_units=2 --no-summary --json out.json -- "$endings" spin >out.txt 2>err.txt &
process=$!
until grep -q ready out.txt; do sleep 0.1; done
sleep 0.3
kill -TERM $process
status=0
wait $process || status=$?
check_status 143
check_result spin false
[ "$(grep -c '"entry": "spin"' out.json)" = 1 ] || complain "spin: the launch that was interrupted is not there"
! grep -q 'went on' out.txt || complain "spin: the program went on after the signal"
finish
