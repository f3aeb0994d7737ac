# Help teaches: examples that run as they are printed, in the folder of the source tree or a copy of it.
. "$WW_ROOT/tests/support/cli.sh"
rm -rf tree
mkdir tree
cp -R "$WW_ROOT/examples" "$WW_ROOT/studies" "$WW_ROOT/machines" tree
ln -s "$WARPWALK" tree/warpwalk
PATH=$PWD/tree:$PATH
export PATH

run_program --help
for name in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out.txt); do
    run_program help "$name"
    sed -n '/^examples:$/,$s/^  \(warpwalk .*\)/\1/p' out.txt >>lines.tmp
done
run_program --help
sed -n '/^try:$/,$s/^  \(warpwalk .*\)/\1/p' out.txt >>lines.tmp
awk '!seen[$0]++' lines.tmp | grep -v -e ' study first$' -e ' why atax ' -e 'ideal$' >lines.txt # other tests run these
rm lines.tmp
[ "$(wc -l <lines.txt)" -ge 25 ] || complain "too few examples"
awk 'length > 98 { print; long = 1 } END { exit long }' lines.txt || complain "an example is too long for a line"
# Tests of the programs and studies themselves run with sanitizers; here it would take long.
grep -q '^WW_SANITIZE:[A-Z]*=..*' "$WW_BUILD/CMakeCache.txt" && grep -v -e '-m v100' -e ' --size cuptw' -e ' app ' \
    -e ' run atax -m ' lines.txt >few.txt && mv few.txt lines.txt
while read -r line; do
    command="example '$line'"
    (cd tree && sh -c "$line" >../out.txt 2>../err.txt </dev/null) || {
        complain "failed"
        cat err.txt >&2
    }
    [ -s out.txt ] || complain "prints nothing"
    ! grep -qx 'no difference' out.txt || complain "shows nothing"
done <lines.txt
finish
