#!/bin/sh
# `make` builds the program and the OpenCL driver alone: none of its steps is a test's. `make test` builds all.
set -eu
steps() {
    make -C "$WW_ROOT" --no-print-directory -n BUILD="$WW_BUILD" "$@"
}
fail() {
    echo "$1" >&2
    exit 1
}
steps all | grep -qx "ninja -C $WW_BUILD program" || fail "make builds something else than the program"
steps complete | grep -qx "ninja -C $WW_BUILD" || fail "make complete does not build everything"
ninja -C "$WW_BUILD" -t inputs program | grep -E '(^|/)tests/|ww_docs|warpwalk_example' && fail "the program needs tests"
steps test | grep -q 'complete sanitized' || fail "make test does not build the tests"
steps docs | grep -q ww_docs || fail "make docs does not build its tool"
