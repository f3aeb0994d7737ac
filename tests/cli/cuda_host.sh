# CUDA files whose host part needs what is not here: the kernels run, and errors of device code stay.
. "$WW_ROOT/tests/support/cli.sh"

cat >host.cu <<'EOF'
#include <helper_of_nobody.h>
#include <thrust/device_vector.h>
#include <vector>
using namespace thrust;
struct Session { someHandle_t handle; int n; };
template <typename T> __global__ void scale(T *p, T by) { p[threadIdx.x] *= by; }
static void prepare(otherHandle_t t) { call(t); }
class Both {
public:
    Both(UnknownType x) { value = x; }
    __device__ int get() const { return value; }
    int value;
};
__global__ void get(Both *b, int *o) { *o = b->get(); }
int main(int argc, char **argv)
{
    cudaDeviceProp prop;
    DEVICE_INIT(argc, argv);
    printf("%d\n", prop.noSuchField);
    float *p;
    SAFE_CALL(cudaMalloc((void **)&p, 4));
    for (int i = 0; i < 3; i++) {
        nowhere(i);
        scale<float><<<1, 32>>>(p, 2.0f);
    }
    thrust::device_vector<int> dv(4);
    prepare(dv);
}
EOF
cat >host.yaml <<'EOF'
kernel: host.cu
buffers: {p: {type: f32, fill: [1, 2]}, b: {type: i32, fill: [7]}, o: {type: i32, count: 1}}
launches:
  - {entry: scale, global: 2, args: [p, {f32: 3}]}
  - {entry: get, global: 1, args: [b, o]}
check: {p: {values: [3, 6]}, o: {value: 7}}
EOF
run_program exec host.yaml -s host.kernel_cache=none
check_status 0
grep -q ': verified$' out.txt || complain "not verified"
cat >want.txt <<'EOF'
host.cu: warning: host code that does not compile is left out (the first: host.cu:4:17: error: expected namespace name)
host.cu:1:10: warning: 'helper_of_nobody.h' is not found and taken as empty (-I names its folder)
host.cu:2:10: warning: 'thrust/device_vector.h' is not found and taken as empty (-I names its folder)
EOF
sed 's|\./host|host|g' err.txt | diff -u want.txt - >&2 || complain "other warnings"

# Device code that is wrong: its errors alone, at their lines, and the header that may be the reason.
cat >wrong.cu <<'EOF'
#include "mine.h"
int main() { unknown(); }
__global__ void k(int *p)
{
    p[0] = SIZE;
}
EOF
run_program inspect wrong.cu
check_status 2
cat >want.txt <<'EOF'
wrong.cu:1:10: fatal error: 'mine.h' file not found
wrong.cu:5:12: error: use of undeclared identifier 'SIZE'
EOF
grep -v 'does not compile' err.txt | diff -u want.txt - >&2 || complain "other errors"

# What device code needs of the host's is not left out silently.
cat >needed.cu <<'EOF'
struct Shape { handle_t h; int n; };
__global__ void k(Shape s, int *p) { p[0] = s.n; }
EOF
run_program inspect needed.cu
check_status 2
grep -q "^needed.cu:1:16: error: unknown type name 'handle_t'" err.txt || complain "no reason"

# The user's folders come before the headers that stand in for CUDA's.
mkdir -p mine
echo '#define checkCudaErrors(call) 41' >mine/helper_cuda.h
cat >folder.cu <<'EOF'
#include <helper_cuda.h>
__global__ void k(int *p) { p[0] = checkCudaErrors(0) + 1; }
EOF
cat >folder.yaml <<'EOF'
kernel: folder.cu
build_options: -Imine
buffers: {o: {type: i32, count: 1}}
launches: [{global: 1, args: [o]}]
check: {o: {value: 42}}
EOF
run_program exec folder.yaml
check_status 0
grep -q ': verified$' out.txt || complain "not verified"
finish
