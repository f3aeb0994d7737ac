# Launch, machine and study files are data (docs/trust.md): no option, key or name in them runs a program or makes clang
# write a file.
. "$WW_ROOT/tests/support/cli.sh"

rm -rf work outside && mkdir -p work/inc outside && cd work || exit 1
cat >k.cl <<'END'
#ifndef TWO
#define TWO 2
#endif
kernel void k(global int *a) { a[get_global_id(0)] = TWO; }
END
echo '#define TWO 1 + 1' >inc/two.h
cp inc/two.h ../outside/two.h
ln -s ../outside out
ln -s ../../outside/two.h inc/link.h
ln -s inc same

# launch KERNEL OPTIONS: a launch file on standard output.
launch() {
    cat <<END_OF_FILE
kernel: "$1"
build_options: '$2'
buffers: {a: {type: i32, count: 4}}
launches: [{global: 4, args: [a]}]
check: {a: {value: 2}}
END_OF_FILE
}

# nothing_new: no file is here that was not before.
list() { (cd .. && find . ! -name '*.txt' ! -name mine.yaml | sort); }
list >../before.txt
nothing_new() {
    list >../after.txt
    diff ../before.txt ../after.txt >&2 || complain "files are here that nobody asked for"
}

# ---- options of the compiler ----

allowed="-DNAME=VALUE, -UNAME, -Ifolder and -include file inside of the file's own folder, -O2, -W..., -std=..., \
-cl-... and -f... of code generation"

refuse() {
    launch k.cl "$1" >mine.yaml
    expect_error 2 "mine.yaml:2:16: '${2:-$1}' is not a build option for a kernel ($allowed)" exec mine.yaml
    nothing_new
}

for option in -fplugin=./x.so -fpass-plugin=./x.so -fplugin-arg-x-y -ftime-trace=t.json -ftime-trace -save-temps/ \
    -B. --config=x -resource-dir=. -specs=x -MD -MFx -Wp,-MD,x -Wl,x -Wa,x -ox --serialize-diagnostics=x \
    -fmodules-cache-path=x -fprofile-generate -fcrash-diagnostics-dir=. -ftest-coverage -gsplit-dwarf -fcs-profile-generate=x \
    -fdiagnostics-format=sarif -Rpass=x -fopt-record-file=x -fsave-optimization-record --analyze -isysroot. \
    --sysroot=. --gcc-toolchain=. --cuda-path=. -fembed-offload-object=x -foffload-lto -emit-llvm @response -E -S \
    -std=/x -Wno-/x --version -v -P -dM -fuse-ld=./x -ivfsoverlayx -fmodule-map-file=x -fembed-bitcode \
    -cl-ext=+a,/x -fsanitize=address -fxray-instrument -include-pch -include../x; do
    case $option in
    -save-temps/) ;; # dropped, below
    *) refuse "$option" ;;
    esac
done
for words in '-Xclang -load' '-mllvm -load=x' '-Xarch_device x' '-x c' '-o x' '-MF x' '--config x' '-B x' \
    '-imacros k.cl' '-isystem .' '-iquote .' '-Xassembler x' '-Xpreprocessor -MD' '-T x' '-z x' \
    '-dependency-file x' '-resource-dir x' '-gdwarf -x' '-I. -fplugin=x'; do
    case $words in
    '-I. '*) refuse "$words" -fplugin=x ;;
    *) refuse "$words" "${words%% *}" ;;
    esac
done
refuse "-DX -D Y k.cl" k.cl
refuse '"-fplu"gin\=x' -fplugin=x
for word in -D-fplugin=x '-D -fplugin=x' '-U @x' '-D=1'; do
    launch k.cl "$word" >mine.yaml
    run_program exec mine.yaml
    check_status 2
    grep -q "^mine.yaml:2:16: .*(a macro's name begins with a letter or '_')" err.txt || complain "$(cat err.txt)"
    nothing_new
done

# Folders and files outside of the launch file's folder, however they are written.
for option in '-I ..' '-I..' '-I../outside' '-Iinc/../../outside' '-Iout' '-I /usr/include' '-I absent' '-Ik.cl' \
    '-include ../outside/two.h' '-include out/two.h' '-include inc/link.h' '-include /dev/zero' '-include inc' \
    '-include absent.h'; do
    launch k.cl "$option" >mine.yaml
    run_program exec mine.yaml
    check_status 2
    grep -q "^mine.yaml:2:16: build option '-[iI].*': no such f.* inside of '.' (a file's options stay inside of its folder)" err.txt || complain "$(cat err.txt)"
done
launch k.cl "-include $PWD/../outside/two.h" >mine.yaml
run_program exec mine.yaml
check_status 2

# What is allowed works.
for option in '-Iinc -include inc/two.h' '-I inc -I. -I ./same' '-DTWO="(1 + 1)"' '-D TWO=2 -U THREE' '-include k.cl -Dk=j -Uk' \
    '-cl-std=CL2.0 -cl-fast-relaxed-math -w' '-O1 -Wall -Wno-unused -ffp-contract=off -fwrapv' '-save-temps -g -arch=sm_80' \
    '--offload-arch=sm_80 -m64 -Xcompiler -fplugin=x -use_fast_math' "-I $PWD/inc"; do
    case $option in *k.cl*) continue ;; esac
    launch k.cl "$option" >mine.yaml
    run_program exec mine.yaml
    check_status 0
    nothing_new
done

# What a user types may say more.
run_program inspect k.cl --build-options "-I../outside -include two.h -fno-discard-value-names"
check_status 0

# ---- names of kernels that look like options, or lists of options ----

echo '-ftime-trace=evil.json' >evil.cl
for name in @evil.cl -ftime-trace=evil.cl -MD.cl; do
    cp k.cl "./$name"
    launch "$name" -Iinc >mine.yaml
    list >../before.txt
    run_program exec mine.yaml -s host.kernel_cache=none
    check_status 0
    nothing_new
    rm "./$name"
done
mkdir ./-fplugin=. @inc
cp k.cl ./-fplugin=./x.cl
cp k.cl @inc/x.cl
list >../before.txt
for name in -fplugin=./x.cl @inc/x.cl; do
    launch "$name" -I@inc >mine.yaml
    run_program exec mine.yaml -s host.kernel_cache=none
    check_status 0
    nothing_new
done

# ---- keys that name programs and folders ----

printf '#!/bin/sh\ntouch ran\nexit 1\n' >evil
chmod +x evil
list >../before.txt
launch k.cl '' >mine.yaml
for key in clang kernel_cache first_pass_cache; do
    why="host.$key names a program or a folder of this machine, which a file may not (use -s host.$key=... on the command line)"
    echo "host: {$key: ./evil}" >machine.yaml
    echo "base: machine.yaml" >base.yaml
    printf 'workloads: [mine.yaml]\nkeys: {host.%s: ./evil}\n' $key >study.yaml
    printf 'workloads: [mine.yaml]\nvariants: {a: {host.%s: ./evil}}\n' $key >variant.yaml
    printf 'workloads: [mine.yaml]\naxes: {host.%s: [./evil, ./k]}\n' $key >axis.yaml
    printf 'workloads: [mine.yaml]\nmachine: base.yaml\n' >based.yaml
    list >../before.txt
    expect_error 2 "machine.yaml:1:8: $why" exec mine.yaml -m machine.yaml
    expect_error 2 "./machine.yaml:1:8: $why" exec mine.yaml -m ./base.yaml
    expect_error 2 "study.yaml:2:8: $why" sweep study.yaml --dry-run
    expect_error 2 "variant.yaml:2:16: $why" sweep variant.yaml --dry-run
    expect_error 2 "axis.yaml:2:8: $why" sweep axis.yaml --dry-run
    expect_error 2 "./machine.yaml:1:8: $why" sweep ./based.yaml
    nothing_new
done
echo 'host: {run_ahead: false}' >machine.yaml
run_program exec mine.yaml -m machine.yaml
check_status 0
run_program exec mine.yaml -s host.clang=./evil -s host.kernel_cache=none
[ -e ran ] || complain "the user's own choice was not taken"
rm -f ran

# ---- a workload whose name looks like an option ----

cp mine.yaml ./--timeline=evil.yaml
echo 'workloads: ["--timeline=evil.yaml"]' >study.yaml
run_program sweep study.yaml --dry-run
check_status 0
grep -q '  warpwalk run ./--timeline=evil.yaml ' out.txt || complain "a workload is taken for an option"
rm -f ./--timeline=evil.yaml

# ---- what is read: nothing waits, nothing grows without bound ----

mkfifo pipe.cl pipe.bin pipe.yaml
ln -s /dev/zero zero.cl
for name in pipe.cl zero.cl /dev/zero; do
    launch "$name" '' >mine.yaml
    run_program exec mine.yaml
    check_status 2
    grep -qE "^mine.yaml:1:9: '$name' is not a (regular file|kernel )" err.txt || complain "$(cat err.txt)"
done
launch k.cl '' >mine.yaml
for name in pipe.bin /dev/zero /dev/stdin; do
    sed "s|count: 4|&, fill: {file: $name}|" mine.yaml >reads.yaml
    expect_error 2 "reads.yaml:3:49: '$name' is not a file" exec reads.yaml
    sed "s|{value: 2}|{file: $name}|" mine.yaml >reads.yaml
    expect_error 2 "reads.yaml:5:19: '$name' is not a file" exec reads.yaml
done
expect_error 2 "'pipe.yaml' is not a regular file" exec pipe.yaml
expect_error 2 "'pipe.yaml' is not a regular file" sweep pipe.yaml
expect_error 2 "'pipe.yaml' is not a regular file" exec mine.yaml -m pipe.yaml
echo 'base: ./pipe.yaml' >base.yaml
expect_error 2 "base.yaml:1:7: './pipe.yaml' is not a regular file" exec mine.yaml -m base.yaml
expect_error 2 "'/dev/zero' is not a regular file" exec /dev/zero
truncate -s 20M long.yaml
truncate -s 300M long.cl
expect_error 2 "'long.yaml' has 20971520 bytes (at most 16777216)" exec long.yaml
expect_error 2 "'long.yaml' has 20971520 bytes (at most 16777216)" sweep long.yaml
launch long.cl '' >mine.yaml
expect_error 2 "mine.yaml:1:9: 'long.cl' has 314572800 bytes (at most 268435456)" exec mine.yaml
cat >bomb.yaml <<'END'
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
END
expect_error 2 "bomb.yaml:1:4: anchors are not supported (write the value where it is used)" exec bomb.yaml
expect_error 2 "bomb.yaml:1:4: anchors are not supported (write the value where it is used)" sweep bomb.yaml
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "["; print "" }' >deep.yaml
expect_error 2 "deep.yaml:1:65: nested too deeply (at most 64 levels)" exec deep.yaml
awk 'BEGIN { printf "parameters: {n: \"="; for (i = 0; i < 1000000; i++) printf "("; print "\"}\nkernel: k.cl\nlaunches: []" }' >deep.yaml
run_program exec deep.yaml
check_status 2
finish
