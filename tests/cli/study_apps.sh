# Studies whose workloads are programs of the user: the file names them, the command line says what runs.
. "$WW_ROOT/tests/support/cli.sh"
programs=$WW_BUILD/tests/ocl
[ -x "$programs/vadd" ] || {
    echo "the OpenCL driver is not built here"
    exit 77
}
rm -rf ./*.db ./*.db.work seen program
cat >apps.yaml <<'END'
machine: v100
keys: {gpu.compute_units: 4}
workloads: [{app: vadd, label: mine}, {app: vadd, args: ["--loud", "two words", "$(touch stolen)", ""], label: loud}]
variants:
  rr: {core.scheduler: rr}
  small: {l1d.size: 8KiB}
metrics: {speedup: "cycles[rr] / cycles", cycles: cycles}
figures: {fast: {metric: speedup}, times: {metric: cycles}}
END

# The file alone starts nothing.
expect_error 2 "apps.yaml:3:19: app 'vadd' has no program (give --app vadd=PROGRAM: a study file starts none)
apps.yaml:3:45: app 'vadd' has no program (give --app vadd=PROGRAM: a study file starts none)" sweep apps.yaml
expect_error 2 "--app is 'vadd' (NAME=PROGRAM is needed)" sweep apps.yaml --app vadd
expect_error 2 "--app: cannot run './nothing': No such file or directory" sweep apps.yaml --app vadd=./nothing
expect_error 2 "--app: cannot run '.': not a regular file" sweep apps.yaml --app vadd=.
expect_error 2 "--app: cannot run 'apps.yaml': Permission denied" sweep apps.yaml --app vadd=apps.yaml
cp "$programs/vadd" program
expect_error 2 "unknown app of this study in --app: 'vad' (did you mean 'vadd'?)" sweep apps.yaml --app vadd=program --app vad=program
expect_error 2 "--app vadd is given twice" sweep apps.yaml --app vadd=program --app vadd=program
sed 's/^workloads.*/workloads: [{app: vadd, size: tiny}]/' apps.yaml >size.yaml
run_program sweep size.yaml --app vadd=program
check_status 2
grep -q "^size.yaml:3:25: unknown key 'size'" err.txt || complain "says $(cat err.txt)"
sed '1iregion: measure=1000' apps.yaml >region.yaml
run_program sweep region.yaml --app vadd=program
check_status 2
grep -q "^region.yaml:4:19: app 'vadd' takes no region" err.txt || complain "says $(cat err.txt)"
run_program sweep apps.yaml --app vadd=program --backend slurm
check_status 2
grep -q "^apps.yaml:3:19: an app cannot run with --backend slurm (local)$" err.txt || complain "says $(cat err.txt)"
[ ! -e apps.db ] || complain "something ran"

# A program that notes its arguments, and then is the real one.
cat >note <<END
#!/bin/sh
printf '<%s>' "\$@" >>$PWD/seen
exec $PWD/program
END
chmod +x note
run_program sweep apps.yaml --app vadd=./note --dry-run
check_status 0
[ "$(wc -l <out.txt)" -eq 4 ] || complain "not four runs"
grep -qF -- "warpwalk app -m v100 -s gpu.compute_units=4 -s core.scheduler=rr --seed 1 --no-summary -- $PWD/note --loud 'two words' '\$(touch stolen)' ''" \
    out.txt || complain "another command: $(cat out.txt)"
run_program sweep apps.yaml --app vadd=./note --jobs 2
check_status 0
grep -q '^mine  *1.000 ' out.txt || complain "no figure: $(cat out.txt)"
[ ! -e stolen ] || complain "an argument was run"
[ "$(grep -o '<--loud><two words><$(touch stolen)><>' seen | wc -l)" -eq 2 ] || complain "other arguments: $(cat seen)"

# A result is that of `warpwalk app`; nothing runs twice, until the program changes.
"$WARPWALK" app -m v100 -s gpu.compute_units=4 -s core.scheduler=rr --no-summary --json one.json -- ./program >/dev/null
cycles=$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' one.json)
run_program report apps.db --csv
grep -q "[^0-9]$cycles\([^0-9]\|$\)" out.txt || complain "other cycles than $cycles: $(cat out.txt)"
: >seen
run_program sweep apps.yaml --app vadd=./note
check_status 0
[ ! -s seen ] || complain "known runs were made again"
echo '# another program' >>note
run_program sweep apps.yaml --app vadd=./note
check_status 0
[ "$(grep -o '<--loud>' seen | wc -l)" -eq 2 ] || complain "runs of another program were not made"

# A report needs no program, and a program that fails is a run that failed.
run_program report apps.db
check_status 0
printf '#!/bin/sh\necho broken >&2\nexit 3\n' >note
run_program sweep apps.yaml --app vadd=./note
check_status 1
grep -q broken err.txt out.txt || complain "no reason"
finish
