# Arguments in memory (core.arguments: scalar): loads through the scalar cache, of lines that each launch has for itself; with
# walks on compute units in the same cache; results are right in checked mode; and the key is refused without a scalar cache.
. "$WW_ROOT/tests/support/cli.sh"

cat >k.ptx <<'EOF2'
.version 6.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 value)
{
    .reg .u64 %d<2>;
    .reg .u32 %r<2>;
    ld.param.u64 %d0, [out];
    add.u64 %d1, %d0, 4;
    ld.param.u32 %r0, [value];
    st.global.u32 [%d1], %r0;
    ret;
}
EOF2
cat >k.yaml <<'EOF2'
kernel: k.ptx
buffers:
  out: {type: u32, count: 2}
launches:
  - {entry: k, global: [64], local: [64], args: [out, {u32: 7}]}
  - {entry: k, global: [64], local: [64], args: [out, {u32: 8}]}
dump: {out: out.bin}
EOF2

# is STATISTIC VALUE
is() {
    got=$(sed -n "s/^ *\"$1\": \([0-9.]*\),\{0,1\}\$/\1/p" out.txt | head -1)
    [ "$got" = "$2" ] || complain "$1 is $got, not $2"
}

# A wavefront's first load misses; the second one, of the same line, needs the first one's value, and hits. The next launch has
# another line, of the same page.
run_program run k.yaml -m mi100-cuptw -s gpu.compute_units=1 -s core.arguments=scalar --json -
check_status 0
is l1s.scalar_accesses 4
is l1s.scalar_hits 2
is l1s.misses 2
is l1s_tlb.accesses 4
is l1s_tlb.misses 1
is l1s_reorder.requests 4
is l2.scalar_accesses 2
[ "$(od -An -tu4 out.bin | tr -s ' ')" = ' 0 8' ] || complain 'the value of an argument is another one'

# The default.
run_program run k.yaml -m mi100-cuptw -s gpu.compute_units=1 --json -
check_status 0
is l1s.scalar_accesses 0

# With walks in the same caches and reorder buffers.
few='-s gpu.compute_units=4 -s l1_tlb.entries=2 -s l2_tlb.entries=8 -s l2_tlb.ways=4 -s l2_tlb.mshrs=2'
for keys in '-s cuptw.mode=none' '-s cuptw.mode=base' '-s cuptw.mode=full -s l1s.reorder=0' '-s cuptw.mode=softwalker'; do
    for workload in bfs transpose; do
        # shellcheck disable=SC2086 # words of a command
        run_program run $workload --size tiny -m mi100-cuptw $few $keys -s core.arguments=scalar --json -
        check_status 0
        grep -qxF '  "verified": true,' out.txt || complain "$workload, $keys: the result is not verified"
        grep -q '^ *"l1s.scalar_accesses": [1-9]' out.txt || complain "$workload, $keys: no argument is loaded"
    done
done

expect_error 2 '-s core.arguments=scalar: has no effect while core.scalar_unit is false' \
    run k.yaml -m v100 -s core.arguments=scalar
finish
