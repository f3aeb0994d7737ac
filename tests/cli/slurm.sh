# Studies on a cluster, with a real one: the same results as here, lost tasks, killed submitters, failures, errors.
. "$WW_ROOT/tests/support/cli.sh"
. "$WW_ROOT/tests/support/slurm.sh"
rm -rf ./*.db ./*.db.work shared
content=$WW_BUILD/tests/programs/study_content

cat >bad.cl <<'END_OF_FILE'
kernel void bad(global int *a) { a[1 << 20] = 1; }
END_OF_FILE
cat >bad.yaml <<'END_OF_FILE'
kernel: bad.cl
buffers: {a: {type: i32, count: 4}}
launches: [{entry: bad, global: [1], local: [1], args: [a]}]
END_OF_FILE
cat >mine.yaml <<'END_OF_FILE'
doc: eight runs, two of which fail
machine: gtx480-cawa
size: tiny
workloads: [backprop, bad.yaml, hotspot, transpose]
variants:
  rr: {core.scheduler: rr}
  gto: {core.scheduler: gto}
END_OF_FILE
cat >three.yaml <<'END_OF_FILE'
machine: gtx480-cawa
size: tiny
workloads: [backprop, hotspot, transpose]
END_OF_FILE
cat >long.yaml <<'END_OF_FILE'
machine: gtx480-cawa
workloads: [{name: hotspot, size: "small,steps=9"}, {name: transpose, size: tiny}] # hotspot: seconds, so that it is seen running
END_OF_FILE

# ---- without a cluster ----

expect_error 2 "--detach needs --backend slurm (runs are made here)" sweep mine.yaml --detach
expect_error 2 "--slurm needs --backend slurm (runs are made here)" sweep mine.yaml --slurm --hold
expect_error 2 "unknown --backend 'slum' (did you mean 'slurm'?)" sweep mine.yaml --backend slum
mkdir -p empty
command="sweep without Slurm"
status=0
PATH=$PWD/empty "$WARPWALK" sweep three.yaml --backend slurm >out.txt 2>err.txt || status=$?
check_status 1
tail -n 1 err.txt | grep -qxF -e "--backend slurm: 'scontrol' is not installed (Debian: slurm-client)" || complain "no word"
[ ! -e three.db.work ] || complain "the work folder is still there"

slurm_start
command="sweep with a dead controller"
sed 's/^SlurmctldPort=.*/SlurmctldPort=1/; s/^MessageTimeout=.*/MessageTimeout=1/' "$SLURM_CONF" >dead.conf
status=0
SLURM_CONF=$PWD/dead.conf "$WARPWALK" sweep three.yaml --backend slurm >out.txt 2>err.txt || status=$?
check_status 1
tail -n 1 err.txt | grep -q '^--backend slurm: scontrol failed: .*Unable to contact slurm controller' || complain "no word"

# ---- what would be submitted ----

run_program sweep mine.yaml --backend slurm --dry-run --jobs 2 --slurm '--partition=main --comment="two words"'
check_status 0
grep -qxF '8 runs would be submitted, already submitted: 0' err.txt || complain "other runs"
[ "$(grep -c '^\$ sbatch --partition=main ' out.txt)" -eq 2 ] || complain "not two arrays of at most five"
grep -q "^. sbatch .* '--comment=two words' --parsable --job-name=mine-[0-9a-f]* --array=0-4%2 --output=$PWD/mine.db.work/" \
    out.txt || complain "another command"
grep -qE '^0\) task [0-9a-f]{32}-[0-9a-f]{8} warpwalk run backprop -m gtx480-cawa -s core.scheduler=rr --size tiny --seed 1 ;;$' \
    out.txt || complain "no command of a run"
[ ! -e mine.db.work ] && [ ! -e mine.db ] || complain "a dry run wrote something"

# A script is one for a shell, and its limits are the study's.
sed 's/^size: tiny/size: tiny\nlimits: {time: 90, memory: 2GiB}/' three.yaml >limits.yaml
run_program sweep limits.yaml --backend slurm --dry-run
check_status 0
sed -n '/^#!/,$p' out.txt >script.sh
sh -n script.sh || complain "not a script"
grep -qxF '#SBATCH --time=4' script.sh && grep -qxF '#SBATCH --mem=2064M' script.sh || complain "no limits"
grep -qF 'timeout -s KILL 90 ' script.sh || complain "no limit of time in the task"

# ---- the same content as on this machine ----

run_program sweep mine.yaml --db here.db
check_status 1
cp out.txt here.txt
run_program sweep mine.yaml --db there.db --backend slurm --jobs 2
check_status 1
diff -u here.txt out.txt >&2 || complain "another report"
[ "$(grep -c '^submitted ' err.txt)" -eq 2 ] || complain "not two arrays"
grep -q '^  bad.yaml gto seed 1: exit status 1: ' out.txt || complain "no last lines of the failure"
"$content" here.db >here.content && "$content" there.db >there.content || complain "no content"
[ "$(wc -l <here.content)" -gt 100 ] || complain "hardly any content"
diff here.content there.content >&2 || complain "another content"
[ ! -e there.db.work ] || complain "the work folder is still there: $(ls there.db.work)"

run_program sweep mine.yaml --db refused.db --backend slurm --slurm --partition=nowhere
check_status 1
tail -n 1 err.txt | grep -q '^--backend slurm: sbatch failed: .*invalid partition specified: nowhere' || complain "no reason"
[ ! -e refused.db.work ] || complain "the work folder is still there"

# Over a limit: of time the task says it, of memory the result.
cat >slow.yaml <<'END_OF_FILE'
machine: gtx480-cawa
limits: {time: 1}
workloads: [{name: atax, size: small}]
END_OF_FILE
run_program sweep slow.yaml --backend slurm
check_status 1
grep -qF "exit status 137: over the study's limit of time" out.txt || complain "no limit of time"
sed 's/time: 1/memory: 1MiB/; s/atax, size: small/backprop, size: tiny/' slow.yaml >large.yaml
run_program sweep large.yaml --backend slurm
check_status 1
grep -qF "exit status 137: over the study's limit of memory" out.txt || complain "no limit of memory"

# ---- signals, --detach, cancelled tasks ----

wait_for() { # wait_for COMMAND...: until it succeeds
    for attempt in $(seq 300); do
        "$@" && return 0
        sleep 0.1
    done
    complain "waited for $* in vain"
    cat err.txt >&2
    exit 1
}
submitted() { grep -q '^submitted ' err.txt; }
queued() { squeue --noheader --array --format=%i | wc -l; }
in_background() { # a shell's background processes ignore SIGINT otherwise
    command="$*"
    : >err.txt # what the last one wrote must not be taken for this one's
    env --default-signal=INT "$WARPWALK" "$@" >out.txt 2>err.txt </dev/null &
    submitter=$!
    echo $submitter >"$cluster/submitter.pid"
}
wait_for_submitter() {
    status=0
    wait $submitter || status=$?
    rm "$cluster/submitter.pid"
}

in_background sweep three.yaml --backend slurm --slurm --hold
wait_for submitted
kill -INT $submitter
wait_for_submitter
check_status 130
grep -q '^cancelled three-' err.txt || complain "not cancelled"
[ "$(queued)" -eq 0 ] || complain "still in the queue"
[ ! -e three.db.work ] || complain "the work folder is still there: $(ls three.db.work)"

in_background sweep three.yaml --backend slurm --slurm --hold
wait_for submitted
kill -TERM $submitter
wait_for_submitter
check_status 143
grep -qxF "3 runs stay in Slurm's queue (the same command continues)" err.txt || complain "no word of them"
[ "$(queued)" -eq 3 ] || complain "not in the queue"

# The script is the record: nothing is submitted twice, and only the cancelled task again.
run_program sweep three.yaml --backend slurm --detach
check_status 0
grep -q '^submitted' err.txt && complain "submitted twice"
[ "$(queued)" -eq 3 ] || complain "other tasks in the queue"
[ ! -s out.txt ] || complain "a report already"
run_program sweep three.yaml --backend slurm --dry-run
grep -qxF '0 runs would be submitted, already submitted: 3' err.txt || complain "a dry run does not see them"
job=$(squeue --noheader --format=%F | sed -n 1p)
scancel "${job}_1"
run_program sweep three.yaml --backend slurm --detach
check_status 0
grep -q '^task three-[0-9a-f]*-1 is lost' err.txt || complain "the cancelled task is not missed"
grep -q '^submitted 1 run ' err.txt || complain "not submitted again"
scontrol release "$job"
expect_line '3 runs: 3 done, 0 failed, 0 to be made' sweep three.yaml --backend slurm
[ ! -e three.db.work ] || complain "the work folder is still there: $(ls three.db.work)"

# A run that is lost again and again has failed.
sed 's/backprop, hotspot, //' three.yaml >one.yaml
for attempt in 1 2 3; do
    run_program sweep one.yaml --backend slurm --slurm --hold --detach
    check_status 0
    grep -q '^submitted 1 run ' err.txt || complain "not submitted again"
    scancel "$(squeue --noheader --format=%F)"
done
run_program sweep one.yaml --backend slurm
check_status 1
grep -q '^  transpose base seed 1: exit status 137: lost by Slurm too often' out.txt || complain "submitted for ever"

# ---- kill -9: the submitter, a task's process, a node ----

# process DATABASE: that makes a run of it
process() {
    for p in /proc/[0-9]*; do
        case $(readlink "$p/exe" 2>/dev/null) in
        "$PWD/$1.work/warpwalk-"*) tr '\0' ' ' <"$p/cmdline" | grep -q hotspot && echo "${p#/proc/}" && return 0 ;;
        esac
    done
    return 1
}
runs_there() { process long.db >pid.txt; }
lost() { grep -q "is lost ($1)" err.txt; }

in_background sweep long.yaml --backend slurm
wait_for runs_there
kill -9 $submitter
kill -9 "$(cat pid.txt)"
in_background sweep long.yaml --backend slurm --slurm --no-requeue
wait_for lost FAILED
wait_for runs_there
pid=$(cat pid.txt)
script=$(awk '{print $4}' "/proc/$pid/stat")
kill -9 "$(slurm_pid slurmd)" $(slurm_keepers) "$script" "$pid"
scontrol update "nodename=$node" state=down reason=test
wait_for lost NODE_FAIL
slurm_node_start
scontrol update "nodename=$node" state=resume
wait_for_submitter
check_status 0
grep -qxF '2 runs: 2 done, 0 failed, 0 to be made' out.txt || complain "not all done"
grep -q -E '^(1 run was|2 runs were) submitted before$' err.txt || complain "a killed submitter is forgotten"
[ "$(grep -c '^submitted 1 run ' err.txt)" -eq 2 ] || complain "not twice again"
[ ! -e long.db.work ] || complain "the work folder is still there: $(ls long.db.work)"

# ---- a folder that nodes do not see ----

mkdir -p shared
if unshare --mount true 2>/dev/null; then
    command="sweep in a folder of its own"
    status=0
    unshare --mount sh -c 'mount -t tmpfs none shared && "$WARPWALK" sweep three.yaml --backend slurm --db shared/three.db' \
        >out.txt 2>err.txt </dev/null || status=$?
    check_status 1
    tail -n 1 err.txt | grep -qxF "$PWD/shared/three.db.work: a task on $node could not write here \
(the database has to be in a folder that all nodes share)" || complain "no word of the folder"
    [ "$(queued)" -eq 0 ] || complain "still in the queue"
fi
finish
