#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Locks, stacks, queues and deques of the sizes in the evaluation of Promising-ARM (Pulte, Pichon-Pharabod, Kang, Lee,
# Hur: PLDI 2019, appendix E, table 3), explored as g++ compiles them: name, verdict, executions, seconds of the search,
# and the seconds that the authors publish for their model on their machine (Promising; for -O3 the second figure).
# table.sh RINGPROOF-ARMV8 [REGEX]: those whose names match
set -u
armv8=$1 only=${2:-.}
here=$(cd "$(dirname "$0")" && pwd) || exit 3
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

row() { # NAME PUBLISHED FILE FLAG…
    local name=$1 published=$2 file=$3
    shift 3
    [[ $name =~ $only ]] || return 0
    "$armv8" "$here/$file" --time "${LIMIT:-300}" -- -O2 -std=c++20 "$@" >"$work/out" 2>&1
    sed -nE "s/^([a-z]+) .*\(([0-9]+) executions, [0-9]+ threads, ([^;]*);.*/| $name | \1 | \2 | \3 | $published |/p" "$work/out"
}
plans() { # NAME PUBLISHED FILE FIRST SECOND THIRD, each of three digits
    row "$1" "$2" "$3.cpp" "-DFIRST=${4:0:1},${4:1:1},${4:2:1}" "-DSECOND=${5:0:1},${5:1:1},${5:2:1}" "-DTHIRD=${6:0:1},${6:1:1},${6:2:1}"
}

for n in 1 2 3; do
    row "SLC-$n" "$(sed -n ${n}p <<<$'3.21\n4.69\n6.58')" locks.cpp -DTRIES=$n
done
for n in 1 2 3; do
    row "PCS-$n-$n" "$(sed -n ${n}p <<<$'0.26\n0.40\n1.36')" channel.cpp -DFIRST=$n,0,0 -DSECOND=0,$n,0
done
for n in 1 2 3; do
    row "PCM-$n-$n-$n" "$(sed -n ${n}p <<<$'0.30\n1.70\n71.12')" channel.cpp -DSHARED -DFIRST=$n,0,0 -DSECOND=0,$n,0 -DTHIRD=0,$n,0
done
for n in 1 2 3; do
    row "TL-$n" "$(sed -n ${n}p <<<$'10.16\n13.72\n18.08')" locks.cpp -DTICKETS -DTRIES=$n
done
plans STC-100-010-000 0.36 stack 100 010 000
plans STC-100-010-010 0.42 stack 100 010 010
plans STC-100-100-010 8.70 stack 100 100 010
plans STC-110-011-000 7.64 stack 110 011 000
plans STC-110-100-010 21.84 stack 110 100 010
plans STC-200-020-000 7.16 stack 200 020 000
plans STC-210-011-000 615.41 stack 210 011 000
plans DQ-100-1-0 0.30 deque 100 010 000
plans DQ-110-1-0 0.44 deque 110 010 000
plans DQ-110-1-1 0.66 deque 110 010 010
plans DQ-111-1-1 1.76 deque 111 010 010
plans DQ-211-1-1 9.51 deque 211 010 010
plans DQ-211-2-1 28.55 deque 211 020 010
plans QU-100-000-000 1.34 queue 100 000 000
plans QU-100-010-000 2.55 queue 100 010 000
plans QU-100-010-010 4.53 queue 100 010 010
plans QU-100-100-010 712.57 queue 100 100 010
plans QU-110-011-000 589.50 queue 110 011 000
plans QU-110-100-010 2108.12 queue 110 100 010
plans QU-200-010-010 531.41 queue 200 010 010
plans QU-200-020-000 286.99 queue 200 020 000
