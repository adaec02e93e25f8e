#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A disk that is full while parts of a search are written: a sentence, an exit code, and no part lost.
# full_disk_test.sh PROGRAM SPLIT MERGE WORK [RINGPROOF]    RINGPROOF: also by ranks of MPI, where they are
# exit code 77: this system lets users mount nothing
set -eu
if [ "${6:-}" != inside ]; then
    unshare -rm true 2>/dev/null || { echo "skipped: no mounts for users here" && exit 77; }
    exec unshare -rm "$0" "$1" "$2" "$3" "$4" "${5:-}" inside
fi
program=$1 split=$2 merge=$3 work=$4 ringproof=$5
rm -rf "$work" && mkdir -p "$work/full" && cd "$work"
mount -t tmpfs -o size=64k none full 2>/dev/null || { echo "skipped: no mounts for users here" && exit 77; }

fail() { echo "failed: $*" >&2 && exit 1; }
ends() { # EXPECTED-CODE COMMAND…
    local expected=$1 code=0
    shift
    "$@" >said 2>&1 </dev/null || code=$?
    [ "$code" -eq "$expected" ] || { cat said >&2 && fail "exit code $code, not $expected: $*"; }
}
says() { grep -q -- "$1" said || { cat said >&2 && fail "it does not say '$1'"; }; }
fill() { dd if=/dev/zero of=full/rest bs=1k count=1000 status=none 2>/dev/null || true; }
orders='=orders: every order of six increments'

ends 4 "$program" "$orders" --max-executions 20 --checkpoint rest.json --divide 400
# Dividing: too many parts for the disk. What it was made from stays.
ends 2 "$split" rest.json --into 300 -o full/parts
says 'No space left on device'
rm -rf full/parts
ends 0 "$split" rest.json --into 3 -o parts

# A part: its result has no room, and then what is left of it has none.
ends 0 "$program" --resume parts/1.json --json parts/1.json.out
fill
ends 2 "$program" --resume parts/2.json --json full/2.json.out
says 'No space left on device'
[ ! -e full/2.json.out ] || fail "half a result is there"
ends 2 "$program" --resume parts/3.json --max-executions 5 --json parts/3.json.out --checkpoint full/left.json
says 'No space left on device'
[ ! -e full/left.json ] || fail "half a part is there"
# Nothing is lost: the same parts again.
rm -f full/rest parts/3.json.out
ends 0 "$program" --resume parts/2.json --json full/2.json.out
ends 0 "$program" --resume parts/3.json --json parts/3.json.out
ends 0 "$merge" parts/1.json.out full/2.json.out parts/3.json.out
says 'verified .*(720 executions in 3 parts'

# The folder of rank 0.
if ! command -v mpirun >/dev/null || [ ! -x "$(dirname "$ringproof")/ringproof-mpi" ]; then exit 0; fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { mpirun --oversubscribe -n 2 "$ringproof" mpi "$program" "$orders" --first-turn 0.01 --turn 0.05 --checkpoint full/folder "$@"; }
rm -rf full/*
fill
ends 2 ranks
says 'No space left on device'
rm -f full/rest
# How many parts there are, of at least a page each, depends on how fast the machine is.
mount -o remount,size=4m full
ends 0 ranks
says 'verified .*(720 executions'
