# warpwalk run with an oracle: the program runs twice, and only the second time counts.
. "$WW_ROOT/tests/support/cli.sh"
oracle="-m gtx480-cawa -s core.scheduler=caws_avg"
rm -rf cache
cache="-s host.first_pass_cache=$PWD/cache"

# Without what depends on the host, and where the cache is.
strip() { grep -v 'host_\|host\.first_pass_cache' "$1"; }

run_program run bfs --size tiny $oracle $cache --json made.json
check_status 0
grep -qx 'after a first pass of [1-9][0-9]* cycles' out.txt || complain "the summary does not speak of a first pass"
[ ! -s err.txt ] || complain "something on standard error"
[ "$(ls cache | wc -l)" -eq 1 ] || complain "not one first pass in the cache"
strip made.json >want.json
grep -A1 '"first_pass": {' want.json | grep -q '"cycles": [1-9]' || complain "no cycles of the first pass"
run_program run bfs --size tiny $oracle $cache --json cached.json
check_status 0
strip cached.json | cmp - want.json >&2 || complain "a cached first pass gives another result"
for entry in cache/*; do
    printf 'damaged' | dd of="$entry" bs=1 seek=60 conv=notrunc 2>dd.txt
done
run_program run bfs --size tiny $oracle $cache --json mended.json
check_status 0
strip mended.json | cmp - want.json >&2 || complain "a damaged cache gives another result"
run_program run bfs --size tiny $oracle -s host.first_pass_cache=none --json none.json
check_status 0
strip none.json | cmp - want.json >&2 || complain "another result without a cache"
run_program run bfs --size tiny $oracle -s host.first_pass_cache=/dev/null/nowhere --json nowhere.json
check_status 0
grep -qxF "note: first passes are not cached in '/dev/null/nowhere': Not a directory" err.txt ||
    complain "no note of a cache that cannot be written"
strip nowhere.json | cmp - want.json >&2 || complain "another result without a usable cache"

# Those who look on see the run that counts.
rm -r cache
run_program run bfs --size tiny $oracle $cache --json traced.json --trace launch=1,warp=0.0 --timeline line.json
check_status 0
[ "$(grep -c '^# launch' err.txt)" -eq 1 ] || complain "the first pass is traced, too"
strip traced.json | cmp - want.json >&2 || complain "a trace changes the result"
cp line.json first.json
run_program run bfs --size tiny $oracle $cache --timeline line.json
cmp first.json line.json >&2 || complain "the timeline depends on the cache"

# A region: the same one in both passes.
for again in 1 2; do
    run_program run bfs --size tiny $oracle $cache --region skip=1000,warm=1000,measure=3000 --json region$again.json
    check_status 0
done
strip region1.json >want.json
strip region2.json | cmp - want.json >&2 || complain "a cached first pass gives another region"

# A limit: the run that counts is stopped by it.
run_program run bfs --size tiny $oracle $cache --max-instructions 2000 --json -
check_status 1
[ "$(wc -l <err.txt)" -eq 1 ] && grep -q 'stopped after 2[0-9]* warp instructions (--max-instructions)' err.txt ||
    complain "another end than that of the limit"
grep -qxF '  "complete": false,' out.txt || complain "complete after a limit"

# What a kernel prints is printed once, and what is dumped is dumped; another kernel needs another first pass.
cat >print.cl <<'END'
kernel void k(global int *a)
{
    if (get_global_id(0) == 0)
        printf("hello %d\n", a[1]);
    a[get_global_id(0)] += 7;
}
END
cat >print.yaml <<'END'
kernel: print.cl
buffers: {a: {type: i32, count: 64, fill: {file: in.bin}}}
launches: [{entry: k, global: [64], local: [64], args: [a]}]
dump: {a: out.bin}
END
head -c 256 /dev/zero >in.bin
rm -r cache
run_program run print.yaml $oracle $cache
check_status 0
[ "$(cat err.txt)" = "hello 0" ] || complain "printed something else than once"
[ "$(od -An -tu4 -N4 out.bin | tr -d ' ')" = 7 ] || complain "dumped something else"
run_program run print.yaml $oracle $cache
[ "$(ls cache | wc -l)" -eq 1 ] || complain "the same launch file has another first pass"
head -c 256 /dev/zero | tr '\0' '\1' >in.bin
run_program run print.yaml $oracle $cache
[ "$(ls cache | wc -l)" -eq 2 ] || complain "another file has the same first pass"
sed -i 's/+= 7/+= 8/' print.cl
run_program run print.yaml $oracle $cache
[ "$(ls cache | wc -l)" -eq 3 ] || complain "another kernel has the same first pass"
sed -i 's/local: \[64\]/local: [32]/' print.yaml
run_program run print.yaml $oracle $cache
[ "$(ls cache | wc -l)" -eq 4 ] || complain "another launch has the same first pass"

# A program at fault: it does not get to its second pass.
sed -i 's/a\[get_global_id(0)\] += 8/a[get_global_id(0) + 1000] = 1/' print.cl
run_program run print.yaml $oracle $cache --json -
check_status 1
[ "$(wc -l <err.txt)" -eq 2 ] || complain "not two lines"
tail -n 1 err.txt | grep -qx 'that was in the first pass, which a policy of this configuration needs' ||
    complain "the error does not say where"
grep -qxF '  "complete": false,' out.txt || complain "complete after a fault"
grep -qxF '  "cycles": 0,' out.txt || complain "cycles of a run that did not begin"
[ "$(ls cache | wc -l)" -eq 4 ] || complain "a first pass that failed is kept"

# What the oracle's keys do.
expect_error 2 '-s core.caws_share=0.3: has no effect while core.scheduler is rr' \
    run bfs --size tiny -m gtx480-cawa -s core.caws_share=0.3
run_program list policies --json
grep -A8 '"name": "caws_blk"' out.txt | grep -q '"first_pass": "rr"' || complain "no stand-in in the list"
finish
