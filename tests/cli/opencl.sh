# The OpenCL driver: programs of users run as they are, on exec and run, and tests of its families pass.
. "$WW_ROOT/tests/support/cli.sh"

programs=$WW_BUILD/tests/ocl
[ -x "$programs/vadd" ] || {
    echo "the OpenCL driver is not built here"
    exit 77
}

# The same values with and without time.
for mode in exec run; do
    for program in vadd buffers kernels language events shared threads launches large limits vectors rebuilds matrix; do
        [ -x "$programs/$program" ] || continue # C++ may be missing
        run_program app --mode $mode -s gpu.compute_units=4 --no-summary -- "$programs/$program"
        check_status 0
        grep -q '^right' out.txt || complain "$program on $mode: $(cat out.txt err.txt)"
    done
done

# An access outside of all buffers is one line, and names the kernel.
run_program app --mode exec --no-summary -- "$programs/events"
grep -q "^warpwalk: .*'bad'" err.txt || complain "no line about the fault: $(cat err.txt)"

# Only what a loader needs is exported, and no loader is linked.
exported=$(nm -D --defined-only "$WW_BUILD/libwarpwalk_ocl.so" | awk '{print $3}' | LC_ALL=C sort | tr '\n' ' ')
[ "$exported" = "clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR " ] || complain "exported: $exported"
! ldd "$WW_BUILD/libwarpwalk_ocl.so" | grep -q OpenCL || complain "the driver is linked with a loader"

# Two runs give the same result, byte by byte.
for name in one two; do
    run_program app -s gpu.compute_units=4 --json $name.json -- "$programs/vadd"
    check_status 0
    grep -v host_ $name.json >$name.txt
done
cmp -s one.txt two.txt || complain "two runs differ"
grep -q "on apu-isca18" err.txt || complain "no summary"

# A launch takes the cycles that the same launch of a launch file takes, and computes as much.
cat >vadd.cl <<'KERNEL'
__kernel void vadd(__global const float *a, __global const float *b,
                   __global float *c, uint n)
{
    size_t i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}
KERNEL
cat >vadd.yaml <<'LAUNCH'
kernel: vadd.cl
buffers:
  a: {type: f32, count: 4096, fill: iota}
  b: {type: f32, count: 4096, fill: iota}
  c: {type: f32, count: 4096}
launches:
  - {entry: vadd, global: [4096], local: [64], args: [a, b, c, {u32: 4096}]}
LAUNCH
value() { sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" "$2" | head -n 1; }
run_program run vadd.yaml -s gpu.compute_units=4 --json file.json
check_status 0
for key in cycles warp_instructions l1d.misses dram.bytes walk.count; do
    [ "$(value $key file.json)" = "$(value $key one.json)" ] ||
        complain "$key: $(value $key one.json) by the driver, $(value $key file.json) by a launch file"
done

# Single launches take time.
run_program app -s gpu.compute_units=4 --time 'launch 3..4' --json part.json -- "$programs/launches" 6
check_status 0
[ "$(grep -c '"cycles": null' part.json)" = 4 ] || complain "not four launches without time"

# A group that a compute unit cannot hold: the call says so, and a line says why.
run_program app -s core.registers=64 --no-summary -- "$programs/launches" 1
check_status 1
grep -q '^warpwalk: .*registers' err.txt && grep -q 'clEnqueueNDRangeKernel.* is -54 ' err.txt || complain "$(cat err.txt)"

# Queries and groups of the driver's choice know about registers.
run_program app -s core.registers=2048 --no-summary -- "$programs/limits"
check_status 0
grep -q '^a group has at most 640 of 1024 work-items$' out.txt || complain "$(cat out.txt)"

# A fault names the program's source and line, and no file that the user does not have.
grep -q "^warpwalk: <source>.cl:7: kernel 'far'" err.txt || complain "$(cat err.txt)"

# Without time, each launch has null cycles.
run_program app --mode exec --json exec.json --no-summary -- "$programs/launches" 3
check_status 0
[ "$(grep -c '"cycles": null' exec.json)" = 4 ] || complain "not null: $(grep cycles exec.json)"

# Programs that choose a device by its type or its name find this one when they are told so.
choose() { # WANTED OPTIONS... -- ARGUMENTS
    wanted=$1
    shift
    run_program app --mode exec --no-summary "$@"
    check_status 0
    [ "$(cat out.txt)" = "$wanted" ] || complain "$*: $(cat out.txt err.txt)"
}
choose "right, 49" -- "$programs/choose" gpu warpwalk
choose none -- "$programs/choose" cpu warpwalk
choose "right, 49" --device-type cpu -- "$programs/choose" cpu warpwalk
choose none --device-type cpu -- "$programs/choose" gpu warpwalk
choose none --device-name "Some Iris" -- "$programs/choose" gpu warpwalk
choose "right, 49" --device-name "Some Iris" --device-type accelerator -- "$programs/choose" accelerator Iris

# Wrong input: one line, status 2, and nothing runs.
run_program app
check_status 2
expect_error 2 "--mode is 'fast' (run or exec is needed)" app --mode fast -- true
expect_error 2 "--time is 'launch 5..3' (\"launch 3..5\", \"launch 3\" or \"launch 3..\" is needed)" \
    app --time 'launch 5..3' -- true
expect_error 2 "--device-type is 'npu' (gpu, cpu or accelerator is needed)" app --device-type npu -- true
run_program app -m nonesuch -- true
check_status 2
expect_error 2 "cannot run './nonesuch': No such file or directory" app -- ./nonesuch
OCL_ICD_VENDORS=$WW_BUILD/warpwalk.icd WARPWALK_TIME=soon "$programs/vadd" >out.txt 2>err.txt && complain "a wrong variable is accepted"
grep -q '^warpwalk: WARPWALK_TIME is' err.txt || complain "no line about WARPWALK_TIME: $(cat err.txt)"
OCL_ICD_VENDORS=$WW_BUILD/warpwalk.icd WARPWALK_DEVICE_TYPE=npu "$programs/vadd" >out.txt 2>err.txt && complain "a wrong type is accepted"
grep -q '^warpwalk: WARPWALK_DEVICE_TYPE is' err.txt || complain "no line about WARPWALK_DEVICE_TYPE: $(cat err.txt)"
finish
