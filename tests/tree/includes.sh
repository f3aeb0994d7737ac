#!/bin/sh
# The direction of includes holds in this tree, and the check finds every way to break it.
set -eu
check=$WW_ROOT/tools/check-includes
"$check" "$WW_ROOT"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base" "$tree/src/exec" "$tree/src/mem/replace" "$tree/src/vm"

# expect STATUS FILE INCLUDE: the check of a tree with this one include ends with this status.
expect() {
    printf '#include "%s"\n' "$3" >"$tree/src/$2"
    status=0
    "$check" "$tree" >"$tree/out" || status=$?
    if [ "$status" != "$1" ]; then
        echo "$2 includes $3: status $status, expected $1"
        cat "$tree/out"
        exit 1
    fi
    rm "$tree/src/$2"
}

expect 0 exec/a.c base/error.h
expect 0 exec/a.h ptx/module.h
expect 0 exec/a.c exec/lane.h
expect 0 mem/replace/lru.c mem/cache.h
expect 0 mem/a.c vm/vm.h
expect 1 mem/a.c vm/tlb.h
expect 1 mem/replace/lru.c sim/sim.h
expect 1 base/a.c exec/lane.h
expect 1 base/a.h config/schema.h
expect 1 exec/a.c lane.h
expect 1 exec/a.c ../base/error.h

mkdir "$tree/src/unknown"
expect 1 unknown/a.c base/error.h
