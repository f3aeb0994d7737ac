# Sourced by tests/cli/*.sh: runs the program ($WARPWALK) and compares. Every check that fails says so;
# `finish` at the end turns them into the exit status.
#
# `run` runs in checked mode.
#
#   expect STATUS ARGUMENTS...     runs; standard input holds the exact standard output
#   expect_error STATUS LINES ARGUMENTS...   runs; nothing on standard output, exactly LINES as errors
#   expect_line LINE ARGUMENTS...  runs with status 0; LINE is one of the lines it prints
failures=0

complain() {
    echo "FAILED: warpwalk $command: $1" >&2
    failures=$((failures + 1))
}

run_program() {
    command="$*"
    status=0
    case $1 in run) set -- "$@" -s checked=true ;; esac
    "$WARPWALK" "$@" >out.txt 2>err.txt </dev/null || status=$?
}

check_status() {
    [ "$status" -eq "$1" ] || {
        complain "status $status, not $1"
        cat err.txt >&2
    }
}

expect() {
    wanted=$1
    shift
    cat >want.txt
    run_program "$@"
    check_status "$wanted"
    diff -u want.txt out.txt >&2 || complain "other output than wanted"
}

expect_error() {
    wanted=$1
    printf '%s\n' "$2" >want.txt
    shift 2
    run_program "$@"
    check_status "$wanted"
    [ ! -s out.txt ] || complain "an error, but something on standard output"
    diff -u want.txt err.txt >&2 || complain "other errors than wanted"
}

expect_line() {
    line=$1
    shift
    run_program "$@"
    check_status 0
    grep -qxF -e "$line" out.txt || {
        complain "no line '$line'"
        cat out.txt >&2
    }
}

finish() {
    [ "$failures" -eq 0 ]
}
