# The documentation of studies: its sweep gives the table that it prints, and all keys, tables and views are in it.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf ./*.db ./*.db.work
docs=$WW_ROOT/docs/studies.md

awk '$0 == "```" {on = 0} on {print} $0 == "```yaml" {on = 1}' "$docs" >l1.yaml
[ "$(wc -l <l1.yaml)" -eq 10 ] || complain "not a sweep in ten lines"
grep -q '^    all  *[0-9]' "$docs" || complain "docs/studies.md prints no table"
cp "$docs" page.md
command="sweep l1.yaml"
sh "$WW_ROOT/tools/examples" "$WARPWALK" page.md || complain "the sweep failed"
diff -u "$docs" page.md >&2 || complain "docs/studies.md prints another table (make golden writes it anew)"

# Every key that the file format has is explained.
for key in name doc machine keys size region paper limits workloads sets variants axes seeds sweeps metrics figures \
    title sweep rows columns where over references plot labels fold headline sections id app args; do
    grep -q "\`$key[\`:,]\|$key: \|, $key\b" "$docs" || complain "docs/studies.md does not explain '$key'"
done
# Every table and view is described.
for name in $(sed -n 's/^CREATE \(TABLE\|VIEW\) \([a-z_]*\).*/\2/p' "$WW_ROOT"/data/results/*.sql); do
    grep -q "^|.*\`$name\`.*|" "$WW_ROOT/docs/results.md" || complain "docs/results.md does not describe '$name'"
done
finish
