#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# image_fuzz.sh FUZZER FOLDER SECONDS: fuzzes the reader of ELF files. FOLDER keeps what was found; the first inputs are
# two small programs.
# exit codes: 0 · 77 no cross compiler here · others: the fuzzer's
set -u
fuzzer=$1 found=$2 seconds=$3
command -v aarch64-linux-gnu-gcc >/dev/null || { echo "skipped: no aarch64-linux-gnu-gcc here (in Debian: gcc-aarch64-linux-gnu)" && exit 77; }
here=$(mktemp -d)
trap 'rm -rf -- "$here"' EXIT
mkdir -p "$found" "$here/first"
cat >"$here/small.c" <<'END'
__thread int own = 3;
int all = 4;
int main(void) { return own + all; }
void _start(void) { main(); }
END
for strip in -s -g0; do
    aarch64-linux-gnu-gcc -O1 $strip -static -nostdlib -no-pie -Wl,--build-id=none,-z,noseparate-code,-z,max-page-size=64,-z,common-page-size=64 \
        "$here/small.c" -o "$here/first/program$strip" || exit 3
done
"$fuzzer" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2500 -max_len=6000 -print_final_stats=1 "$found" "$here/first"
