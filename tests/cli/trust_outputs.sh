# What a file names is written below the current folder and through no link (docs/trust.md); what the user types is
# written where it says.
. "$WW_ROOT/tests/support/cli.sh"

rm -rf top && mkdir -p top/work/sub top/work/.hidden top/outside && cd top/work || exit 1
echo 'kernel void k(global int *a) { a[get_global_id(0)] = 2; }' >k.cl
ln -s ../outside out
ln -s ../outside/file link.bin
ln -s ../outside/none dangling.bin
ln -s sub inner
printf '#!/bin/sh\n' >tool
chmod +x tool
mkfifo pipe.bin
: >../outside/file
ln ../outside/file hard.bin

# launch PATH: a launch file that dumps there.
launch() {
    cat <<END_OF_FILE
kernel: k.cl
buffers: {a: {type: i32, count: 4}}
launches: [{global: 4, args: [a]}]
check: {a: {value: 2}}
dump: {a: "$1"}
END_OF_FILE
}
outside() { find ../outside | sort; ls -l ../outside/file | cut -c1-10; wc -c <../outside/file; }
outside >../before.txt

refuse() {
    launch "$1" >mine.yaml
    expect_error 2 "mine.yaml:5:11: a dump cannot be written to '$1': $2" exec mine.yaml
    outside | diff ../before.txt - >&2 || complain "it wrote outside all the same"
}

refuse ../x.bin "its path has a '..'"
refuse sub/../../x.bin "its path has a '..'"
refuse "$PWD/x.bin" "its path is absolute"
refuse /dev/null "its path is absolute"
refuse out/x.bin "a symbolic link is on the way"
refuse inner/x.bin "a symbolic link is on the way"
refuse link.bin "it is a symbolic link"
refuse dangling.bin "it is a symbolic link"
refuse out "it is a symbolic link"
refuse .profile "a part of its path begins with a '.'"
refuse .hidden/x "a part of its path begins with a '.'"
refuse ./sub/.x "a part of its path begins with a '.'"
refuse tool "it is a program"
refuse pipe.bin "it is not a regular file"
refuse sub "it is a folder"
refuse sub/ "it is a folder"
refuse ./ "it is a folder"
refuse sub//. "it is a folder"
refuse k.cl/x "Not a directory"
refuse absent/x "No such file or directory"
refuse ./mine.yaml "it is the launch file"
refuse sub/..k "a part of its path begins with a '.'"
long=$(printf '%0300d' 0)
refuse "$long" "File name too long"

# A dump takes the place of an old file; another name of that file keeps its bytes.
for path in x.bin ./sub//x.bin hard.bin; do
    launch $path >mine.yaml
    run_program exec mine.yaml
    check_status 0
    [ "$(od -An -tu4 -N4 "$path" | tr -d ' ')" = 2 ] || complain "$path is something else"
done
outside | diff ../before.txt - >&2 || complain "a hard link was written through"
! ls ./*.tmp sub/*.tmp >/dev/null 2>&1 || complain "a temporary file is left"

# The launch file is outside of the current folder: the user says where dumps go.
launch x.bin >mine.yaml
cd sub || exit 1
rm -f ./*.bin
expect_error 2 "../mine.yaml:5:11: a dump cannot be written to '../x.bin': it is outside of the current folder \
(--dump-dir DIR writes dumps below DIR)" exec ../mine.yaml
run_program exec ../mine.yaml --dump-dir .
check_status 0
[ -s x.bin ] || complain "no dump in the folder of --dump-dir"
cd ..
for folder in sub ../outside "$PWD/sub/" out; do
    rm -f sub/x.bin ../outside/x.bin
    run_program run mine.yaml --dump-dir "$folder"
    check_status 0
    [ -s sub/x.bin ] || [ -s ../outside/x.bin ] || complain "no dump below $folder"
done
rm -f ../outside/x.bin
launch ../x.bin >up.yaml
expect_error 2 "up.yaml:5:11: a dump cannot be written to 'sub/../x.bin': its path has a '..'" exec up.yaml --dump-dir sub
expect_error 2 "--dump-dir 'absent' is not a folder" exec mine.yaml --dump-dir absent
rm -f x.bin
run_program exec up.yaml --no-dump
check_status 0
run_program exec mine.yaml --no-dump
check_status 0
[ ! -e x.bin ] || complain "it dumped although it was not to"

# Runs of a study dump nothing: several would write to one file.
cat >study.yaml <<'END'
workloads: [mine.yaml, up.yaml]
seeds: [1, 2]
END
run_program sweep study.yaml --jobs 2
check_status 0
grep -qxF '4 runs: 4 done, 0 failed, 0 to be made' out.txt || complain "not all is done"
[ ! -e x.bin ] && [ ! -e ../x.bin ] || complain "a run of a study dumped"
run_program sweep study.yaml --dry-run
[ "$(grep -c ' --no-dump$' out.txt)" = 4 ] || complain "the commands would dump"

# The database of a study has the name that its file says: a link there is not followed.
ln -s ../outside/results.db linked.db
sed '1i name: linked' study.yaml >linked.yaml
expect_error 2 "linked.db: a symbolic link (--db linked.db follows it)" sweep linked.yaml
[ ! -e ../outside/results.db ] || complain "a database outside"
sed '1i name: ../outside/x' study.yaml >slash.yaml
expect_error 2 "slash.yaml:1:7: the name of the study has a '/'" sweep slash.yaml

# ---- what the user types ----

run_program exec mine.yaml --no-dump --json ../outside/typed.json
check_status 0
[ -s ../outside/typed.json ] || complain "--json goes elsewhere"

# Standard output holds what was asked for, and nothing else.
run_program run atax --size tiny --timeline - --json a.json
check_status 0
cp out.txt a.timeline
run_program run atax --size tiny --timeline b.timeline --json a.json
cmp a.timeline b.timeline >&2 || complain "--timeline - is another timeline"
run_program run atax --size tiny --trace warp=0.0 --trace-file - --json a.json
check_status 0
cp out.txt a.trace
run_program run atax --size tiny --trace warp=0.0 --trace-file b.trace --json a.json
cmp a.trace b.trace >&2 || complain "--trace-file - is another trace"
[ ! -e ./- ] || complain "a file '-'"

# Two results in one file.
: >old.json
ln -s old.json new.json
same() {
    expect_error 2 "--$1 and --$3 are both '$4' (each needs a file of its own)" \
        run atax --size tiny --$1 "$2" --$3 "$4" --trace warp=0.0
}
same json one.json timeline one.json
same json one.json timeline ./sub/../one.json
same json "$PWD/one.json" trace-file one.json
same json old.json timeline new.json
same trace-file t timeline ./t
same json - timeline -
same trace-file - timeline -
same json - timeline /dev/stdout
[ ! -e one.json ] && [ ! -s old.json ] || complain "something was written"
run_program run atax --size tiny --json /dev/null --timeline /dev/null
check_status 0
finish
