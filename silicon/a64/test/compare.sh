#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs under rc11, which judges the source, and under armv8, which judges what g++ makes of it: the rows of a table
# in docs/armv8.md.
# compare.sh FOLDER-OF-COMMANDS SOURCE-FOLDER [--check]: compares the rows with the page instead of printing them
# exit codes: 0 · 1 the page differs · 77 no cross compiler here
# shellcheck disable=SC2016 # the backquotes are the page's
set -u
bin=$1 top=$2 check=${3:-}
command -v aarch64-linux-gnu-g++ >/dev/null || { echo "skipped: no aarch64-linux-gnu-g++ here (in Debian: g++-aarch64-linux-gnu)" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
programs=$top/silicon/a64/test/programs
museum=$top/verify/museum/exhibits
# Boost's headers alone: the machine's own C headers are not for the cross compiler.
mkdir "$work/include" && ln -s /usr/include/boost "$work/include/boost"

page_file() { # PAGE NAME: a program that a page shows
    awk -v mark="<!-- file: $2 -->" '$0 == mark { on = 1; next } on && /^```/ { if (open) exit; open = 1; next } open' "$top/$1" >"$work/$2"
}
outcome() { # COMMAND…: "verified", or "refuted: …" with the beginning of the message
    "$@" >"$work/out" 2>&1
    case $(head -n 1 "$work/out" | tr '[:upper:]' '[:lower:]') in
    verified*) echo verified ;;
    refuted*) sed -nE "2{s/^ *//; s/^[^ ]*: (assertion '[^']*').*/\1/; s/ on .*//; s/^([^:]*):.*/\1/; s/[|]/\\\\|/g; s/^/refuted: /; p}" "$work/out" ;;
    *) head -n 2 "$work/out" | tail -n 1 ;;
    esac
}
row() { # TEXT FILE FLAG…
    local text=$1 file=$2 rc11 armv8 together
    shift 2
    case $file in *.cpp) set -- -std=c++20 "$@" ;; esac
    rc11=$(outcome "$bin/ringproof-check" "$file" --model rc11 --time 60 -- -O2 "$@")
    armv8=$(outcome "$bin/ringproof-armv8" "$file" --time 60 -- -O2 "$@")
    case $rc11/$armv8 in
    verified/verified) together=right ;;
    "refuted: data race"*/verified) together='races in C++, right on Armv8' ;;
    verified/refuted*) together='**breaks on Armv8**, which `rc11` does not see' ;;
    refuted*/refuted*) together='breaks on Armv8' ;;
    *) together='?' ;;
    esac
    echo "| $text | $rc11 | $armv8 | $together |"
}

rows() {
    local relaxed=memory_order_relaxed
    page_file docs/checking.md seqlock.cpp
    page_file docs/learn/find-a-bug.md handoff.c
    sed '/std::atomic_thread_fence(std::memory_order_acquire)/d' "$work/seqlock.cpp" >"$work/no-fence.cpp"
    row '`handoff.c` of [find a bug](learn/find-a-bug.md)' "$work/handoff.c"
    row '`seqlock.cpp` of [checking](checking.md)' "$work/seqlock.cpp"
    row '… without the reader'"'"'s fence' "$work/no-fence.cpp"
    row '`message.c`' "$programs/message.c"
    row '… with a relaxed store' "$programs/message.c" -DRELEASE=$relaxed
    row '`dependency.c`: an address orders' "$programs/dependency.c" -DADDRESS
    row '… a branch, and then a load' "$programs/dependency.c" -DCONTROL
    row '`buffering.c`: load buffering' "$programs/buffering.c" -DLOADS
    row '`waits.c`: two locks in two orders' "$programs/waits.c" -DLOCKS -DFOR_EVER
    row '`queue.cpp`: the core'"'"'s queue, A is a branch' "$programs/queue.cpp" -I"$top/core/include" -DPOLICY=ringproof::control_dependency
    row 'museum: `std::atomic<std::shared_ptr>` of libstdc++ 12' "$museum/libstdcxx-shared-ptr.cpp"
    [ ! -e /usr/include/boost/lockfree/stack.hpp ] ||
        row 'museum: `boost::lockfree::stack` of fixed capacity, Boost 1.74' "$museum/boost-stack.cpp" -I"$work/include"
}

rows >"$work/rows"
[ "$check" = --check ] || { cat "$work/rows" && exit 0; }
missing=$(grep -vxF -f "$top/docs/armv8.md" "$work/rows") || exit 0
echo "docs/armv8.md does not have these rows; silicon/a64/test/compare.sh prints all:"
echo "$missing"
exit 1
