#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# real_herd7_test.sh PROGRAM TESTS: the ring's litmus tests on a herd7 that is there, or exit code 77.
set -eu
out=$(mktemp)
trap 'rm -f "$out"' EXIT
code=0
"$1" --quiet --second-opinion herd7 --opinion-time 60 "$2" >"$out" || code=$?
if grep -q '^second opinion herd7: skipped' "$out"; then
  grep -A 1 '^second opinion herd7: skipped' "$out"
  exit 77
fi
tail -n 1 "$out"
grep 'One of the two\|gave up\|no answer' "$out" || true
[ "$code" = 0 ]
kernel=0 # no model of the kernel for its 44 tests
[ -n "${RINGPROOF_LINUX_MODEL-}" ] || kernel=44
grep -q ", 0 unlike ours, $kernel not expressible, 0 failed\$" "$out"
