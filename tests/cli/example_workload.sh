# The workload of docs/adding-a-workload.md: its text is that of the files, and it works as the page says.
. "$WW_ROOT/tests/support/cli.sh"

page=$WW_ROOT/docs/adding-a-workload.md
example=$WW_ROOT/examples/workload/triad
awk '/^```opencl$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" | cmp - "$example/kernel.cl" ||
    complain "the page's kernel is not the file's"
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" | cmp - "$example/triad.c" ||
    complain "the page's host side is not the file's"
for part in $(sed -n 's/^## \(.*\.[a-z]*\)$/\1/p' "$page"); do
    [ -s "$example/$part" ] || complain "the page has a part $part, the example has no such file"
done

WARPWALK=$WW_BUILD/tests/warpwalk_example
for size in tiny small n=4,iterations=7 tiny,n=1000,group=7; do
    run_program exec triad --size "$size" -s core.warp_width=64
    check_status 0
    grep -q "^triad ($size) on simt32: verified$" out.txt || complain "$size is not verified"
done
expect_error 2 '--size: n is 10 (a multiple of 4 is needed)' exec triad --size n=10
expect_error 2 "no workload 'triads' in the catalogue (did you mean 'triad'?)" exec triads
run_program list workloads --wide
check_status 0
grep -q '^triad  *regular  *STREAM  *-  *tiny 0.0 MiB (1), small 12.0 MiB (2)' out.txt ||
    complain "triad is not listed"
finish
