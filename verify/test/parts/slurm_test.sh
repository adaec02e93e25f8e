#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The array of docs/how-to/use-several-machines.md under Slurm: its controller and its daemon on this machine alone.
# slurm_test.sh PROGRAM SPLIT MERGE WORK; exit code 77: no Slurm here, or it does not start.
set -eu
program=$1 split=$2 merge=$3 work=$4
skip() { echo "skipped: $*" && exit 77; }
for tool in slurmctld slurmd sbatch squeue munged; do
    command -v "$tool" >/dev/null || skip "no $tool here (in Debian: slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd wants to be root"
rm -rf "$work" && mkdir -p "$work/state" "$work/spool" && cd "$work"

host=$(hostname -s)
cat >slurm.conf <<END
ClusterName=ringproof
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CryptoType=crypto/munge
SlurmctldPort=17817
SlurmdPort=17818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF="$work/slurm.conf"
head -c 1024 /dev/urandom >munge.key && chmod 400 munge.key
started=''
# shellcheck disable=SC2317,SC2086 # by a trap; a list of processes
stop() { [ -z "$started" ] || kill $started 2>/dev/null || true; }
trap stop EXIT
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge.seed" >munged.out 2>&1 &
started="$!"
until [ -S munge.socket ]; do kill -0 "${started##* }" 2>/dev/null || skip "munged does not start: $(tail -n 1 munged.out)"; sleep 0.1; done
slurmctld -D >slurmctld.out 2>&1 &
started="$started $!"
slurmd -D >slurmd.out 2>&1 &
started="$started $!"
tries=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || skip "no node is idle after 20 s: $(tail -n 1 slurmctld.out)"
    sleep 0.2
done

"$program" '=orders: every order of six increments' --max-executions 20 --checkpoint rest.json --divide 40 || [ $? -eq 4 ]
"$split" rest.json --into 6 -o parts
cat >part.sh <<END
#!/bin/sh
exec "$program" --resume parts/\$SLURM_ARRAY_TASK_ID.json --json parts/\$SLURM_ARRAY_TASK_ID.json.out
END
sbatch --wait --array=1-6 --output=part-%a.log part.sh
"$merge" parts/*.json.out --json all.json | tee merged
grep -q '^verified .*(720 executions in 6 parts' merged
