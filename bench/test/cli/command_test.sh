#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the real binary: usage: command_test.sh RINGPROOF-BENCH RINGPROOF-DOCTOR
set -u
bench=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

# expect CODE PATTERN ARGUMENTS…: the exit code, and a line of stdout or stderr that matches (grep -E).
expect() {
  code=$1 pattern=$2
  shift 2
  "$bench" "$@" >"$folder/out" 2>&1
  got=$?
  if [ "$got" -ne "$code" ] || ! grep -Eq -- "$pattern" "$folder/out"; then
    echo "FAILED: $* : exit code $got, expected $code and a line like: $pattern"
    cat "$folder/out"
    failures=$((failures + 1))
  fi
}

short="--min-time 0.005 --repetitions 2 --priority normal"

expect 0 'spsc/items:8/throughput/.*/ringproof' --list
expect 0 'exit codes' --help
expect 0 '^ringproof [0-9]+\.[0-9]+' --version
expect 5 'nothing matches .no-such-benchmark.' no-such-benchmark
expect 5 'nothing matches' --list no-such-benchmark
expect 2 'no-such-option' --no-such-option
expect 2 'FILTER and --recommend cannot be given together|--recommend and FILTER cannot be given together' --recommend records:64
expect 2 'same-l9.*same-l3' --placement same-l9
expect 2 'CPU 99999' --placement 99999:0
expect 2 'no regular expression' '['
expect 2 'repetitions' --repetitions 0
for mode in lose twice reorder damage; do
  # shellcheck disable=SC2086 # several options on purpose
  expect 1 'error: spsc/items:8/throughput/.*/broken: (out of order|lost|damaged)' --broken-peer $mode --no-limits throughput $short
done
expect 2 'cannot write' --json "$folder/no/such/folder.json" limit/memcpy/16KiB --min-time 0.005 --repetitions 1

# A device is written to, not replaced by a file.
if [ -c /dev/full ]; then
  expect 2 'dev/full: cannot write' --json /dev/full limit/memcpy/16KiB --min-time 0.005 --repetitions 1
  [ -c /dev/full ] || { echo "FAILED: /dev/full is no device any more"; failures=$((failures + 1)); }
fi

# A run that measures: 0, or 4 where other programs let no thread run for a moment.
# shellcheck disable=SC2086
"$bench" 'spsc/items:8/throughput' $short --json "$folder/result.json" >"$folder/out" 2>&1
code=$?
case $code in
0 | 4) ;;
*) echo "FAILED: a run that measures: exit code $code"; cat "$folder/out"; failures=$((failures + 1)) ;;
esac
# What to use here: for each purpose a line to paste. Where other programs let no thread run for a moment, it says so (4).
# shellcheck disable=SC2086
"$bench" --recommend --min-time 0.005 --repetitions 3 --priority normal --quiet >"$folder/advice" 2>&1
code=$?
case $code in
0) wanted='ringproof::(spsc_queue<T.*> queue|record_ring<.*> ring)[{]' ;;
*) wanted='inconclusive|not measured' ;;
esac
if [ "$code" -ne 0 ] && [ "$code" -ne 4 ] || ! grep -Eq -- "$wanted" "$folder/advice"; then
  echo "FAILED: --recommend: exit code $code, without $wanted"
  cat "$folder/advice"
  failures=$((failures + 1))
fi
if grep -q 'not compared' "$folder/advice"; then
  echo "FAILED: --recommend is about ours alone"
  failures=$((failures + 1))
fi

# A package that is here is no missing peer: another release of Debian may have its header in another folder.
sed -En 's/^not compared, not installed: .*\(Debian: ([a-z0-9.+-]+)(, [0-9]+ MB)?\)$/\1/p' "$folder/out" >"$folder/missing"
while read -r package; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || continue
  echo "FAILED: $package is installed, and its queue was not found (is the build's configuration older?)"
  failures=$((failures + 1))
done <"$folder/missing"
for field in '"context"' '"benchmarks"' '"ringproof-bench/1"' '"topology"' '"warnings"' '"repetition_index": 1' \
  '"rtt_before_ns"' '"regime"' '"name": "spsc/items:8/throughput/[a-z0-9-]*/ringproof"' '"aggregate_name": "median"'; do
  if ! grep -q -- "$field" "$folder/result.json"; then
    echo "FAILED: no $field in the JSON"
    failures=$((failures + 1))
  fi
done

# A result against itself: nothing changed. Against one with every time doubled: exit code 1.
result() { # FACTOR
  echo '{"benchmarks":['
  for i in 1 2 3 4 5 6 7 8 9; do
    echo "{\"name\":\"x\",\"run_type\":\"iteration\",\"real_time\":$(((100 + i) * $1)),\"time_unit\":\"ns\"},"
  done
  echo '{"name":"x_median","run_type":"aggregate","real_time":1}]}'
}
result 1 >"$folder/old.json"
result 2 >"$folder/new.json"
expect 0 'no difference|^ +before' compare "$folder/old.json" "$folder/old.json" --fail-on 10%
expect 1 'x .*FAILED' compare "$folder/old.json" "$folder/new.json" --fail-on 10%
expect 0 'x .*slower' compare "$folder/old.json" "$folder/new.json"
expect 0 'x .*faster' compare "$folder/new.json" "$folder/old.json" --fail-on 0.1
expect 2 'no share' compare "$folder/old.json" "$folder/new.json" --fail-on lots
expect 2 'cannot read' compare "$folder/absent.json" "$folder/new.json"
echo '{"benchmarks":' >"$folder/torn.json"
expect 2 'torn.json:2:1' compare "$folder/torn.json" "$folder/new.json"
echo '{"benchmarks":[{"name":"y","real_time":1}]}' >"$folder/other.json"
expect 5 'no benchmark is in both' compare "$folder/old.json" "$folder/other.json"
expect 4 'too few' compare "$folder/other.json" "$folder/other.json"
expect 0 'carries' --peers
expect 0 '^[|] ringproof [|]' --peers --markdown
expect 2 'is only for --peers' --markdown

bench=$2
expect 0 'ping-pong|CPUs ' --json "$folder/doctor.json"
grep -q '"ringproof-doctor/1"' "$folder/doctor.json" || { echo "FAILED: doctor.json"; failures=$((failures + 1)); }
mkdir -p "$folder/root/proc"
echo '9.5 1 1 1/1 1' >"$folder/root/proc/loadavg"
expect 4 '!! +load +9.5' --strict --root "$folder/root"
expect 0 '!! +load +9.5' --root "$folder/root"
expect 2 'no-such-folder' --root "$folder/no-such-folder"

[ "$failures" -eq 0 ] && echo "all as expected"
exit "$failures"
