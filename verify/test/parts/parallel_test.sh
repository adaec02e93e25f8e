#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The parts of a search under GNU parallel, as docs/how-to/use-several-machines.md has it.
# parallel_test.sh PROGRAM SPLIT MERGE WORK; exit code 77: it is not here.
set -eu
program=$1 split=$2 merge=$3 work=$4
parallel --version 2>/dev/null | grep -q '^GNU parallel' || { echo "skipped: no GNU parallel here (in Debian: parallel)" && exit 77; }
rm -rf "$work" && mkdir -p "$work" && cd "$work"
"$program" '=orders: every order of six increments' --max-executions 20 --checkpoint rest.json --divide 40 || [ $? -eq 4 ]
"$split" rest.json --into 6 -o parts
parallel --will-cite --jobs 2 "$program" --resume {} --json {}.out ::: parts/*.json
"$merge" parts/*.json.out --json all.json | tee merged
grep -q '^verified .*(720 executions in 6 parts' merged
