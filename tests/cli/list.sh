# What `list` shows, as tables and as JSON.
. "$WW_ROOT/tests/support/cli.sh"

run_program list machines --wide
check_status 0
head -n 1 out.txt | grep -q '^name *source *doc$' || complain "no heading"
for file in "$WW_ROOT"/machines/*.yaml; do
    name=$(basename "$file" .yaml)
    grep -q "^$name  *machines/$name.yaml  *[A-Za-z0-9]" out.txt || complain "$name is missing"
done

run_program list workloads --wide
check_status 0
head -n 1 out.txt | grep -q '^name *kind *suite *papers *footprint_launches' || complain "no heading"
for folder in "$WW_ROOT"/kernels/*/; do
    name=$(basename "$folder")
    grep -q "^$name  *\(irregular\|regular\)  *[A-Za-z]" out.txt || complain "$name is missing"
done
grep -q '^atax .* isca18 64.0 MiB (2)' out.txt || complain "no footprint of atax"
run_program list workloads --json
check_status 0
grep -qF '"values": "rows=4096,columns=4096,group=64"' out.txt || complain "no values in JSON"

run_program list studies
check_status 0
for file in "$WW_ROOT"/studies/*.yaml; do
    name=$(basename "$file" .yaml)
    grep -q "^$name  *[a-z]" out.txt || complain "$name is missing"
done

run_program list policies --wide
check_status 0
for policy in 'exec.order  *in_order' 'exec.order  *reverse' 'exec.order  *random' \
    'memory.placement  *guarded' 'memory.placement  *packed'; do
    grep -q "^$policy  *[0-9][0-9]*  " out.txt || complain "no $policy"
done
run_program list policies --json
check_status 0
grep -qxF '    "name": "guarded",' out.txt || complain "no guarded in JSON"

# Values and their origins, least to most specific.
origin_of() {
    sed -n "s/^$1  *\([^ ]*\)  *\([^ ]*\)  .*/\1 \2/p" out.txt
}
cat >mine.yaml <<'END'
doc: a machine of our own
base: simt64
memory.placement: packed
END
run_program list keys -m mine.yaml -s exec.order=random --set=exec.lanes=avx2 -sexec.lanes=portable --wide
check_status 0
[ "$(origin_of core.warp_width)" = '64 machines/simt64.yaml:4:15' ] || complain "wrong width"
[ "$(origin_of memory.placement)" = 'packed mine.yaml:3:19' ] || complain "wrong placement"
[ "$(origin_of exec.order)" = 'random -s' ] || complain "wrong order"
[ "$(origin_of exec.lanes)" = 'portable -s' ] || complain "the last -s must win"
run_program list keys --wide
[ "$(origin_of exec.order)" = 'in_order default' ] || complain "wrong default"

# A path or value that is not UTF-8 cannot break the JSON.
odd=$(printf 'odd\377.yaml')
cp mine.yaml "$odd"
run_program list keys -m "$odd" -s "host.clang=$odd" --json
check_status 0
grep -qxF '    "value": "odd?.yaml",' out.txt || complain "no host.clang"
grep -qxF '    "from": "odd?.yaml:3:19",' out.txt || complain "no place"

run_program list stats
check_status 0
grep -q '^exec.warp_instructions  *instructions  *warp instructions executed$' out.txt ||
    complain "no exec.warp_instructions"

# The same bytes every time.
for topic in machines policies keys stats; do
    run_program list "$topic" --json
    cp out.txt first.txt
    expect 0 list "$topic" --json <first.txt
done
finish
