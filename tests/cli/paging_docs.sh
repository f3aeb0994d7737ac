# docs/paging.md: the example runs as printed, its figures are those of the page, and every key and statistic is named.
. "$WW_ROOT/tests/support/cli.sh"
docs=$WW_ROOT/docs/paging.md
rm -rf tree
mkdir tree
cp "$WW_ROOT"/examples/paging/* tree

awk '$0 == "```" { exit } on { print } $0 == "```yaml" { on = 1 }' "$docs" >machine.yaml
cmp machine.yaml tree/machine.yaml >&2 || complain "docs/paging.md shows another machine"

# The printed lines of the run.
cd tree
run_program run lookup.yaml -m machine.yaml
check_status 0
sed -n '/^    \$ warpwalk run lookup.yaml /,/^$/p' "$docs" | sed '1d; s/^    //; /^\.\.\.$/d; /^$/d' >lines.txt
[ "$(wc -l <lines.txt)" -ge 3 ] || complain "docs/paging.md shows no output"
while IFS= read -r line; do
    grep -qxF -e "$line" out.txt || complain "docs/paging.md prints another line: $line"
done <lines.txt
# What its text says. The pages of locality with the least memory are also in the table.
pages=$(sed -n 's/^    locality .* \([0-9]*\)\([0-9]\{3\}\)$/\1,\2/p' "$docs")
grep -q " $pages come in all" "$docs" || complain "the text has another number of pages than the table, $pages"
run_program run lookup.yaml -m machine.yaml -s paging.prefetch=locality -s paging.resident_fraction=0.6 -s paging.reach=8 --json -
grep -q '"paging.pages_in": 833,' out.txt || complain "other pages come with a reach of 8"
run_program run lookup.yaml -m machine.yaml -s paging.fault_latency=1us --json -
grep -q '"cycles": 760348,' out.txt || complain "another time with faults of 1 us"
run_program run lookup.yaml -m machine.yaml -s paging.mode=copy --json -
grep -q '"cycles": 823632,' out.txt || complain "another time with copies"
grep -q '"paging.copy_ticks": 101089,' out.txt || complain "another time of copies"
cd ..

cp "$docs" paging.md
command="sweep sweep.yaml"
sh "$WW_ROOT/tools/examples" "$WARPWALK" paging.md || complain "the sweep failed"
diff -u "$docs" paging.md >&2 || complain "docs/paging.md prints another table (make golden writes it anew)"

# Every key and every statistic of paging is on the page.
for topic in keys stats; do
    run_program list $topic --wide
    check_status 0
    for name in $(sed -n 's/^\(paging\.[a-z_]*\|pcie\.[a-z_]*\) .*/\1/p' out.txt); do
        grep -q "\`$name[\`: ]" "$docs" || complain "docs/paging.md does not name $name"
    done
done
finish
