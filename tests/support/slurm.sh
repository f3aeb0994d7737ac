# Sourced by tests of the cluster back end: a Slurm cluster of one node, with all its daemons, files and ports its own.
#
#   slurm_start        starts it; sets $cluster (its folder), $node and SLURM_CONF. Ends the test where that is impossible
#   slurm_node_start   starts the node's daemon (again)
#   slurm_pid DAEMON   the process of munged, slurmctld or slurmd
# It ends with the script, however that ends, and so does a process whose number is in $cluster/submitter.pid.
PATH=$PATH:/usr/sbin:/sbin
node=$(uname -n | cut -d. -f1)

skip() {
    echo "NOT RUN: $1" >&2
    exit 77
}

slurm_pid() {
    cat "$cluster/$1.pid" 2>/dev/null
}

# A process of the node that runs a job: its keeper, which is no child of the node's daemon.
slurm_keepers() {
    for process in /proc/[0-9]*; do
        case $(readlink "$process/exe" 2>/dev/null) in
        */slurmstepd*) grep -qzF "SLURM_CONF=$cluster/" "$process/environ" 2>/dev/null && echo "${process#/proc/}" ;;
        esac
    done
}

slurm_stop() {
    for daemon in slurmctld slurmd munged submitter; do
        pid=$(slurm_pid $daemon) && kill -9 "$pid" 2>/dev/null
    done
    for pid in $(slurm_keepers); do
        kill -9 "$pid" 2>/dev/null
    done
    rm -rf "$cluster"
}

# Tidies up after a script that was killed. Not among its children, which may be killed with it.
slurm_guard() {
    while kill -0 $$ 2>/dev/null; do
        sleep 1
    done
    slurm_stop
}

slurm_write_config() {
    cat >"$cluster/slurm.conf" <<CONFIG
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster/munge.socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=1
MessageTimeout=5
MaxArraySize=5
SchedulerParameters=sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONFIG
}

slurm_node_start() {
    SLURM_CONF=$SLURM_CONF slurmd -f "$SLURM_CONF"
}

slurm_answers() {
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ] && return 0
        sleep 0.3
    done
    return 1
}

# A daemon that finds its port taken ends: another one is tried then.
slurm_try() {
    slurm_write_config "$1"
    slurmctld -c -f "$SLURM_CONF" && slurm_node_start && slurm_answers && return 0
    for daemon in slurmctld slurmd; do
        pid=$(slurm_pid $daemon) && kill -9 "$pid" 2>/dev/null
        rm -f "$cluster/$daemon.pid"
    done
    return 1
}

slurm_start() {
    [ -d /sys/devices/system/cpu ] || skip "slurmd needs /sys, which is not mounted here"
    [ -d /sys/fs/cgroup ] || skip "slurmd needs /sys/fs/cgroup, which is not there"
    for program in munged slurmctld slurmd sbatch; do
        command -v $program >/dev/null || skip "'$program' is not installed (tools/setup does it)"
    done
    cluster=$(mktemp -d "${TMPDIR:-/tmp}/ww-slurm-XXXXXX") || exit 1
    trap slurm_stop EXIT
    trap 'exit 1' HUP INT TERM
    (trap - EXIT HUP INT TERM; slurm_guard >/dev/null 2>&1 </dev/null &)
    mkdir "$cluster/state" "$cluster/spool"
    chmod 755 "$cluster"
    (umask 077 && head -c 1024 /dev/urandom >"$cluster/munge.key")
    export SLURM_CONF="$cluster/slurm.conf"
    munged --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" \
        --pid-file="$cluster/munged.pid" --log-file="$cluster/munged.log" --seed-file="$cluster/munge.seed" \
        2>"$cluster/munged.err" || { cat "$cluster/munged.err" >&2; exit 1; }
    for attempt in 1 2 3; do
        slurm_try $((20000 + ($$ * 7 + attempt * 1001) % 20000)) 2>"$cluster/start.err" && return 0
    done
    tail -n 20 "$cluster/start.err" "$cluster/slurmctld.log" "$cluster/slurmd.log" >&2
    [ "$(id -u)" = 0 ] || skip "no Slurm cluster can be started as $(id -un), see above (as root it can)"
    echo "FAILED: no Slurm cluster can be started, see above" >&2
    exit 1
}
