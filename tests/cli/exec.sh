# exec: launch files from the docs and the examples, results, JSON, and what happens when it fails.
. "$WW_ROOT/tests/support/cli.sh"

fenced() {
    awk -v kind="$1" '$0 == "```" {on = 0} on {print} $0 == "```" kind {on = 1}' \
        "$WW_ROOT/docs/launch-files.md"
}
fenced yaml >blend.yaml
fenced opencl >blend.cl
[ -s blend.yaml ] && [ -s blend.cl ] || complain "no example in docs/launch-files.md"
run_program exec blend.yaml
check_status 0
grep -qx 'blend.yaml on simt32: verified' out.txt || complain "not verified"
[ "$(wc -c <c.bin)" = 4096 ] || complain "c.bin does not have 4096 bytes"

for example in vadd reduction saxpy stencil; do
    for machine in simt32 simt64; do
        run_program exec "$WW_ROOT/examples/$example/$example.yaml" -m $machine
        check_status 0
        grep -q ": verified$" out.txt || complain "$example is not verified on $machine"
    done
done

run_program exec blend.yaml --json -
check_status 0
for line in '  "machine": "simt32",' '  "workload": "blend.yaml",' '  "size": null,' '  "seed": 1,' \
    '  "verified": true,' '  "complete": true,' '  "cycles": null,' '      "entry": "sums_of",' \
    '    "core.warp_width": 32,' '    "exec.groups": 8,'; do
    grep -qxF -e "$line" out.txt || complain "no line '$line'"
done
run_program exec blend.yaml --json - --no-verify
grep -qxF '  "verified": null,' out.txt || complain "verified without a check"

# A check that fails.
sed 's/16320/16000/' blend.yaml >wrong.yaml
run_program exec wrong.yaml
check_status 1
grep -qx 'wrong.yaml on simt32: WRONG' out.txt || complain "not wrong"
grep -q "^wrong.yaml:13:3: buffer 'sums' is wrong in 1 of 4 elements: \[0\] is 163.* (want 16000); " \
    err.txt || complain "no line about the wrong element"

# A kernel that does not compile: clang's own lines.
printf 'kernel void k(global int *a)\n{\n    *a = b;\n}\n' >bad.cl
printf 'kernel: bad.cl\nlaunches:\n  - {entry: k, global: [1], args: [null]}\n' >bad.yaml
run_program exec bad.yaml
check_status 2
grep -qx "bad.cl:3:10: error: use of undeclared identifier 'b'" err.txt || complain "no clang line"
grep -q "^bad.yaml:1:9: 'bad.cl' does not compile" err.txt || complain "no summary"

# Places where no dump can go are found before the run.
mkdir taken
ln -s . here
cat >dumps.yaml <<'END'
kernel: blend.cl
build_options: "-DSCALE=1"
buffers:
  a: {type: u8, count: 1}
  b: {type: u8, count: 1}
  c: {type: u8, count: 1}
  d: {type: u8, count: 1}
  e: {type: u8, count: 1}
  f: {type: u8, count: 1}
  g: {type: u8, count: 1}
  h: {type: u8, count: 1}
launches: []
dump:
  a: absent/a.bin
  b: taken
  c: one.bin
  d: ./one.bin
  e: ./blend.cl
  f: here/dumps.yaml
  g: null
  h: ""
END
expect_error 2 "dumps.yaml:14:6: a dump cannot be written to 'absent/a.bin': No such file or directory
dumps.yaml:15:6: a dump cannot be written to 'taken': it is a folder
dumps.yaml:17:6: a dump cannot be written to './one.bin': another dump goes there
dumps.yaml:18:6: a dump cannot be written to './blend.cl': it is the kernel
dumps.yaml:19:6: a dump cannot be written to 'here/dumps.yaml': a symbolic link is on the way
dumps.yaml:20:6: the file of a dump has no name
dumps.yaml:21:6: the file of a dump has no name" exec dumps.yaml

# What is not a regular file is not waited for.
mkfifo pipe.cl
ln -s /dev/zero endless.ptx
expect_error 2 "'pipe.cl' is not a regular file" inspect pipe.cl
expect_error 2 "'endless.ptx' is not a regular file" inspect endless.ptx
expect_error 2 "'pipe.cl' is not a regular file" exec pipe.cl

# A signal while clang runs ends both, and the scratch folder goes.
mkdir scratch
for signal in INT TERM; do
    printf '#!/bin/sh\nkill -%s $PPID\nexec sleep 60\n' $signal >clang-$signal
    chmod +x clang-$signal
done
export TMPDIR="$PWD/scratch"
expect_error 130 "interrupted" exec bad.yaml -s host.clang=./clang-INT -s host.kernel_cache=none
run_program exec bad.yaml -s host.clang=./clang-TERM -s host.kernel_cache=none
check_status 143
[ -z "$(ls scratch)" ] || complain "the scratch folder is still there"
unset TMPDIR

# Ctrl-C before the first kernel runs ends the process at once: nothing is lost. (A shell starts jobs with
# SIGINT ignored; the lowest digit of SigCgt tells that it is caught from now on. Before the job is the program, it is a
# shell that catches it, too.)
interrupt_when() { # CONDITION [SIGNAL STATUS]
    until eval "$1"; do
        kill -0 $pid 2>/dev/null || break
    done
    kill -${2:-INT} $pid 2>/dev/null
    status=0
    wait $pid || status=$?
    check_status ${3:-130}
}
command="exec fwt, interrupted while it fills"
"$WARPWALK" exec fwt --size cuptw >out.txt 2>err.txt &
pid=$!
interrupt_when "grep -q '^Name:.*warpwalk' /proc/$pid/status && grep -q '^SigCgt:.*[2367abef]\$' /proc/$pid/status"
[ ! -s out.txt ] || complain "it went on to the first launch"
[ "$(cat err.txt)" = interrupted ] || complain "it says something else than that it was interrupted"

# Afterwards it stops, and what there is of the result is written.
cat >stop.cl <<'END'
kernel void say(global int *a) { printf("here\n"); }
kernel void forever(global volatile int *a) { while (a[0] < 1000) a[1]++; }
END
cat >stop.yaml <<'END'
kernel: stop.cl
buffers: {a: {type: i32, count: 4}}
launches:
  - {entry: say, global: [1], args: [a]}
  - {entry: say, global: [1], args: [a]}
  - {entry: forever, global: [1], args: [a]}
END
command="exec stop.yaml, interrupted while it runs"
"$WARPWALK" exec stop.yaml --json stop.json >out.txt 2>err.txt &
pid=$!
interrupt_when '[ "$(grep -cx here err.txt)" = 2 ]'
grep -qx 'stop.yaml on simt32: INCOMPLETE: it did not come to its end' out.txt || complain "no summary"
grep -qx '  "complete": false,' stop.json || complain "no result"

# Likewise SIGTERM and SIGHUP, with time: the timeline is whole, too. One that is ignored stays ignored (nohup).
stop_timed() { # SIGNAL STATUS
    command="run stop.yaml, stopped by $1"
    rm -f stop.json
    : >err.txt
    "$WARPWALK" run stop.yaml --json stop.json --timeline timeline.json >out.txt 2>err.txt &
    pid=$!
    interrupt_when '[ "$(grep -cx here err.txt)" = 2 ]' $1 $2
    grep -qx 'stop.yaml on [a-z0-9-]*: INCOMPLETE: it did not come to its end' out.txt || complain "no summary"
    grep -qx '  "complete": false,' stop.json || complain "no result"
    [ "$(tail -n 1 timeline.json)" = ']' ] || complain "a broken timeline"
}
stop_timed TERM 143
stop_timed HUP 129
command="exec stop.yaml, with SIGHUP ignored"
: >err.txt
(trap '' HUP; exec "$WARPWALK" exec stop.yaml --max-instructions 3000000 >out.txt 2>err.txt) &
pid=$!
interrupt_when '[ "$(grep -cx here err.txt)" = 2 ]' HUP 1
grep -q 'stopped after 3000000 warp instructions' err.txt || complain "a signal that is ignored stopped it"

# A place where no result can go is found before the run, and an old result stays until there is a new one.
echo old >old.json
mkdir folder.json
expect_error 2 "cannot write 'absent/a.json': No such file or directory" exec blend.yaml --json absent/a.json
expect_error 2 "cannot write 'folder.json': Is a directory" exec blend.yaml --json folder.json
expect_error 2 "no workload 'nothing' in the catalogue (warpwalk list workloads), and no such launch file" \
    exec nothing --json old.json
[ "$(cat old.json)" = old ] || complain "the old result is gone"
[ "$(ls *.tmp 2>/dev/null)" = "" ] || complain "a temporary file is left"

expect_line 'atax (tiny) on simt32: not verified (--no-verify)' exec atax --size tiny --no-verify

# clang is found without a PATH.
command="exec without an environment"
env -i "$WARPWALK" exec blend.yaml -s host.kernel_cache=none >out.txt 2>err.txt || complain "$(cat err.txt)"

# clang is not installed, or is something else.
expect_error 2 "host.clang is '/nonexistent/clang', which cannot be run" \
    exec blend.yaml -s host.clang=/nonexistent/clang -s host.kernel_cache=none
printf '#!/bin/sh\nexit 3\n' >silent
printf '#!/bin/sh\necho what? >&2\nexit 4\n' >talking
printf '#!/bin/sh\nexit 0\n' >empty
chmod +x silent talking empty
expect_error 2 "blend.yaml:1:9: 'blend.cl' does not compile (./silent ends with status 3 and says nothing)" \
    exec blend.yaml -s host.clang=./silent -s host.kernel_cache=none
expect_error 2 "blend.yaml:1:9: 'blend.cl' does not compile (./talking ends with status 4 and says what?)" \
    exec blend.yaml -s host.clang=./talking -s host.kernel_cache=none
expect_error 2 "blend.yaml:1:9: 'blend.cl' does not compile (./empty exits with status 0, but without output: \
is it clang?)" exec blend.yaml -s host.clang=./empty -s host.kernel_cache=none

# Errors in the options are shown where the options are.
for options in '-DSCALE=1 -o x' "-DSCALE='1" '-DSCALE=1 -fno-such-thing' '-D1=1'; do
    sed "s/^build_options:.*/build_options: \"$options\"/" blend.yaml >options.yaml
    run_program exec options.yaml
    check_status 2
    grep -q '^options.yaml:2:16: ' err.txt || complain "does not point at the options $options"
done

# A launch file that is wrong in several places: all at once, nothing runs.
cat >errors.yaml <<'END'
kernel: blend.cl
build_options: "-DSCALE=1"
buffers:
  a: {type: f32, count: 16, fil: iota}
  b: {type: i33, count: 16}
launches:
  - {entry: blend, global: [16], local: [5], args: [a, a, a]}
END
expect_error 2 "errors.yaml:4:29: unknown key 'fil' (did you mean 'fill'?)
errors.yaml:5:13: 'type' is 'i33' (did you mean 'i32'?)
errors.yaml:7:41: 'global' 16 is not a multiple of 'local' 5 in dimension 0
errors.yaml:7:5: 'blend' has 4 parameters and gets 3 arguments" exec errors.yaml

expect_error 2 "cannot read 'absent.yaml': No such file or directory" exec absent.yaml
expect_error 2 "no workload 'nothing' in the catalogue (warpwalk list workloads), and no such launch file" exec nothing

# The simulated program is at fault.
cat >fault.cl <<'END'
kernel void beyond(global int *a) { a[get_global_id(0) + 4] = 1; }
kernel void forever(global volatile int *a) { while (a[0] < 1000) a[1]++; }
kernel void say(global int *a, float f) { printf("%d %s %.2f\n", a[2], "text", f); }
END
cat >fault.yaml <<'END'
kernel: fault.cl
buffers: {a: {type: i32, count: 4, fill: iota}}
launches:
  - {entry: beyond, global: [1], args: [a]}
END
run_program exec fault.yaml
check_status 1
grep -q "fault.cl:1" err.txt && grep -q "'a'" err.txt || complain "no place or buffer in the fault"
sed 's/beyond/forever/' fault.yaml >forever.yaml
run_program exec forever.yaml --max-instructions 10000
check_status 1
grep -q "stopped after 10000 warp instructions" err.txt || complain "did not stop"
sed 's/beyond/say/; s/\[a\]/[a, {f32: 1.5}]/' fault.yaml >say.yaml
run_program exec say.yaml
check_status 0
grep -qx '2 text 1.50' err.txt || complain "printf did not print"

# Large private arrays take the memory that is used of them, and are zero for each group; a group
# whose arrays are too large for the host is refused.
cat >private.cl <<'END'
kernel void k(global uint *o, uint n)
{
    volatile uint z[400000];
    uint i = get_global_id(0), sum = 0;
    for (uint j = 0; j < 10; j++)
        z[(i * 40009 + j * n) % 400000] += j + 1;
    for (uint j = 0; j < 10; j++)
        sum += z[(i * 40009 + j * n) % 400000];
    o[i] = sum;
}
END
cat >private.yaml <<'END'
kernel: private.cl
buffers: {o: {type: u32, count: 4096}}
launches:
  - {entry: k, global: [4096], local: [1024], args: [o, {u32: 39989}]}
check: {o: {value: 55}}
END
run_program exec private.yaml
check_status 0
sed 's/z.400000./z[4000000]/' private.cl >large.cl
sed 's/private.cl/large.cl/' private.yaml >large.yaml
expect_error 2 "large.yaml:4:5: kernel 'k' needs 16384000000 bytes of local memory for a group (at most 4294967296)" exec large.yaml

# A global offset and the number of dimensions.
cat >offset.cl <<'END'
kernel void k(global uint *a)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    a[y * 4 + x] = get_work_dim() * 1000 + get_global_offset(0) * 100 + get_global_offset(1) * 10 +
                   get_global_size(0);
}
END
cat >offset.yaml <<'END'
kernel: offset.cl
buffers: {a: {type: u32, count: 16}}
launches:
  - {entry: k, global: [2, 1], global_offset: [1, 2], args: [a]}
check: {a: {values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 2122, 2122, 0, 0, 0, 0, 0]}}
END
run_program exec offset.yaml
check_status 0

# A kernel with images is refused, by its source line; others of its file run.
cat >image.cl <<'END'
kernel void plain(global float4 *o) { *o = 1; }
kernel void image(read_only image2d_t i, sampler_t s, global float4 *o)
{
    *o = read_imagef(i, s, (int2)(1, 2));
}
END
cat >image.yaml <<'END'
kernel: image.cl
buffers: {o: {type: f32, count: 4}}
launches:
  - {entry: plain, global: [1], args: [o]}
check: {o: {value: 1}}
END
run_program exec image.yaml
check_status 0
sed 's/plain, global: .1., args: .o./image, global: [1], args: [o, o, o]/' image.yaml >image2.yaml
run_program exec image2.yaml
check_status 2
grep -q "image.cl:4: .*images, textures and samplers are not supported" err.txt ||
    complain "images are not refused"
finish
