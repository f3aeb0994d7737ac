# Many launches, many groups, many compute units: all run, cost grows with the work and not with the configuration, and
# host memory is at most the footprint and 500 MB. docs/performance.md has what larger ones take.
. "$WW_ROOT/tests/support/cli.sh"

cp "$WW_ROOT/examples/saxpy/saxpy.ptx" .

# launch_file LAUNCHES GROUPS: groups of 32 that add 3 * 0 to 2.
launch_file() {
    awk -v launches="$1" -v groups="$2" 'BEGIN {
        print "kernel: saxpy.ptx"
        print "buffers: {x: {type: f32, count: 128, fill: 0}, y: {type: f32, count: 128, fill: 2}}"
        print "launches:"
        for (i = 0; i < launches; i++)
            printf "  - {entry: saxpy, groups: [%d], local: [32], args: [{f32: 3}, x, y, {u32: 128}]}\n", groups
        print "check: {y: {value: 2}}"
    }'
}

number_of() { # KEY: of the JSON object in out.txt; the last of that name: a statistic, not a key
    awk -v key="\"$1\":" '$1 == key { sub(",", "", $2); value = $2 } END { print value }' out.txt
}

launch_file 2000 1 >launches.yaml
run_program run launches.yaml -m v100 --json -
check_status 0
launch_file 1 50000 >groups.yaml
run_program run groups.yaml -m v100 --json -
check_status 0
[ "$(number_of core.groups)" -eq 50000 ] || complain "not 50000 groups"
run_program run atax --size tiny -m v100 -s gpu.compute_units=512
check_status 0

# What follows measures the program; with sanitizers it would measure them.
grep -q '^WW_SANITIZE:[A-Z]*=..*' "$WW_BUILD/CMakeCache.txt" && finish && exit

for run in "gups v100" "bfs mi100-cuptw" "xsbench v100" "spmv apu-isca18"; do
    set -- $run
    run_program run "$1" --size small -m "$2" --region skip=0,warm=0,measure=20000 --json -
    check_status 0
    [ "$(number_of host_peak_bytes)" -le $(($(number_of footprint) + 500000000)) ] ||
        complain "$(number_of host_peak_bytes) bytes of host memory"
done

# 2 GB of data on 128 compute units that walk, with 4 GB of host memory. The limit is one of addresses: it counts what is
# reserved and never used, too.
(
    ulimit -v 4000000
    run_program run jacobi1d --size cuptw -m mi100-cuptw -s cuptw.mode=full --region skip=100000,warm=1000,measure=200000 --json -
    check_status 0
    finish
) || failures=$((failures + 1))
command="run jacobi1d --size cuptw"
[ "$(number_of footprint)" -ge 2000000000 ] || complain "$(number_of footprint) bytes of data"
[ "$(number_of gpu.compute_units)" -eq 128 ] || complain "$(number_of gpu.compute_units) compute units"
[ "$(number_of host_peak_bytes)" -le $(($(number_of footprint) + 500000000)) ] ||
    complain "$(number_of host_peak_bytes) bytes of host memory"

# Host instructions of a launch of one group, on few and on many compute units: from 20 launches to 120.
command -v valgrind >/dev/null || {
    finish
    exit
}
instructions() { # COMPUTE_UNITS LAUNCHES
    launch_file "$2" 1 >few.yaml
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$WARPWALK" run few.yaml -m v100 \
        -s gpu.compute_units="$1" 2>&1 >/dev/null | awk '/Collected/ { print $4 }'
}
few=$((($(instructions 8 120) - $(instructions 8 20)) / 100))
many=$((($(instructions 512 120) - $(instructions 512 20)) / 100))
command="run few.yaml"
[ "$few" -gt 10000 ] && [ "$many" -le $((few * 3 / 2)) ] ||
    complain "a launch costs $few host instructions on 8 compute units and $many on 512"
# A kernel that holds more values at a time than rows are shared is right, and its cost does not explode.
awk 'BEGIN {
    n = 30000
    print ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry many(.param .u64 p)\n{"
    print ".reg .b32 %r<" n + 1 ">;\n.reg .b64 %rd1;\nld.param.u64 %rd1, [p];"
    for (i = 0; i <= n; i++) print "mov.u32 %r" i ", " i ";"
    for (i = 1; i <= n; i++) print "add.u32 %r0, %r0, %r" i ";"
    print "st.global.u32 [%rd1], %r0;\nret;\n}"
}' >many.ptx
cat >many.yaml <<'EOF'
kernel: many.ptx
buffers: {sum: {type: u32, count: 1}}
launches:
  - {groups: [1], local: [32], args: [sum]}
check: {sum: {values: [450015000]}}
EOF
run_program exec many.yaml
check_status 0
finish
