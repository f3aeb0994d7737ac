# The example of README.md: its files give the output it prints, and the error it prints.
. "$WW_ROOT/tests/support/cli.sh"

command=$(sed -n 's/^    \$ build\/warpwalk \(exec bfs .*\)/\1/p' "$WW_ROOT/README.md")
[ "$command" ] || complain "README.md runs no workload"
run_program $command
check_status 0
grep -qxF "$(sed -n 's/^    \(bfs (.* on simt32: .*\)/\1/p' "$WW_ROOT/README.md")" out.txt ||
    complain "README.md prints another line for bfs"

fenced() {
    awk -v kind="$1" '$0 == "```" {on = 0} on {print} $0 == "```" kind {on = 1}' "$WW_ROOT/README.md"
}
fenced opencl >saxpy.cl
fenced yaml >saxpy.yaml
run_program exec saxpy.yaml
check_status 0
# Lines of the printed output that are the same on every machine.
grep -E '^    (saxpy.yaml on|  launch|  saxpy  |  exec\.)' "$WW_ROOT/README.md" | sed 's/^    //' >lines.txt
[ "$(wc -l <lines.txt)" -ge 5 ] || complain "README.md shows no output"
while IFS= read -r line; do
    grep -qxF -e "$line" out.txt || complain "README.md prints another line: $line"
done <lines.txt

# What README.md lists is what the program lists.
run_program help list
listed=$(sed -n 's/^usage: warpwalk list \([a-z|]*\) .*/\1/p' out.txt)
tr -d '\\' <"$WW_ROOT/README.md" | grep -qF "warpwalk list $listed\`" || complain "README.md lists other topics"

sed -i '/if (i < n)/d' saxpy.cl
run_program exec saxpy.yaml
check_status 1
sed -n "/^    saxpy.cl:4: /,/^\$/p" "$WW_ROOT/README.md" | sed 's/^    //' | tr '\n' ' ' |
    sed 's/ *(PTX.*//' >want.txt
[ -s want.txt ] || complain "README.md shows no error"
sed 's/.*saxpy.cl:4:/saxpy.cl:4:/; s/ *(PTX.*//' err.txt | tr -d '\n' >got.txt
cmp want.txt got.txt >&2 || complain "README.md prints another error"
finish
