# inspect: the listing that docs/inspect.md shows, JSON, compiled sources, and errors.
. "$WW_ROOT/tests/support/cli.sh"

fenced() {
    awk -v kind="$1" '$0 == "```" {on = 0} on {print} $0 == "```" kind {on = 1}' \
        "$WW_ROOT/docs/inspect.md"
}
fenced ptx >scale.ptx
fenced text >listing.txt
[ -s listing.txt ] || complain "no example in docs/inspect.md"
expect 0 inspect scale.ptx <listing.txt

run_program inspect scale.ptx --json
check_status 0
for line in '  "ptx_version": 7.8,' '      "name": "scale",' '      "kind": "entry",' \
    '        "vector": 4,' '          "pointer_space": "global"' \
    '          "text": "@%p1 bra END",' '          "reconvergence": 14,'; do
    grep -qxF -e "$line" out.txt || complain "no line '$line'"
done
cp out.txt first.txt
expect 0 inspect scale.ptx --json <first.txt

cat >two.ptx <<'END'
.version 7.8
.target sm_70
.address_size 64
.extern .func outside();
.func (.reg .b32 %o) same(.reg .b32 %i) { mov.b32 %o, %i; ret; }
.func never() { L: bra L; }
.entry tangle() .reqntid 64
{
    .reg .pred %p;
    @%p bra B;
A:  bar.sync 0;
B:  @%p bra A;
    @%p exit;
    ret;
    ret;
}
END
expect_line '  outside is declared but has no body here' inspect two.ptx
expect_line '    in        in a register  .b32                %i' inspect two.ptx -f same
expect_line '  endless     loops that nothing leaves: 1' inspect two.ptx --function never
expect_line '  irreducible loops are entered elsewhere than at the top (edges: 1)' inspect two.ptx
expect_line '  group       must be 64 x 1 x 1' inspect two.ptx -f tangle
expect_line '       3 u     13  @%p exit                          meets nowhere' inspect two.ptx
expect_line '  block 5  to exit  unreachable' inspect two.ptx
run_program inspect two.ptx -f same
grep -q tangle out.txt && complain "-f shows other functions"

cat >scale.cl <<'END'
kernel void scale(global float *data, float by, local float *box)
{
    data[get_global_id(0)] *= by * FACTOR;
}
END
run_program inspect scale.cl --build-options -DFACTOR=3
check_status 0
grep -q '  in  *16  *8 bytes  .u64  .ptr .shared ' out.txt || complain "no local parameter"
grep -q ' u .* scale.cl:[123]  *ld.param.f32 ' out.txt || complain "no source lines"

expect_error 2 "two.ptx: no function 'sane' (did you mean 'same'?)" inspect two.ptx -f sane
expect_error 2 "two.ptx: no function 'zzzzzz' (there are 4; the first is 'outside')" \
    inspect two.ptx -f zzzzzz
expect_error 2 "inspect needs a kernel file ('warpwalk help inspect' explains)" inspect
printf '.version 7.8\n.target sm_70\n.entry k() { frob.u32 1; }\n' >wrong.ptx
run_program inspect wrong.ptx
check_status 2
grep -q '^wrong.ptx:3:[0-9]*: .*frob' err.txt || complain "the error does not name the place"

# What exec would refuse is said, with the reason.
cat >refused.ptx <<'END'
.version 7.8
.target sm_70
.address_size 64
.extern .func outside();
.entry k()
{
    call outside, ();
    ret;
}
END
expect_line "exec refuses it: refused.ptx:7: call of 'outside', which has no body in this module (define it, or link what defines it)" \
    inspect refused.ptx
run_program inspect refused.ptx --json
grep -q '"refused.ptx:7: call of' out.txt || complain "no reason in the JSON"
run_program inspect scale.ptx
grep -q 'exec refuses' out.txt && complain "refused without a reason"
finish
