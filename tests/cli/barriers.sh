# Barriers that some of a group never reach: one line with both places, status 1, at any width that
# puts such work-items into one warp.
. "$WW_ROOT/tests/support/cli.sh"

cat >around.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry around(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 9;
    @%p1 bra AROUND;
    bar.sync 0;
AROUND:
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
.visible .entry other()
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 9;
    @%p1 bra OTHER;
    bar.sync 1;
    ret;
OTHER:
    bar.sync 2;
    ret;
}
END
cat >around.yaml <<'END'
kernel: around.ptx
buffers: {out: {type: u32, count: 32}}
launches: [{entry: around, global: [32], local: [32], args: [out]}]
END
cat >other.yaml <<'END'
kernel: around.ptx
buffers: {out: {type: u32, count: 32}}
launches: [{entry: other, global: [32], local: [32], args: []}]
END
for width in 16 32 64; do
    expect_error 1 "around.ptx:13: kernel 'around', group (0,0,0), work-item (0,0,0), warp 0 lane 0: \
barrier 0 is never complete: 10 work-items wait, $((width < 32 ? 16 : 32)) are needed; others have \
passed it by and are at PTX line 17 (bar.sync 0)" exec around.yaml -s core.warp_width=$width \
        -s exec.order=reverse
done
expect_error 1 "around.ptx:30: kernel 'other', group (0,0,0), work-item (10,0,0), warp 0 lane 10: \
barrier 2 is never complete: 22 work-items wait, 32 are needed; others wait at another barrier \
(bar.sync 2)" exec other.yaml
finish
