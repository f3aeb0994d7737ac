# What can go wrong around a database: each is one clear line and the right status, nothing that was stored is lost, and a
# later start goes on. What needs file systems of its own is made in a namespace of the test's own.
. "$WW_ROOT/tests/support/cli.sh"

seeds() {
    cat <<END_OF_FILE
machine: gtx480-cawa
size: tiny
workloads: [backprop]
seeds: [$(seq -s, 1 "$1")]
END_OF_FILE
}

# expect_fault STATUS LINE ARGUMENTS...: what the board writes aside, LINE is the only one (an extended regular expression).
expect_fault() {
    wanted=$1
    line=$2
    shift 2
    run_program "$@"
    check_status "$wanted"
    grep -vE '^\[[0-9]+/|^[a-z]+: [0-9]+ points, ' err.txt >lines.txt
    [ "$(wc -l <lines.txt)" -eq 1 ] && grep -qE "^$line$" lines.txt || {
        complain "not the one line '$line'"
        cat err.txt >&2
    }
}

# begin COUNT sweep FILE --db DB ...: starts the program; COUNT runs at least are stored when it returns.
begin() {
    stored=$1
    shift
    database=$4
    command="$* &"
    : >first.txt
    "$WARPWALK" "$@" >first_out.txt 2>first.txt </dev/null &
    runner=$!
    until [ "$("$WARPWALK" report "$database" 2>/dev/null | sed -n 's/^[0-9]* runs: \([0-9]*\) done.*/\1/p')" -ge "$stored" ] 2>/dev/null; do
        kill -0 $runner || { complain "it ended too early"; break; }
        sleep 0.01
    done
}

wait_for() {
    status=0
    wait $runner || status=$?
    cp first.txt err.txt
    check_status "$1"
}

all_done() {
    run_program sweep "$1" --db "$2"
    check_status 0
    grep -qE '^([0-9]+) runs: \1 done, 0 failed, 0 to be made$' out.txt || complain "not all is done afterwards"
    [ ! -e "$2.work" ] || complain "the work folder is still there"
}

# ---- in a namespace of its own: small and read-only file systems ----

full_disk() {
    for size in 16 100 112 144 148 152 200 300; do
        mount -t tmpfs -o size=${size}k none disk || return
        expect_fault 1 'disk/few.db(.work)?: no space left on the disk( for results)? \(what was stored is safe\)' \
            sweep few.yaml --db disk/few.db --jobs 2
        before=$(sed -n 's/^\[\([0-9]*\)\/.*/\1/p' err.txt | tail -n 1)
        mount -o remount,size=64m none disk
        run_program sweep few.yaml --db disk/few.db
        check_status 0
        grep -qxF '8 runs: 8 done, 0 failed, 0 to be made' out.txt || complain "not all is done afterwards, with $size KiB"
        had=$(sed -n 's/.* \([0-9]*\) of them done before; .*/\1/p' err.txt)
        [ "$had" -ge "${before:-0}" ] || complain "$had are stored, not $before, with $size KiB"
        umount disk
    done
}

read_only_disk() {
    mount -t tmpfs none disk
    run_program sweep few.yaml --db disk/few.db
    cp out.txt report.txt
    mount -o remount,ro none disk
    expect 0 report disk/few.db <report.txt
    if command -v sqlite3 >/dev/null; then # as versions 5, 4 and 3 left it
        mount -o remount,rw none disk
        cp disk/few.db six.db
        for lacks in "DROP TABLE lists; CREATE TABLE reuse (run, kernel, pc, counts); PRAGMA user_version = 5;
                INSERT INTO reuse VALUES (1, 'k', 3, '{\"uses\":7}')" 'DROP TABLE reuse; PRAGMA user_version = 4' \
            'DROP TABLE series; PRAGMA user_version = 3'; do
            mount -o remount,rw none disk
            sqlite3 disk/few.db "$lacks" || complain "no older version"
            mount -o remount,ro none disk
            expect 0 report disk/few.db <report.txt
        done
        mount -o remount,rw none disk
        mv six.db disk/few.db
        mount -o remount,ro none disk
    fi
    run_program sweep few.yaml --db disk/few.db --dry-run
    grep -qxF '8 points, 8 different runs, of which disk/few.db has 8' err.txt || complain "not known"
    expect_fault 2 'disk/few.db.work: the folder cannot be made: Read-only file system' sweep few.yaml --db disk/few.db
    umount disk

    # With a journal of a process that was killed.
    mount -t tmpfs none disk
    begin 3 sweep many.yaml --db disk/many.db --jobs 1
    kill -9 $runner
    wait $runner
    [ -s disk/many.db-wal ] || complain "no journal was left"
    until mount -o remount,ro none disk 2>/dev/null; do sleep 0.01; done # the run on its way ends, too
    run_program report disk/many.db
    check_status 0
    grep -qE '^40 runs: [3-9] done, 0 failed' out.txt || complain "the journal is not read"
    expect_fault 2 'disk/many.db.work: cannot write into the folder: Read-only file system' sweep many.yaml --db disk/many.db
    mount -o remount,rw none disk
    rm disk/many.db-shm
    mount -o remount,ro none disk
    expect_fault 2 'disk/many.db: it has a journal that can only be read in a folder that can be written to \(.*\)' \
        report disk/many.db
    mount -o remount,rw none disk
    all_done many.yaml disk/many.db
    umount disk
}

if [ "${1:-}" = in_namespace ]; then
    full_disk
    read_only_disk
    finish
    exit
fi

rm -rf ./*.db ./*.db-* ./*.db.work ./*memory* disk
mkdir disk
seeds 8 >few.yaml
seeds 40 >many.yaml
skipped=0
if unshare -rm sh -c 'mount -t tmpfs none disk' 2>unshare.txt; then
    unshare -rm sh "$0" in_namespace || failures=$((failures + 1))
else
    echo "SKIPPED: full and read-only disks: $(cat unshare.txt)" >&2
    skipped=77
fi

# ---- folders that cannot be written to ----

: >file
expect_fault 2 'file/few.db.work: the folder cannot be made: Not a directory' sweep few.yaml --db file/few.db
expect_fault 2 'none/few.db.work: the folder cannot be made: No such file or directory' sweep few.yaml --db none/few.db
: >blocked.db.work
expect_fault 2 'blocked.db.work: cannot write into the folder: Not a directory' sweep few.yaml --db blocked.db
[ ! -e blocked.db ] || complain "a database all the same"
mkdir folder.db
expect_fault 2 'folder.db: a folder \(a database is a file\)' sweep few.yaml --db folder.db
expect_fault 2 'folder.db: a folder \(a database is a file\)' report folder.db
expect_fault 2 "the database's name is empty" sweep few.yaml --db ''
expect_fault 2 "the database's name is empty" report ''
[ ! -e .work ] || complain "a work folder was left"
mkfifo pipe.db
expect_fault 2 'pipe.db: a device or a pipe \(a database is a file\)' sweep few.yaml --db pipe.db
# SQLite's own names for a database that is no file.
for name in :memory: 'file:few.db?mode=memory'; do
    all_done few.yaml "$name"
    [ -s "$name" ] || complain "no file $name"
    run_program report "$name"
    check_status 0
done
[ ! -e folder.db.work ] || complain "a work folder was left"

# ---- damage ----

run_program sweep few.yaml
check_status 0
cp out.txt report.txt
pages=$(($(wc -c <few.db) / 4096))

# damaged STATUS LINE: what a report and a sweep say of damaged.db, which neither of them changes.
damaged() {
    cp damaged.db as_it_was
    for what in "report damaged.db" "sweep few.yaml --db damaged.db"; do
        expect_fault "$1" "$2" $what
        cmp -s damaged.db as_it_was || complain "the file was changed"
        [ ! -e damaged.db.work ] || complain "a work folder was left"
    done
}
for bytes in 50 4096 50000 $((pages * 4096 - 4096)); do
    head -c $bytes few.db >damaged.db
    damaged 1 "damaged.db: the database is damaged: .* \('sqlite3 FILE .recover' saves what can be\)"
done
cp few.db damaged.db
printf 'some other text' | dd of=damaged.db conv=notrunc 2>/dev/null
damaged 2 'damaged.db: not a database of results \(file is not a database\)'
# Any page: a sweep finds it before the first run. A report does when it needs the page, and else is right.
page=1
while [ $page -lt "$pages" ]; do
    cp few.db damaged.db
    dd if=/dev/zero of=damaged.db bs=4096 seek=$page count=1 conv=notrunc 2>/dev/null
    expect_fault 1 "damaged.db: the database is damaged: .*" sweep few.yaml --db damaged.db
    run_program report damaged.db
    if [ "$status" -eq 0 ]; then
        cmp -s out.txt report.txt || complain "another report, with page $page damaged"
    else
        expect_fault 1 "damaged.db: the database is damaged: .*" report damaged.db
    fi
    page=$((page + 3))
done
: >damaged.db
expect_fault 2 'damaged.db: a database, but not of warpwalk results' report damaged.db
all_done few.yaml damaged.db

# ---- two runners ----

begin 1 sweep many.yaml --db two.db --jobs 1
mkdir -p other
seeds 3 >other/many.yaml
for file in few.yaml other/many.yaml; do
    expect_fault 1 "two.db: another warpwalk \(process $runner on $(uname -n)\) makes runs into this database \(.*\)" \
        sweep $file --db two.db
done
expect_line 'many' report two.db
grep -qE '^40 runs: [0-9]+ done, 0 failed, [0-9]+ to be made$' out.txt || complain "the first one was disturbed"
wait_for 0
grep -qxF '40 runs: 40 done, 0 failed, 0 to be made' first_out.txt || complain "the first one was disturbed"
cp first_out.txt whole.txt

# ---- a journal that was left behind ----

begin 3 sweep many.yaml --db killed.db --jobs 2
kill -9 $runner
wait $runner
[ -s killed.db-wal ] || complain "no journal was left"
run_program report killed.db
check_status 0
grep -qE '^40 runs: ([3-9]|[1-3][0-9]) done, 0 failed' out.txt || complain "what was stored is not there"
all_done many.yaml killed.db
cmp -s out.txt whole.txt || complain "another report than of an undisturbed one"

# ---- a database that goes away while it is in use ----

begin 3 sweep many.yaml --db gone.db --jobs 1
rm gone.db gone.db-wal gone.db-shm
wait_for 1
tail -n 1 err.txt >last.txt
grep -qx 'gone.db: the database was removed or replaced while it was in use (the same command begins a new one)' last.txt ||
    complain "nothing is said of it"
[ "$(ls gone.db.work | wc -l)" -eq 1 ] || complain "the result that could not be stored was not kept"
run_program sweep many.yaml --db gone.db --jobs 1
check_status 0
cmp -s out.txt whole.txt || complain "another report than of an undisturbed one"
begin 3 sweep many.yaml --db gone2.db --jobs 1
cp few.db new.db
mv new.db gone2.db
wait_for 1
grep -qx 'gone2.db: the database was removed or replaced while it was in use (the same command begins a new one)' err.txt ||
    complain "nothing is said of it"

# ---- a work folder that goes away while it is in use ----

begin 3 sweep many.yaml --db bare.db --jobs 2
rm -rf bare.db.work
wait_for 1
grep -v '^\[' err.txt | tail -n +2 >last.txt
grep -qx 'bare.db.work: the folder was removed while it was in use (the same command makes it again)' last.txt &&
    [ "$(wc -l <last.txt)" -eq 1 ] || complain "not the one line about it"
expect_line 'many' report bare.db
grep -qE '^40 runs: [0-9]+ done, 0 failed, [0-9]+ to be made$' out.txt || complain "runs failed because of it"
all_done many.yaml bare.db
cmp -s out.txt whole.txt || complain "another report than of an undisturbed one"

[ "$failures" -eq 0 ] || exit 1
exit $skipped
