# __constant__ and __device__ variables, set and looked at by a launch file.
. "$WW_ROOT/tests/support/cli.sh"

cat >symbols.cu <<'EOF'
__constant__ float weights[3];
static __constant__ int bias;
__device__ int counters[2] = {5, 6};
__device__ int sums[2];
__global__ void k(float *out)
{
    float sum = bias;
    for (int i = 0; i < 3; i++)
        sum += weights[i];
    out[threadIdx.x] = sum;
    atomicAdd(&counters[threadIdx.x & 1], 1);
    sums[threadIdx.x & 1] = counters[0] + bias;
}
__global__ void through(int *p) { p[0] = 40; }
EOF
cat >symbols.yaml <<'EOF'
kernel: symbols.cu
buffers: {o: {type: f32, count: 4}}
symbols:
  weights: {type: f32, fill: [1.5, 2, 0.5]}
  bias: {type: i32, count: 1, fill: 10}
  counters: {type: i32, count: 2}
launches:
  - {entry: k, global: 4, args: [o]}
  - {entry: through, global: 1, args: [counters]}
dump: {counters: counters.bin}
check: {o: {value: 14}, counters: {values: [40, 8]}, weights: {values: [1.5, 2, 0.5]}}
EOF
for command in exec run; do
    run_program $command symbols.yaml
    check_status 0
    grep -q ': verified$' out.txt || complain "not verified"
    [ "$(od -An -tu4 counters.bin | tr -s ' ')" = " 40 8" ] || complain "another dump"
done

sed 's/  weights: .*/  weight: {type: f32, count: 3, fill: 1}/; s/, weights: .values.*$/}/' symbols.yaml >unknown.yaml
expect_error 2 "unknown.yaml:4:3: there is no variable 'weight' (did you mean 'weights'?)" exec unknown.yaml
sed 's/0.5\]}$/0.5, 7]}/; s/check: .*//' symbols.yaml >size.yaml
expect_error 2 "size.yaml:4:3: symbol 'weights' has 16 bytes here (the variable has 12)" exec size.yaml
sed 's/  weights: .*/  weights: {type: f32, fill: random, range: [0, 1]}/; s/check: .*//' symbols.yaml >count.yaml
expect_error 2 "count.yaml:4:12: 'count' is missing" exec count.yaml
sed 's/  bias:/  o:/' symbols.yaml >both.yaml
run_program exec both.yaml
check_status 2
grep -qx "both.yaml:5:3: 'o' is a buffer (a symbol needs another name)" err.txt || complain "not said"
finish
