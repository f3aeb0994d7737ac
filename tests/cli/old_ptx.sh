# PTX of older compilers: no .address_size, functions declared without a semicolon, registers and
# local memory of the module. 32-bit addresses are refused, whether or not the directive says so.
. "$WW_ROOT/tests/support/cli.sh"

cat >old.ptx <<'EOF'
.version 1.4
.target sm_13
.reg .u32 %shared_name<4>;
.reg .u32 %one;
.local .align 4 .u32 scratch[2];
.func (.param .u32 result) twice (.param .u32 value)
.func (.param .u32 result) twice (.param .u32 value)
{
    .reg .u32 %v;
    ld.param.u32 %v, [value];
    add.u32 %v, %v, %v;
    st.param.u32 [result], %v;
    ret;
}
.entry first (.param .u64 out)
{
    .reg .u64 %rd<4>;
    mov.u32 %one, %tid.x;
    mov.u32 %shared_name1, %one;
    st.local.u32 [scratch], %shared_name1;
    st.local.u32 [scratch+4], 7;
    {
        .param .u32 a;
        .param .u32 r;
        ld.local.u32 %shared_name2, [scratch];
        st.param.u32 [a], %shared_name2;
        call (r), twice, (a);
        ld.param.u32 %shared_name3, [r];
    }
    ld.local.u32 %shared_name2, [scratch+4];
    add.u32 %shared_name3, %shared_name3, %shared_name2;
    ld.param.u64 %rd1, [out];
    mul.wide.u32 %rd2, %one, 4;
    add.u64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %shared_name3;
    exit;
}
.entry second (.param .u64 out)
{
    .reg .u64 %rd1;
    ld.param.u64 %rd1, [out];
    mov.u32 %one, 9;
    st.local.u32 [scratch+4], %one;
    ld.local.u32 %shared_name1, [scratch+4];
    st.global.u32 [%rd1], %shared_name1;
    exit;
}
EOF
cat >old.yaml <<'EOF'
kernel: old.ptx
buffers: {o: {type: u32, count: 4}, p: {type: u32, count: 1}}
launches:
  - {entry: first, global: 4, args: [o]}
  - {entry: second, global: 1, args: [p]}
check: {o: {values: [7, 9, 11, 13]}, p: {values: [9]}}
EOF
run_program exec old.yaml
check_status 0
grep -q ': verified$' out.txt || complain "not verified"

cat >narrow.ptx <<'EOF'
.version 1.4
.target sm_13
.entry k (.param .u32 out)
{
    .reg .u32 %r<3>;
    ld.param.u32 %r1, [out];
    st.global.u32 [%r1], 5;
    exit;
}
EOF
expect_error 2 "narrow.ptx:7:19: an address of 32 bits in PTX without .address_size (only 64-bit addresses are supported; compile with -m64)" \
    inspect narrow.ptx
sed -i '2a .address_size 32' narrow.ptx
run_program inspect narrow.ptx
check_status 2
grep -qx 'narrow.ptx:3:15: .address_size 32 (only 64 is supported)' err.txt || complain "not said"

# An error in PTX that clang made: at the line of the source.
cat >asm.cu <<'EOF'
__global__ void k(int *p)
{
    int x;
    asm volatile("mma.sync %0;" : "=r"(x));
    p[0] = x;
}
EOF
run_program inspect asm.cu
check_status 2
grep -Eqx "asm.cu:4: opcode 'mma': tensor-core instructions are not supported \(line [0-9]+ of its PTX\)" err.txt ||
    complain "no source line"

# Too narrow a warp: likewise.
cat >sync.cu <<'EOF'
__global__ void k(int *p)
{
    p[0] = 1;
    __syncwarp();
    p[0] = 2;
}
EOF
cat >sync.yaml <<'EOF'
kernel: sync.cu
buffers: {o: {type: i32, count: 4}}
launches: [{global: 1, args: [o]}]
EOF
expect_error 2 "sync.cu:4: 'bar.warp.sync -1' needs warps of 32 or 64 lanes (core.warp_width is 16)" \
    exec sync.yaml -s core.warp_width=16
finish
