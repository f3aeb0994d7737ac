# Sub-groups on machines of several widths, with and without time; wrong uses of their functions.
. "$WW_ROOT/tests/support/cli.sh"

# The sum of each sub-group, and a value that only a sub-group of the whole width exchanges.
cat >sums.cl <<'END'
kernel void sums(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    int sum = sub_group_reduce_add(in[i]);
    out[i] = sub_group_shuffle(in[i], get_sub_group_size() - 1) + 1000 * sum;
}
END
python3 - <<'END'
for width in (1, 8, 32, 64):
    want = []
    for i in range(96):
        first = i // width * width
        last = min(first + width, 96) - 1
        want.append(last + 1000 * sum(range(first, last + 1)))
    with open("sums%d.yaml" % width, "w") as f:
        f.write("kernel: sums.cl\nbuffers: {i: {type: i32, count: 96, fill: iota}, o: {type: i32, count: 96}}\n"
                "launches: [{global: 96, local: 96, args: [i, o]}]\ncheck: {o: {values: %s}}\n" % want)
END
for width in 1 8 32 64; do
    run_program exec sums$width.yaml -s core.warp_width=$width
    check_status 0
    grep -q ': verified$' out.txt || complain "exec is wrong at width $width"
done
for machine in v100 mi100-cuptw; do
    width=$("$WARPWALK" list keys -m $machine | awk '$1 == "core.warp_width" { print $2 }')
    run_program run sums$width.yaml -m $machine
    check_status 0
    grep -q ': verified$' out.txt || complain "run is wrong on $machine (width $width)"
done

# A kernel that requires another size does not run.
cat >required.cl <<'END'
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *o) { o[0] = get_max_sub_group_size(); }
END
cat >required.yaml <<'END'
kernel: required.cl
buffers: {o: {type: i32, count: 1}}
launches: [{global: 1, args: [o]}]
check: {o: {value: 16}}
END
run_program exec required.yaml -s core.warp_width=16
check_status 0
run_program exec required.yaml
check_status 2
grep -q "^required.yaml:3:.*kernel 'k' requires sub-groups of 16 (core.warp_width is 32)" err.txt ||
    complain "no line about the size: $(cat err.txt)"

# Wrong uses are clang's errors, a line each.
cat >wrong.cl <<'END'
typedef struct { int a, b; } pair;
kernel void k(global pair *p)
{
    p[0] = sub_group_shuffle(p[1], 3);
}
END
run_program inspect wrong.cl
check_status 2
grep -q '^wrong.cl:4:12: error: no matching function for call to .sub_group_shuffle' err.txt ||
    complain "no line about the struct: $(cat err.txt)"
cat >wrong.cl <<'END'
kernel void k(global int *p)
{
    p[0] = dot_acc_sat_4x8packed_ss_int(p[1]);
}
END
run_program inspect wrong.cl
check_status 2
grep -q '^wrong.cl:3:45: error: too few arguments to function call, expected 3, have 1' err.txt ||
    complain "no line about the arguments: $(cat err.txt)"
finish
