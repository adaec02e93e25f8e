#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bundle in an empty root: no library, no shell, no /proc. usage: bundle_test.sh MAKE BIN
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
for program in ringproof-bench ringproof-doctor; do
  case $(ldd "$2/$program" 2>&1) in
  *libasan* | *libtsan* | *libubsan*) echo "skipped: a sanitizer wants /proc" && exit 77 ;;
  esac
done
sh "$1" "$2" "$folder/bundle" || exit 1
"$folder/bundle/ringproof-bench" --version || exit 1
chroot "$folder" /bundle/ringproof-bench --version >"$folder/out" 2>&1
case $? in
0) ;;
125 | 1 | 126) # chroot itself is refused: not root
  if grep -q '^chroot:' "$folder/out"; then cat "$folder/out" && echo skipped && exit 77; fi
  cat "$folder/out" && exit 1 ;;
*) cat "$folder/out" && exit 1 ;;
esac
chroot "$folder" /bundle/ringproof-doctor >"$folder/out" 2>&1 || { cat "$folder/out" && exit 1; }
chroot "$folder" /bundle/ringproof-bench 'spsc/items:8/throughput/.*/ringproof$' --min-time 0.005 --repetitions 2 \
  --priority normal --json /out.json >"$folder/out" 2>&1
case $? in
0 | 4) ;; # 4: other programs let no thread run
*) cat "$folder/out" && exit 1 ;;
esac
grep -q '"ringproof-bench/1"' "$folder/out.json" || { echo "no result" && exit 1; }
echo "runs in an empty root"
