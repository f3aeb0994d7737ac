#!/bin/sh
# No part of a compute unit changes another one's state, and the check finds the ways to do so.
set -eu
check=$WW_ROOT/tools/check-parts
"$check" "$WW_ROOT"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/core"

# expect STATUS FILE LINE...: the check of a tree with this one function ends with this status.
expect() {
    wanted=$1 file=$2
    shift 2
    { echo 'static void f(ww_cu *cu, unsigned slot)'; echo '{'; printf '    %s\n' "$@"; echo '}'; } >"$tree/src/core/$file"
    status=0
    "$check" "$tree" >"$tree/out" || status=$?
    if [ "$status" != "$wanted" ]; then
        echo "$file: $*: status $status, expected $wanted"
        cat "$tree/out"
        exit 1
    fi
    rm "$tree/src/core/$file"
}

expect 0 issue.c 'cu->issue.ready |= 1;'
expect 1 tick.c 'cu->issue.ready |= 1;'
expect 1 execute.c 'cu->issue.waiting[slot] &= 1;'
expect 1 load_store.c 'cu->slots[slot].scoreboard.ready_at[3] = 0;'
expect 1 issue.c 'cu->slots[slot].outstanding.loads--;'
expect 1 translate.c 'm->memory.count++;'
expect 1 load_store.c 'op->translation.paged = true;'
expect 0 translate.c 'op->translation.paged = true;'
expect 1 attribution.c 'ww_slot_state *s = &cu->slots[slot];' 's->buffer.to = 4;'
expect 1 attribution.c 'ww_issue *i = &cu->issue;' 'i->ended = 0;'
expect 0 attribution.c 'const ww_issue *i = &cu->issue;' 'if (i->ended == 0 && cu->issue.ready == 1)' '    return;'
expect 0 attribution.c 'ww_issue_examine(cu, slot, cu->attribution.accounted = 7);'
