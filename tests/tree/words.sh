#!/bin/sh
# No retired word (docs/glossary.md) comes back, no file has a name that says nothing, no two types have one name, and no
# line is longer than 100 columns. The check finds each of them.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
words='stor(y|ies)|wish(es)?|ripe(n|ns|ning)?|patience|impatient|foretold|unanswered|settle[sd]?|settling|go_on|take_turn|has_turn|out_of_turn|is_alone|places'
names='parts|common|family|pool|room|watch|check|misc|util|utils|helpers|stuff'

# check TREE: prints what is wrong there.
check() (
    cd "$1"
    # in names of C, an underscore ends a word; upper case counts like lower case
    grep -rniE "(^|[^a-zA-Z])($words)([^a-zA-Z]|\$)" src docs machines studies \
        --include='*.[ch]' --include='*.md' --include='*.yaml' | grep -v '^docs/glossary\.md:' || true
    grep -rnE '^.{101,}' src --include='*.[ch]' | sed 's/$/: longer than 100 columns/' || true
    grep -rhoE '^(typedef )?(struct|enum|union) ww_[a-z0-9_]+ \{' src --include='*.[ch]' |
        sed 's/^typedef //' | sort | uniq -d | sed 's/$/: two types of this name/'
    find src -name '*.[ch]' | grep -E "/($names)\.[ch]\$" | sed 's/$/: the name says nothing/' || true
)

out=$(check "$WW_ROOT")
[ -z "$out" ] || { echo "retired words (docs/glossary.md has those to use):"; echo "$out"; exit 1; }

# The glossary names every retired word.
for word in story wish ripe patience foretold unanswered settle go_on take_turn is_alone places; do
    grep -q "\`$word\`" "$WW_ROOT/docs/glossary.md" || { echo "docs/glossary.md does not name $word"; exit 1; }
done

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/vm" "$tree/docs" "$tree/machines" "$tree/studies"
# finds FILE TEXT: a tree with this one line is refused
finds() {
    printf '%s\n' "$2" >"$tree/$1"
    [ -n "$(check "$tree")" ] || { echo "not found: $2 in $1"; exit 1; }
    rm "$tree/$1"
}
finds src/vm/a.c 'ww_story *s;'
finds src/vm/a.h '/* Requests that are RIPE. */'
finds docs/a.md 'each bank has a wish'
finds machines/a.yaml '# how much patience it has'
finds studies/a.yaml '# when it is settled'
finds src/vm/parts.h 'int a;'
finds src/vm/a.c "/* $(printf '%100s' a) */"
printf 'struct ww_a {\n' >"$tree/src/vm/b.c"
finds src/vm/a.c 'typedef struct ww_a {'
rm "$tree/src/vm/b.c"
printf 'history, settlement, replaces, a wishlist, tripe\n' >"$tree/docs/a.md"
[ -z "$(check "$tree")" ] || { echo "found too much:"; check "$tree"; exit 1; }
