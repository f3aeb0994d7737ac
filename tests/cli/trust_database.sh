# A database from anybody, with the folder that lies beside it (docs/trust.md): nothing of theirs is run, and links lead
# nowhere. What the tables hold is tried in tests/unit/test_trust.c.
. "$WW_ROOT/tests/support/cli.sh"

rm -rf top && mkdir -p top/work top/outside/folder && cd top/work || exit 1
for name in a b.sh c.json; do echo dear >../outside/folder/$name; done
printf 'size: tiny\nworkloads: [backprop]\n' >few.yaml
(cd .. && find outside -type f | sort | xargs md5sum) >../before.txt

untouched() {
    (cd .. && find outside -type f | sort | xargs md5sum | diff before.txt -) >&2 || complain "files outside have changed"
}

# The folder itself, its lock, and the files of runs.
ln -s ../outside/folder few.db.work
expect_error 2 "few.db.work: a symbolic link, which warpwalk does not make (remove it)" sweep few.yaml
untouched
run_program sweep few.yaml --dry-run
name=$(cut -c1-32 out.txt)
for link in lock "$name-12345678.log" x.sh; do
    for kind in -s ''; do
        rm -rf few.db.work && mkdir few.db.work
        ln $kind "$PWD/../outside/folder/a" "few.db.work/$link"
        expect_error 2 "few.db.work: '$link' is a link or no file, which warpwalk does not make (remove it)" \
            sweep few.yaml
        untouched
    done
done
rm -rf few.db.work
[ ! -e few.db ] || complain "a database all the same"

# A cluster that only writes down what it is told.
mkdir bin
cat >bin/scontrol <<'END'
#!/bin/sh
echo MaxArraySize = 1001
END
cat >bin/sbatch <<'END'
#!/bin/sh
for script; do :; done
cp "$script" submitted.sh
sed -n "s/^program=//p" "$script" >program.txt
echo 7
END
cat >bin/squeue <<'END'
#!/bin/sh
echo "$@" >>asked.log
END
cp bin/squeue bin/scancel
chmod +x bin/*
PATH="$PWD/bin:$PATH"

# The program that jobs run is ours, whatever lies in its place; jobs of other names are left alone.
mkdir few.db.work
printf '#!/bin/sh\ntouch ran\n' >evil
chmod +x evil
run_program sweep few.yaml --backend slurm --dry-run
program=$(sed -n 's/^program=//p' out.txt)
cp evil "few.db.work/${program##*/}"
: >few.db.work/theirs.sh
: >few.db.work/all,of,them-12345678.sh
printf '0) task x\n' >few.db.work/root-1234567g.sh
run_program sweep few.yaml --backend slurm --detach
check_status 0
cmp "$(cat program.txt)" "$WARPWALK" >&2 || complain "another program was submitted"
! grep -qE 'theirs|them|root' asked.log 2>/dev/null || complain "asked about jobs of others: $(cat asked.log)"
finish
