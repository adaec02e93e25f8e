#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# herd_models_test.sh PROGRAM TESTS [MORE TESTS]...: aarch64.cat of a herd7 that is there, read by the simulator, and our
# own model say the same of the tests and of generated cycles; or exit code 77.
set -eu
program=$1
shift
herd=${RINGPROOF_HERD7:-$(command -v herd7 || true)}
if [ -z "$herd" ] || [ ! -x "$herd" ]; then
  echo "skipped: herd7 is not in PATH, and RINGPROOF_HERD7 does not name it"
  exit 77
fi
models=$("$herd" -libdir)
if [ ! -f "$models/aarch64.cat" ]; then
  echo "skipped: '$models', which $herd names, has no aarch64.cat"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" generate --arch AArch64 --seed 22 --count 200 --marks all --size 6 -o "$folder/cycles" >/dev/null
for tests in "$@"; do
  if [ -d "$tests" ]; then echo "$tests"; fi
done >"$folder/folders"
echo "$folder/cycles" >>"$folder/folders"

# What is found of each test, without the time that it took, and the remark on how DMB ISH is read.
outcomes() {
  while read -r tests; do
    "$program" --quiet "$@" "$tests" || [ $? -eq 1 ] || exit 1
  done <"$folder/folders" | grep -v '^Time\|^Flag Assuming-common-inner-shareable-domain' || true
}
outcomes --model aarch64 >"$folder/ours"
outcomes --cat "$models/aarch64.cat" -I "$models" >"$folder/theirs"
compared=$(grep -c '^Observation' "$folder/ours")
diff "$folder/ours" "$folder/theirs"
echo "$compared tests, the same states and counts under $models/aarch64.cat"
[ "$compared" -ge 200 ]
