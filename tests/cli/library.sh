# The library as it is installed: the example of docs/library.md is built with it, shared and static, and prints what the page
# shows; wrong input is a line and no more.
. "$WW_ROOT/tests/support/cli.sh"
page=$WW_ROOT/docs/library.md
[ -e "$WW_BUILD/libwarpwalk.so" ] || {
    echo "the shared library is not built here"
    exit 77
}
rm -rf installed
cmake --install "$WW_BUILD" --prefix "$PWD/installed" >install.txt || complain "cannot be installed"
lib=$PWD/installed/lib

# Only what the header declares is visible.
nm -D --defined-only "$lib/libwarpwalk.so" | awk '{print $3}' | LC_ALL=C sort >exported.txt
grep -oE '\bww_(simulation_[a-z_]+|version)\(' "$WW_ROOT/include/warpwalk.h" | tr -d '(' | LC_ALL=C sort -u >declared.txt
diff -u declared.txt exported.txt >&2 || complain "other symbols than those of the header"

# The page shows the example, and what it prints.
awk '$0 == "```" {on = 0} on {print} $0 == "```c" {on = 1}' "$page" >launches.c
cmp launches.c "$WW_ROOT/examples/library/launches.c" >&2 || complain "docs/library.md shows another program"
sed -n '/^    \$ \.\/launches$/,/^$/{s/^    //;/^\$/d;/^$/d;p}' "$page" >want.txt
[ "$(wc -l <want.txt)" -eq 8 ] || complain "docs/library.md shows no output"
gcc -Wall -Werror -I"$lib/../include" launches.c -L"$lib" -lwarpwalk -Wl,-rpath,"$lib" -o shared || complain "shared: not built"
gcc -I"$lib/../include" launches.c "$lib/libwarpwalk.a" -lyaml -ljansson -lzstd -lm -o static || complain "static: not built"
for way in shared static; do
    command="(library, $way)"
    ./$way >out.txt 2>err.txt || complain "failed"
    diff -u want.txt out.txt >&2 || complain "prints something else than docs/library.md"
    [ ! -s err.txt ] || complain "something on standard error: $(cat err.txt)"
    ! ./$way atx >out.txt 2>err.txt || complain "accepts a wrong name"
    [ "$(cat err.txt)" = "no workload 'atx' in the catalogue (did you mean 'atax'?)" ] || complain "says $(cat err.txt)"
done

# The program takes as many cycles.
run_program run atax -m gtx480-cawa --size tiny -s l1d.size=32KiB --json -
all=$(awk '/ cycles$/ && NR > 5 {sum += $2} END {print sum}' want.txt)
grep -qx "  \"cycles\": $all," out.txt || complain "other cycles than $all"
finish
