#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Searches by ranks of Open MPI on this machine: the same counts whatever their number, and whoever is killed.
# mpi_test.sh RINGPROOF SCENARIOS WORK [RUNS]    RUNS times ranks are killed while they search; default: 3
# exit code 77: no mpirun here
set -eu
ringproof=$1 scenarios=$2 work=$3 runs=${4:-3}
command -v mpirun >/dev/null || { echo "skipped: no mpirun here (in Debian: openmpi-bin libopenmpi-dev)" && exit 77; }
[ -x "$(dirname "$ringproof")/ringproof-mpi" ] || { echo "skipped: built without MPI (in Debian: libopenmpi-dev)" && exit 77; }
rm -rf "$work" && mkdir -p "$work" && cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

fail() { echo "failed: $*" >&2 && exit 1; }
ranks() { # COUNT EXPECTED-CODE ARGUMENT…
    local count=$1 expected=$2 code=0
    shift 2
    mpirun --oversubscribe -n "$count" "$ringproof" mpi "$@" >out 2>&1 </dev/null || code=$?
    [ "$code" -eq "$expected" ] || { cat out >&2 && fail "exit code $code, not $expected: $*"; }
}
says() { grep -q -- "$1" out || { cat out >&2 && fail "it does not say '$1'"; }; }
quick=(--first-turn 0.2 --turn 0.5)

for n in 1 2 7; do
    ranks $n 0 "$scenarios" eight "${quick[@]}"
    says 'verified .*(40320 executions'
done
ranks 3 0 "$scenarios" 5,040 eight late "${quick[@]}" --json all.json
"$ringproof" merge all.json >out
[ "$(grep -c verified out)" -eq 3 ] || fail "a search is missing"
says 'late: .*(10080 executions'
# By the verb of the command.
mpirun --oversubscribe -n 2 "$ringproof" verify --mpi '=spsc_queue: items arrive once and in order' --model rc11 >out 2>&1
says 'verified .*spsc_queue'
ranks 2 1 "$scenarios" wrong 5,040
says 'refuted .*wrong'
says 'verified .*(5040 executions'

# Many small jobs: each rank does its shard.
# shellcheck disable=SC2016 # as the rank sees it
mpirun --oversubscribe -n 2 sh -c '"$0" 5,040 eight --shard "$((OMPI_COMM_WORLD_RANK + 1))/$OMPI_COMM_WORLD_SIZE" \
    --json "shard-$OMPI_COMM_WORLD_RANK.json" --quiet' "$scenarios" >out 2>&1
"$ringproof" merge shard-0.json shard-1.json >out
says 'verified .*(5040 executions'
says 'verified .*(40320 executions'

# A searcher that dies on its part, whoever has it.
ranks 2 3 "$scenarios" killed
says 'searchers died on one part: signal 9'

# Stopped by its time, and gone on with by more.
ranks 2 4 "$scenarios" nine "${quick[@]}" --time 1 --checkpoint folder
says 'to go on: the same command; folder has what is left'
ranks 3 0 "$scenarios" nine "${quick[@]}" --checkpoint folder
says 'verified .*(362880 executions'
ranks 2 2 "$scenarios" eight --checkpoint folder
says 'it has the search of another command'
ranks 2 4 "$scenarios" nine "${quick[@]}" --time 1 --checkpoint damaged
part=$(find damaged -name '[0-9]*.json' | head -n 1)
sed -i 's/"ways"/"waYs"/' "$part"
ranks 2 2 "$scenarios" nine --checkpoint damaged
says 'it is damaged: its checksum does not match'

# A rank that does not have the program.
# shellcheck disable=SC2016 # as the rank sees it
printf '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" != 1 ] || { echo "not here" >&2 && exit 2; }\nexec "%s" "$@"\n' "$scenarios" >here
chmod +x here
ranks 3 0 ./here eight "${quick[@]}"
says 'rank 1 .*cannot search: not here'
ranks 2 2 ./nowhere eight
says 'nowhere'
ranks 2 2 "$scenarios" eight --max-executions 5
says 'give --time'

# Ranks that are killed: Open MPI 4 goes on without them when it is told to. Its exit code is 0 then.
export OMPI_MCA_orte_enable_recovery=1
rank_processes() { # of others than rank 0, of this run
    local process
    for process in $(pgrep -x ringproof-mpi); do
        { tr '\0' '\n' <"/proc/$process/environ" | grep -qx "RINGPROOF_TEST_RUN=$1"; } 2>/dev/null || continue
        { tr '\0' '\n' <"/proc/$process/environ" | grep -q '^OMPI_COMM_WORLD_RANK=[1-9]'; } 2>/dev/null && echo "$process"
    done
}
killed=0
for run in $(seq "$runs"); do
    rm -rf killed.json killed
    RINGPROOF_TEST_RUN=$$-$run mpirun --oversubscribe -n 6 "$ringproof" mpi "$scenarios" nine "${quick[@]}" --lost-after 2 \
        --checkpoint killed --json killed.json >out 2>&1 </dev/null &
    until [ -e killed/ranks.json ]; do kill -0 $! && sleep 0.05; done # killed in MPI_Init, all of them wait for it
    sleep 0.3
    for _ in 1 2 3; do
        sleep "0.$((RANDOM % 10))"
        victim=$(rank_processes "$$-$run" | shuf | head -n 1)
        [ -z "$victim" ] || { kill -9 "$victim" && killed=$((killed + 1)); }
    done
    wait $! || true
    "$ringproof" merge killed.json >merged || { cat out merged >&2 && fail "no result after a rank was killed"; }
    grep -q 'verified .*(362880 executions' merged || { cat out merged >&2 && fail "another count after a rank was killed"; }
done
echo "$killed ranks were killed in $runs runs, and nothing was lost"
