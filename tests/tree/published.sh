# The table of published numbers, the references of studies and the committed tables of figures fit together, or it says where not.
set -u
failures=0
complain() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}
rm -rf tree out
mkdir -p tree/docs out
cp -r "$WW_ROOT/studies" tree/
cp -r "$WW_ROOT/docs/studies" "$WW_ROOT"/docs/*.md tree/docs/

# expect_line TEXT: the docs cannot be made, and one line says why.
expect_line() {
    "$WW_BUILD/ww_docs" tree out >said.txt 2>&1 && complain "docs were made all the same: $1"
    grep -qF "$1" said.txt || {
        complain "no line: $1"
        cat said.txt >&2
    }
    cp "$WW_ROOT"/studies/*.yaml "$WW_ROOT/studies/published.tsv" tree/studies/
}

"$WW_BUILD/ww_docs" tree out || complain "the docs of this tree cannot be made"
cmp out/published.md "$WW_ROOT/docs/published.md" || complain "another page from a copy"

sed -i 's/value: 2.29,/value: 2.30,/' tree/studies/ctrlc.yaml
expect_line "another value of 'ctrlc.fig5-1.64kb-sensitive' than studies/published.tsv has (2.29)"
sed -i 's/id: ctrlc.5-3-1.bfs}/id: ctrlc.5-3-1.bsf}/' tree/studies/ctrlc.yaml
expect_line "unknown id 'ctrlc.5-3-1.bsf' (studies/published.tsv has the ids)"
sed -i 's/\tthe study is not run at this size yet$/\t/' tree/studies/published.tsv
expect_line "has no value of ours and no reason"
sed -i '2s/\t[^\t]*\t\([^\t]*\)$/\t1.30/' tree/studies/published.tsv
expect_line "published.tsv:2:1: 7 fields (the first line has 8)"
sed -i '2{h;G}' tree/studies/published.tsv
expect_line "published.tsv:3:1: a second row"
sed -i 's/max of irregular/max of irregular \/ more/; s/isca18 \/ fig8/isca18 \/ fig80/' tree/studies/published.tsv
expect_line "'ours' names no figure of a study"

# Every link of the page leads somewhere.
for target in $(grep -o '](\([a-z0-9/.-]*\)' "$WW_ROOT/docs/published.md" | cut -c3- | sort -u); do
    [ -e "$WW_ROOT/docs/$target" ] || complain "docs/published.md links to $target"
done
grep -q '^## Verdicts' "$WW_ROOT/docs/results.md" || complain "docs/results.md has no section on verdicts"
exit $((failures > 0))
