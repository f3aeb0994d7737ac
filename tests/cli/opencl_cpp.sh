# C++ for OpenCL, by a build option.
. "$WW_ROOT/tests/support/cli.sh"

cat >cpp.cl <<'EOF'
namespace math {
template <typename T> struct Pair {
    T a, b;
    T sum() const { return a + b; }
};
template <typename T> T twice(T x) { return Pair<T>{x, x}.sum(); }
}

kernel void k(global int *out, global float *halves, global atomic_int *count)
{
    size_t i = get_global_id(0);
    auto wide = [](int x) { return x * 10; };
    out[i] = math::twice<int>(int(i)) + wide(1);
    halves[i] = sqrt(math::twice(2.0f) * 4);
    atomic_fetch_add(count, 1);
}
EOF
cat >cpp.yaml <<'EOF'
kernel: cpp.cl
build_options: -cl-std=CLC++
buffers: {o: {type: i32, count: 4}, h: {type: f32, count: 4}, c: {type: i32, count: 1}}
launches: [{global: 4, args: [o, h, c]}]
check: {o: {values: [10, 12, 14, 16]}, h: {value: 4}, c: {value: 4}}
EOF
for standard in CLC++ clc++1.0 CLC++2021; do
    sed -i "s/^build_options: .*/build_options: -cl-std=$standard/" cpp.yaml
    run_program exec cpp.yaml
    check_status 0
    grep -q ': verified$' out.txt || complain "not verified"
done
finish
