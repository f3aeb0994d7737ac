# What a workload waits for and what would help: the ranking, its sums, the same at any --jobs, and wrong input.
. "$WW_ROOT/tests/support/cli.sh"

# A network of 4 bytes a cycle: it is blamed, and a wider one helps most.
narrow='hotspot --size tiny -m gtx480-cawa -s network.width=4'
run_program why $narrow --jobs 1 --json one.json
check_status 0
grep -q '^1 of [0-9]*: ' err.txt || complain "no progress"
mv out.txt one.txt
run_program why $narrow --jobs 2 --json two.json
check_status 0
cmp one.txt out.txt || complain "other tables with two jobs"
cmp one.json two.json || complain "other JSON with two jobs"
tr '\n' ' ' <one.txt | grep -q ' Warps wait for memory in .* for network (.*network width (network.width=16) helps most' ||
    complain "the sentence does not name the network"

# The page shows this run.
sed 's/^\(.\)/    \1/' one.txt >page.txt
awk 'NR == FNR {want = want $0 "\n"; next} {page = page $0 "\n"} END {exit !index(page, want)}' \
    page.txt "$WW_ROOT/docs/why.md" || complain "docs/why.md shows another output of 'why $narrow'"

# Ranked by what was measured; cycles times gain is the base's; plain runs give the same.
awk '/^times as fast/ {on = 1; last = 1e9; next}
     on && NF {if ($1 > last) exit 1; last = $1; rows++}
     END {exit rows < 3}' one.txt || complain "not in the order of the gains"
base=$(sed -n '1s/.*: \([0-9]*\) cycles/\1/p' one.txt)
best=$(awk '/^times as fast/ {getline; print $2}' one.txt)
cycles() {
    "$WARPWALK" run "$@" --json - | sed -n 's/^  "cycles": \([0-9]*\),/\1/p'
}
[ "$base" = "$(cycles $narrow)" ] || complain "the base has other cycles than a run"
[ "$best" = "$(cycles hotspot --size tiny -m gtx480-cawa -s network.width=16)" ] ||
    complain "the best has other cycles than a run"

# Shares are those of the run, and add up.
awk '/^  "requests"/ {on = 1; next} on && /}/ {exit !(sum > 0.999 && sum < 1.001)}
     on {sub(/,$/, "", $2); sum += $2}' one.json || complain "the shares of requests do not add up to 1"

# The JSON has what repeats the run: -s, --size, --seed and --region.
part='bfs --size tiny -m gtx480-cawa -s network.width=8 -s l1d.mshrs=16 --seed 3 --region skip=100,warm=50,measure=2000'
run_program why $part --json -
check_status 0
tr -d ' \n' <out.txt >flat.txt
for field in '"workload":"bfs"' '"machine":"gtx480-cawa"' '"settings":["network.width=8","l1d.mshrs=16"]' \
    '"size":"tiny"' '"seed":3' '"region":{"skip":100,"warm":50,"measure":2000}' '"version":"' \
    "\"cycles\":$(cycles $part),"; do
    grep -qF "$field" flat.txt || complain "no $field in the JSON"
done
tr -d ' \n' <one.json >flat.txt
grep -qF '"settings":["network.width=4"],"size":"tiny",' flat.txt || complain "other settings or size in the JSON"
grep -qF '"seed":1,"region":null,' flat.txt || complain "another seed or region than none in the JSON"

# Every load hits in the L1, and its lanes' lines are sent one a cycle.
cat >lines.cl <<END
kernel void lines(global uint *out, global const uint *table)
{
    uint sum = 0;
    for (uint n = 0; n < 16; n++)
        sum += table[get_local_id(0) * 32 + sum];
    out[get_global_id(0)] = sum;
}
END
printf 'kernel: lines.cl\nbuffers: {out: {type: u32, count: 2048}, table: {type: u32, count: 4096}}\n' >lines.yaml
echo 'launches: [{global: [2048], local: [128], args: [out, table]}]' >>lines.yaml
run_program why lines.yaml -m v100 -s gpu.compute_units=4 -s l1d.banks=0 -s l1d.requests_per_cycle=1
check_status 0
tr '\n' ' ' <out.txt | grep -q ' for coalescer (.* L1 ports (l1d.ports=16 l1d.requests_per_cycle=4) helps most' ||
    complain "the sentence does not name the coalescer"

# A launch file without sizes, whose kernel does nothing; one whose kernel has several errors.
echo 'kernel void empty(void) {}' >empty.cl
printf 'kernel: empty.cl\nlaunches: [{global: [64], local: [64]}]\n' >empty.yaml
run_program why empty.yaml -m v100
check_status 0
grep -q '^empty.yaml on v100: [0-9]* cycles$' out.txt || complain "the first line names a size"
grep -q '^Warps never wait for memory; nothing that was tried' out.txt || complain "a wait that is none"
grep -q '; 1 run will show' err.txt || complain "not one run"
echo 'kernel void empty( {' >empty.cl
run_program why empty.yaml -m v100
check_status 2
grep -q "^empty.yaml:1:9: 'empty.cl' does not compile" err.txt || complain "lines of an error are joined"

expect_error 2 "no workload 'nothing' in the catalogue (warpwalk list workloads), and no such launch file" why nothing
expect_error 2 "-s l1d.siz=3: unknown key 'l1d.siz' (did you mean 'l1d.size'?)" why bfs -s l1d.siz=3
expect_error 2 "--jobs is '0' (a whole number from 1 to 1024 is needed)" why bfs --jobs 0

# A narrow link between clusters: a wider one helps most. One cluster has no link, and nothing to widen.
run_program why bfs --size tiny -m v100-halves -s link.bandwidth=16
check_status 0
tr '\n' ' ' <out.txt | grep -q 'link bandwidth (link.bandwidth=64) helps most' || complain "the sentence does not name the link"
grep -q ' -s link.latency=20$' out.txt || complain "the link's latency was not tried"
! grep -q ' -s link' one.txt || complain "a link of a machine without links was tried"

# Each cluster has an L2 TLB: 1024 more entries of 84 bits in each of two are 21 KiB.
run_program why gups --size tiny -m mi100-cuptw -s machine.clusters=2 -s l2_tlb.entries=1024 -s l2_tlb.ways=16
check_status 0
grep -q 'L2 TLB *x 2 *+21 KiB ' out.txt || complain "the storage is not that of all L2 TLBs"

# Walks on compute units, and walk warps: their own resources are tried, and those of the other are not.
run_program why gups --size tiny -m mi100-cuptw -s cuptw.mode=mt
check_status 0
grep -q ' -s cuptw.threads=32$' out.txt || complain "threads of translation wavefronts were not tried"
tr -s '\n ' ' ' <out.txt | grep -q ' -s translation=ideal without -s cuptw.mode=mt ' || complain "ideal translation was not tried"
! grep -q softwalker out.txt || complain "walk warps of a machine without them were tried"
# Settings that have no effect beside ideal translation are left out of its run, and that is said.
run_program why gups --size tiny -m mi100-cuptw -s cuptw.mode=full -s l2_tlb.mshrs=16
check_status 0
tr -s '\n ' ' ' <out.txt | grep -q ' -s translation=ideal without -s cuptw.mode=full, -s l2_tlb.mshrs=16 ' ||
    complain "ideal translation was not tried without a setting that it makes idle"
grep -q ' -s l2_tlb.mshrs=64$' out.txt || complain "registers that forwarded misses found full were not tried"
run_program why gups --size tiny -m mi100-cuptw -s cuptw.mode=softwalker
check_status 0
for setting in threads=64 requests=16 latency=40; do
    grep -q " -s softwalker.$setting\$" out.txt || complain "softwalker.$setting was not tried"
done
! grep -q cuptw.threads out.txt || complain "threads of translation wavefronts of walk warps were tried"
finish
