# Whole numbers above 2^53, which a double cannot hold, are exact from the input to the result, or refused.
. "$WW_ROOT/tests/support/cli.sh"

cat >exact.cl <<'KERNEL'
kernel void copy(global ulong *out, ulong a, ulong b, ulong c, long d)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}
KERNEL
# launch BIG: a file whose parameter is BIG
launch() {
    cat <<LAUNCH
kernel: exact.cl
parameters: {big: $1, more: =big + 2, less: =-big}
buffers: {out: {type: u64, count: 4}}
launches:
  - {entry: copy, global: [1],
     args: [out, {u64: =big}, {u64: =more * 1000 + 7}, {u64: =config.vm.memory * 1048577 + 1}, {i64: =less}]}
dump: {out: out.bin}
LAUNCH
}
# expect_values A B C D: what the kernel has seen
expect_values() {
    check_status 0
    [ "$(od -An -v -tu8 -w32 out.bin | tr -s ' ')" = " $*" ] || complain "other values: $(od -An -tu8 out.bin)"
}

launch 9007199254740993 >exact.yaml
run_program exec exact.yaml -m v100 --json exact.json
expect_values 9007199254740993 9007199254740995007 18014415689351169 18437736874454810623
for value in '"big": 9007199254740993,' '"more": 9007199254740995,' '"less": -9007199254740993'; do
    grep -qxF "    $value" exact.json || complain "the result shows another value than $value"
done
run_program exec exact.yaml -m v100 --size big=9007199254740995 --seed 9223372036854775807 --json exact.json
expect_values 9007199254740995 9007199254740997007 18014415689351169 18437736874454810621
grep -qxF '    "big": 9007199254740995,' exact.json || complain "the result shows another value"
grep -qxF '  "seed": 9223372036854775807,' exact.json || complain "the result shows another seed"

expect_error 2 "--size: parameter 'big' is 9223372036854775808 (at most 9223372036854775807; an argument such as \
{u64: ...} can have more)" exec exact.yaml --size big=9223372036854775808
launch 100000000000000000000 >large.yaml
expect_error 2 "large.yaml:2:19: a parameter is '100000000000000000000' (a whole number of 64 bits, or such as 1e20, is needed)" \
    exec large.yaml
launch 9.007199254740993e15 >real.yaml
expect_error 2 "real.yaml:6:24: 'u64' is '9.0071992547409920e+15' (a whole number from 0 is needed)
real.yaml:6:37: 'u64' is '9.0071992547409940e+18' (a whole number from 0 is needed)
real.yaml:6:102: 'i64' is '-9.0071992547409920e+15' (a whole number from -9223372036854775808 to 9223372036854775807 is needed)" \
    exec real.yaml
expect_error 2 "--seed is '9223372036854775808' (a whole number from 0 to 9223372036854775807 is needed)" \
    exec exact.yaml --seed 9223372036854775808
expect_error 2 "--region: 'measure=9223372036854775808' (skip=N,warm=N,measure=N are needed, in warp instructions)" \
    run exact.yaml --region measure=9223372036854775808
finish
