#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An unmodified `perf record` empties a ring of ours, examples/core-perf: perf_reads.sh CORE_PERF. What perf itself says of
# its file afterwards is compared with what was written. Exit code 77: perf is not installed.
set -u
core_perf=$1
command -v perf >/dev/null || { echo "skipped: apt-get install --no-install-recommends linux-perf" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# The numbers of the samples, and the counts of LOST records as "lost N", in the order of perf's file
events() {
    perf script -D -i "$work/data" 2>/dev/null |
        sed -n 's/.*PERF_RECORD_SAMPLE(.*: \(0x[0-9a-f]*\) period: .*/\1/p; s/.*PERF_RECORD_LOST: .*lost:\([0-9]*\).*/lost \1/p'
}

# judge WRITTEN UNTOLD FIRST: from FIRST on, each number comes once, or a LOST record in its place counts it, up to WRITTEN;
# UNTOLD are lost at the end. perf may show a record twice: it reads head twice in a round.
judge() {
    python3 -c '
import sys
written, untold, first = (int(word) for word in sys.argv[1:])
last, told, samples, twice = first - 1, 0, 0, 0
for line in sys.stdin:
    if line.startswith("lost "):
        told += int(line[5:])
        continue
    number = int(line, 16)
    if number <= last:
        twice += 1
        continue
    if number != last + 1 + told:
        sys.exit(f"sample {number} comes after {last}, and {told} are told as lost between them")
    last, told, samples = number, 0, samples + 1
if last + told + untold != written:
    sys.exit(f"the last sample is {last}, {told} more are told as lost and {untold} are not, of {written}")
print(f"{samples} samples, {twice} twice")' "$@"
}

run() { # RECORDS [lossy|newest]
    "$core_perf" "$1" "$work/data" ${2+"$2"} >"$work/out" 2>&1
    code=$?
    cat "$work/out"
    [ $code -ne 77 ] || exit 77
    # A machine may forbid perf itself: `perf record` says so, and opens no event of ours.
    [ $code -eq 0 ] || { echo "FAILED  core_perf $* ended with $code" && exit 1; }
    events >"$work/events"
}

holds() { # WHAT WRITTEN UNTOLD FIRST
    what=$1
    shift
    if said=$(judge "$@" <"$work/events" 2>&1); then
        echo "ok      $what: $said"
    else
        echo "FAILED  $what: $said" && failed=1
    fi
    # What the judge is worth: without one sample, it says so.
    sed '/^0x/{100,110d;}' "$work/events" | judge "$@" >/dev/null 2>&1 &&
        echo "FAILED  $what: eleven samples are taken away, and nothing is found" && failed=1
}

run 100000
holds "each of 100000 samples comes" 100000 0 1

run 100000 lossy
untold=$(sed -n 's/.*of which \([0-9]*\) untold.*/\1/p' "$work/out")
holds "each of 100000 samples comes, or is told as lost" 100000 "$untold" 1
grep -q '^lost' "$work/events" || { echo "FAILED  nothing was lost" && failed=1; }

run 100000 newest
held=$(grep -c '^0x' "$work/events")
holds "the newest $held of 100000 samples come" 100000 0 $((100001 - held))
# 64 KiB hold 2,048 samples of 32 bytes.
[ "$held" -eq 2048 ] || { echo "FAILED  $held samples in a ring of 2048" && failed=1; }
exit $failed
