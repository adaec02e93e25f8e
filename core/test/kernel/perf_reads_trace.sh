#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An unmodified `perf record` empties an AUX area of ours, examples/core-perf/trace.cpp: perf_reads_trace.sh CORE_PERF_TRACE.
# What perf itself shows of its file is compared with what was written. Exit code 77: perf is not installed, or does not
# know this processor's trace units.
set -u
core_perf_trace=$1
command -v perf >/dev/null || { echo "skipped: apt-get install --no-install-recommends linux-perf" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The trace's words, then "told BYTES" for each AUX record, as `perf report -D` shows them
shown() {
    perf report -D -i "$work/data" 2>/dev/null |
        sed -n 's/^\.  [0-9a-f]\{8\}: \(\( [0-9a-f][0-9a-f]\)\{24\}\) .*/\1/p
                s/.*PERF_RECORD_AUX offset: .* size: \(0x[0-9a-f]*\|0\) flags: 0 .*/told \1/p'
}

# judge WRITTEN: the words are 1, 2, 3, …, and they, and what the AUX records tell, are WRITTEN bytes.
judge() {
    python3 -c '
import sys
written, last, told, records = int(sys.argv[1]), 0, 0, 0
for line in sys.stdin:
    if line.startswith("told "):
        told, records = told + int(line[5:], 16), records + 1
        continue
    trace = bytes.fromhex(line)
    for at in range(0, len(trace), 8):
        word = int.from_bytes(trace[at:at + 8], "little")
        if word != last + 1:
            sys.exit(f"word {word} comes after {last}")
        last = word
if 8 * last != written or told != written:
    sys.exit(f"{8 * last} bytes of trace, and {told} told by AUX records, of {written}")
print(f"{written} bytes, told by {records} AUX records")' "$1"
}

"$core_perf_trace" 2000000 "$work/data" >"$work/out" 2>&1
code=$?
cat "$work/out"
[ $code -ne 77 ] || exit 77
[ $code -eq 0 ] || { echo "FAILED  core_perf_trace ended with $code" && exit 1; }
shown >"$work/shown"
written=$(sed -n 's/ bytes of trace written//p' "$work/out")
judge "$written" <"$work/shown" || { echo "FAILED" && exit 1; }
# What the judge is worth: without some of the trace, or one of the AUX records, it says so.
sed '100,110d' "$work/shown" | judge "$written" >/dev/null 2>&1 && { echo "FAILED  eleven pieces are taken away" && exit 1; }
sed '0,/^told/{/^told/d;}' "$work/shown" | judge "$written" >/dev/null 2>&1 &&
    { echo "FAILED  an AUX record is taken away" && exit 1; }
exit 0
