#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs compiled for AArch64, and what of them Armv8 allows.
# programs_test.sh RINGPROOF-ARMV8 SOURCE-FOLDER CASE
# exit code 77: no cross compiler here
set -u
armv8=$1 top=$2 case=$3
programs=$top/silicon/a64/test/programs
command -v aarch64-linux-gnu-g++ >/dev/null || { echo "skipped: no aarch64-linux-gnu-g++ here (in Debian: g++-aarch64-linux-gnu)" && exit 77; }
here=$(mktemp -d)
trap 'rm -rf -- "$here"' EXIT
cd "$here" || exit 3

fail() { echo "FAILED: $*" >&2 && exit 1; }
check() { # VERDICT EXECUTIONS|- FILE FLAG…
    local verdict=$1 executions=$2 file=$3 code=0
    shift 3
    case $file in *.cpp) set -- -std=c++20 "$@" ;; esac
    "$armv8" "$file" --expect "${verdict%% *}" --time 60 -- -O2 -I"$top/core/include" "$@" >out 2>err || code=$?
    [ "$code" -eq 0 ] || { cat out err >&2 && fail "exit code $code: $file $*"; }
    [ "$executions" = - ] || grep -q "($executions executions" out || { cat out >&2 && fail "not $executions executions: $file $*"; }
}
says() { grep -qF -- "$1" out || { cat out >&2 && fail "it does not say: $1"; }; }
relaxed=memory_order_relaxed

case_message() { # a message is passed by release and acquire, by nothing less
    check verified 2 "$programs/message.c"
    check refuted - "$programs/message.c" -DRELEASE=$relaxed
    says "assertion 'data == 42' failed"
    check refuted - "$programs/message.c" -DACQUIRE=$relaxed
    says "message.c:"
    says "ldr"
    for level in -O0 -O1 -O3; do
        check verified 2 "$programs/message.c" $level
        check refuted - "$programs/message.c" $level -DACQUIRE=$relaxed
    done
    check verified 2 "$programs/message.c" -march=armv8.3-a
}
case_dependencies() { # dependencies of addresses and branches order what they order on the machine
    check verified - "$programs/dependency.c" -DADDRESS
    check refuted - "$programs/dependency.c" -DCONTROL   # reads behind a branch may be early
    check verified - "$programs/dependency.c" -DCONTROL_WRITE
    check refuted - "$programs/dependency.c" -DNONE
}
case_buffering() { # stores and loads pass each other where the machine lets them
    check refuted - "$programs/buffering.c" -DSTORES
    check verified - "$programs/buffering.c" -DSTORES -DORDER=memory_order_seq_cst
    check refuted - "$programs/buffering.c" -DLOADS
    check verified - "$programs/buffering.c" -DLOADS -DORDER=memory_order_seq_cst
}
case_updates() { # read-modify-writes lose nothing, by exclusives or by LSE
    check verified - "$programs/updates.cpp"
    check verified - "$programs/updates.cpp" -march=armv8.1-a
    check refuted - "$programs/updates.cpp" -DBROKEN
    check verified - "$programs/updates.cpp" -DEXCHANGE
    check verified - "$programs/updates.cpp" -DEXCHANGE -march=armv8.1-a
}
case_locks() { # mutexes exclude; without them updates are lost
    check verified - "$programs/lock.cpp"
    check refuted - "$programs/lock.cpp" -DNO_LOCK
}
case_structures() { # locks of exclusives and tickets, and Treiber's stack, are right with a release and wrong without
    for file in spin_lock ticket_lock treiber; do
        check verified - "$programs/$file.cpp"
        check refuted - "$programs/$file.cpp" -DRELEASE=std::$relaxed
    done
}
case_queue() { # the core's queue holds as it is compiled, with each barrier policy
    check verified 46 "$programs/queue.cpp" -DPOLICY=ringproof::acquire_release
    check verified - "$programs/queue.cpp" -O0
    check verified 56 "$programs/queue.cpp" -DPOLICY=ringproof::fences
    check verified 56 "$programs/queue.cpp" -DPOLICY=ringproof::control_dependency
}
case_queue_weakened() { # without B, C or D the queue hands out a wrong value; A is there by its branch
    check verified 56 "$programs/queue.cpp" -DWITHOUT=A # the branch is enough
    for letter in B C D; do
        check refuted - "$programs/queue.cpp" -DWITHOUT="$letter"
        says "assertion 'got == i' failed"
    done
}
case_record_ring() { # the core's record ring as well, and a torn or old record without B, C or D
    check verified 38 "$programs/record_ring.cpp"
    check verified 48 "$programs/record_ring.cpp" -DWITHOUT=A
    for letter in B C D; do
        check refuted - "$programs/record_ring.cpp" -DWITHOUT="$letter"
        says "assertion 'word == i + 1' failed"
    done
}
case_condition() { # condition variables wake those that wait, and a lost wake-up is found
    check verified 6 "$programs/condition.cpp"
    check verified 286 "$programs/condition.cpp" -DWAITERS=2
    check verified - "$programs/condition.cpp" -O0
    check refuted - "$programs/condition.cpp" -DONCE # it waits although the message is there
    says "lost wake-up: a thread waits for ever on a condition variable"
    says "thread 1 waits at condition.cpp:22 for changed"
    check refuted - "$programs/condition.cpp" -DNO_LOCK
    says "lost wake-up"
    check refuted - "$programs/condition.cpp" -DWAITERS=2 -DNOTIFY=notify_one
    says "lost wake-up"
    "$armv8" "$programs/condition.cpp" --liveness ignore -- -O2 -std=c++20 -DONCE >out || fail "--liveness ignore"
    says "a thread may wait for ever at condition.cpp:"
}
case_time() { # timed waits time out or do not; loops that wait for a deadline end
    check verified 8 "$programs/condition.cpp" -DTIMED
    check refuted - "$programs/condition.cpp" -DTIMED -DIN_TIME # it relies on being in time
    says "assertion 'message == 42' failed"
    check verified - "$programs/waits.c" -DDEADLINE -DFOR_EVER
    check verified - "$programs/waits.c" -DSLEEPS
    check refuted - "$programs/waits.c" -DSLEEPS -DFOR_EVER
    says "a loop never ends"
}
case_hangs() { # a thread that waits for ever refutes, with the places; one that waits while main() ends does not
    check verified - "$programs/waits.c" -DLOCKS
    check refuted - "$programs/waits.c" -DLOCKS -DFOR_EVER
    says "deadlock: a thread waits for a mutex"
    says "thread 0 waits at waits.c:52 for second"
    says "thread 1 waits at waits.c:18 for first"
    check verified - "$programs/waits.c" -DPOLLS
    check refuted - "$programs/waits.c" -DPOLLS -DFOR_EVER
    says "thread 1 waits at waits.c:23 for ready"
    check verified - "$programs/waits.c" -DPOLLS -DFOR_EVER -DENDS
    local machine
    for machine in armv8-a armv8.1-a; do # a lock that stores in each round ends, too
        check verified 4 "$programs/waits.c" -DEXCHANGES -march=$machine
        check refuted - "$programs/waits.c" -DEXCHANGES -DHELD -march=$machine
        says "a loop never ends"
    done
}
case_weaken() { # each instruction that orders is weakened, and it is said which are needed
    local code=0
    "$armv8" "$programs/spin_lock.cpp" --weaken -- -O2 -std=c++20 >out 2>err || code=$?
    [ "$code" -eq 0 ] || { cat out err >&2 && fail "exit code $code where all are needed"; }
    says "2 ordering instructions of $programs/spin_lock.cpp: 2 needed"
    says "spin_lock.cpp:13: ldaxr"
    says "spin_lock.cpp:17: stlr"
    [ ! -s err ] || { cat err >&2 && fail "it says something on standard error"; }
    "$armv8" "$programs/queue.cpp" --weaken --json w.json -- -O2 -std=c++20 -I"$top/core/include" >out 2>err || code=$?
    [ "$code" -eq 1 ] || { cat out err >&2 && fail "exit code $code where A is not needed"; }
    says "4 ordering instructions of $programs/queue.cpp: 3 needed, 1 over-strong"
    grep -q "^over-strong *barriers.hpp:[0-9]*: ldar" out || fail "A is not what is over-strong"
    says "(ldapr is enough)"
    says "str: $programs/queue.cpp:23: assertion 'got == i' failed"
    grep -q '"to": "ldapr"' w.json || fail "no weaker form in the document"
    "$armv8" "$programs/queue.cpp" --weaken -- -O2 -std=c++20 -I"$top/core/include" -DPOLICY=ringproof::fences >out
    says "dmb ish  (dmb ishst is enough)"
    code=0
    "$armv8" "$programs/message.c" --weaken -- -O2 -DRELEASE=$relaxed >out || code=$?
    [ "$code" -eq 1 ] || fail "exit code $code of a program that fails as it is"
    says "--weaken needs a program that holds"
}
lacks() { # FILE FLAG…: a program that fails; what it lacks is in `out`
    local file=$1
    shift
    case $file in *.cpp) set -- -std=c++20 "$@" ;; esac
    "$armv8" "$file" --missing 60 --json m.json -- -O2 -I"$top/core/include" "$@" >out 2>err
    [ $? -eq 1 ] || { cat out err >&2 && fail "$file $* is not refuted"; }
}
line_of() { grep -n -- "$1" "$programs/$2" | head -1 | cut -d: -f1; }
case_missing() { # of an execution that fails, the orders are named that it lacks, and tried
    local place
    lacks "$programs/message.c" -DRELEASE=$relaxed
    says "missing: with this order the program is verified (2 executions)"
    place=message.c:$(line_of RELEASE\) message.c)
    grep -qE "^ +$place +str w[0-9]+, \[x[0-9]+\] → stlr  memory_order_release$" out || { cat out >&2 && fail "not the store at $place"; }
    lacks "$programs/message.c" -DRELEASE=$relaxed -DACQUIRE=$relaxed # neither alone is enough
    says "missing: with these orders the program is verified (2 executions)"
    [ "$(grep -c " → .*memory_order_" out)" -eq 2 ] || { cat out >&2 && fail "not two orders"; }
    grep -qE " message.c:$(line_of 'ACQUIRE))' message.c) .* → ldar  memory_order_acquire$" out || { cat out >&2 && fail "not the load"; }
    lacks "$programs/buffering.c" -DSTORES
    [ "$(grep -c "→ .*memory_order_seq_cst$" out)" -eq 4 ] || { cat out >&2 && fail "not four accesses"; }
    [ "$(grep -c "dmb ish before ldr .*atomic_thread_fence(memory_order_seq_cst)$" out)" -eq 2 ] || { cat out >&2 && fail "not two barriers"; }
    lacks "$programs/queue.cpp" -DWITHOUT=D
    grep -qE "^ +weakened.hpp:[0-9]+ +str .* → stlr  memory_order_release$" out || { cat out >&2 && fail "not the release of the tail"; }
    lacks "$programs/lock.cpp" -DNO_LOCK
    says "no order is missing: threads that take turns fail so, too"
    ! grep -q "missing: with" out || fail "an order mends what is wrong without a lock"
    lacks "$top/silicon/a64/test/structures/deque.cpp" -DFIRST=2,1,0 -DSECOND=0,2,0 -DFENCE=std::memory_order_acquire
    says "or: with this order the program is verified (38 executions)" # Chase and Lev's barrier
    python3 - <<'END' || { cat m.json >&2 && fail "the document"; }
import json
[result] = json.load(open("m.json"))["results"]
accesses, barrier = result["counterexample"]["missing"]
assert [o["becomes"] for o in accesses["orders"]] == ["stlr", "ldar"], accesses
assert barrier["verdict"] == "verified" and barrier["executions"] == 38 and barrier["orders"][0]["barrier"], barrier
END
    "$armv8" "$programs/message.c" --missing 1e-9 --json m.json -- -O2 -DRELEASE=$relaxed >out
    says "the search for missing orders was ended: there may be other ways"
    grep -q '"more_missing": true' m.json || fail "the document does not say that the time was over"
    "$armv8" "$programs/message.c" --missing 60 -- -O2 -DRELEASE=$relaxed >out
    ! grep -q "was ended" out || fail "--missing 60 was not enough"
    "$armv8" "$programs/message.c" --missing 0 -- -O2 -DRELEASE=$relaxed >out
    ! grep -q "missing:" out || fail "--missing 0 looks for orders"
}
letters() { # SUMMARY FILE FLAG…: of each ordering instruction, whether the program needs it
    local summary=$1 file=$2
    shift 2
    "$armv8" "$programs/$file" --weaken --time 60 -- -O2 -std=c++20 -I"$top/core/include" "$@" >out 2>err
    says "ordering instructions of $programs/$file: $summary"
    says "assertion '"
}
case_shared_ring() { # the ring of several producers holds with each policy, and loses or tears records without B, C or D
    letters "3 needed, 1 over-strong" record_ring.cpp -DPRODUCER=shared -DNO_FLUSH # A's branch is there
    says "assertion 'word == i + 1' failed"
    says "a loop never ends" # a record is lost: its commit is overwritten
    letters "3 needed" record_ring.cpp -DPRODUCER=shared -DNO_FLUSH -DBASE=fences
    letters "3 needed" record_ring.cpp -DPRODUCER=shared -DNO_FLUSH -DBASE=control_dependency
}
case_mpsc_queue() { # so does the queue of several producers
    letters "3 needed, 1 over-strong" mpsc_queue.cpp
    letters "3 needed" mpsc_queue.cpp -DBASE=fences
    letters "3 needed" mpsc_queue.cpp -DBASE=control_dependency
}
case_when_full() { # and the rings that keep the oldest or the newest records
    letters "3 needed, 1 over-strong" record_ring.cpp -DFULL=keep_oldest
    letters "3 needed, 1 over-strong" recorder.cpp
    says "assertion 'newer == 0"
}
case_structures_of_promising_arm() { # locks, rings, stacks, queues and deques have the executions that the page says
    local structures=$top/silicon/a64/test/structures row name count
    bash "$structures/table.sh" "$armv8" '^(SLC-2|PCS-3-3|STC-110-100-010|DQ-110-1-1|QU-110-100-010)$' >rows
    [ "$(grep -c '| verified |' rows)" -eq 5 ] || { cat rows >&2 && fail "not all verified"; }
    while IFS='|' read -r _ name _ count _; do
        grep -q "^|$name|$count|" "$top/docs/armv8.md" || fail "docs/armv8.md has other executions:$name$count"
    done <rows
    for row in stack queue channel locks; do
        check refuted - "$structures/$row.cpp" -DFIRST=1,1,0 -DRELEASE=std::$relaxed
    done
    check refuted - "$structures/deque.cpp" -DFIRST=2,1,0 -DSECOND=0,2,0 -DFENCE=std::memory_order_acquire # an item comes out twice
}
case_update() { # an update whose old value is dropped acquires nothing
    check refuted - "$programs/update.c"
    check verified - "$programs/update.c" '-DOLD="w5"'
}
case_pairs() { # pairs of exclusives and CASP update 16 bytes as one; what loads them otherwise sees them torn
    check verified 6 "$programs/pair.c"
    check verified 6 "$programs/pair.c" -DCASP
    local torn
    for torn in LDP LDXP_ALONE HALVES; do
        check refuted - "$programs/pair.c" -D$torn
        says "assertion 'got[0] == got[1]' failed"
    done
}
case_mixed_sizes() { # accesses of several sizes to one word are one each, and order what they are a part of
    check verified 4 "$programs/mixed.c"
    check refuted - "$programs/mixed.c" -DACQUIRE=__ATOMIC_RELAXED
    check verified 3 "$programs/mixed.c" -DALL_OR_NOTHING -DWORD_READ
    check refuted - "$programs/mixed.c" -DALL_OR_NOTHING
    check refuted - "$programs/mixed.c" -DALL_OR_NOTHING -DWORD_READ -DHALVES_WRITTEN
    check verified 4 "$programs/mixed.c" -DWORD_READ -DHALVES_WRITTEN
    check refuted - "$programs/mixed.c" -DWORD_READ -DHALVES_WRITTEN -DRELEASE=__ATOMIC_RELAXED
    local machine
    for machine in armv8-a armv8.1-a; do
        check verified 10 "$programs/mixed.c" -DTICKETS -march=$machine
        check refuted - "$programs/mixed.c" -DTICKETS -march=$machine -DRELEASE=__ATOMIC_RELAXED
        says "assertion 'counter == 2"
        check refuted - "$programs/mixed.c" -DTICKETS -march=$machine -DACQUIRE=__ATOMIC_RELAXED
    done
}
case_chosen() { # functions that libraries choose by the processor run (IFUNC), such as libatomic's of 16 bytes
    check verified - "$programs/chosen.c"
    check refuted - "$programs/chosen.c" -DRELEASE=$relaxed
    check verified - "$programs/wide.cpp"
    check refuted - "$programs/wide.cpp" -DHALVES
    says "assertion 'got.first == got.second' failed"
    "$armv8" "$programs/chosen.c" --lse -- -O2 -DATOMICS=1 >out || { cat out >&2 && fail "chosen.c --lse"; }
    "$armv8" "$programs/chosen.c" --lse --expect refuted -- -O2 >out || { cat out >&2 && fail "chosen.c: the processor has no atomics"; }
}
case_early() { # waits end spuriously, and store-exclusives fail, where the program can tell
    check verified - "$programs/early.cpp" -DWAITS
    check verified - "$programs/early.cpp" -DWAITS -O0
    check refuted - "$programs/early.cpp" -DWAITS -DONCE # it takes the end of the wait for the message
    says "assertion 'message == 42' failed"
    check refuted - "$programs/early.cpp" -DWAITS -DCOUNTS=2
    "$armv8" "$programs/early.cpp" --spurious=never -- -O2 -std=c++20 -DWAITS -DONCE >out || fail "--spurious=never"
    says "without spurious wake-ups and failures"
    "$armv8" "$programs/early.cpp" -- -O2 -std=c++20 -DWAITS -DCOUNTS=10 >out
    [ $? -eq 4 ] || { cat out >&2 && fail "more rounds than are followed verify something"; }
    says "a fourth spurious wake-up"
    check verified - "$programs/early.cpp" -march=armv8.1-a # CAS does not fail
    check verified - "$programs/early.cpp" -mno-outline-atomics -DEXCHANGE=compare_exchange_strong
    check verified - "$programs/early.cpp" -mno-outline-atomics -DLOOP
    check refuted - "$programs/early.cpp" -mno-outline-atomics
    says "assertion 'x.EXCHANGE(expected, 1)' failed"
    check refuted - "$programs/early.cpp" -DATTEMPTS # a loop that counts what fails
}
case_shared_locks() { # readers share a read-write lock, a writer has it alone
    check verified - "$programs/shared_lock.cpp"
    check verified - "$programs/shared_lock.cpp" -DREADERS
    check verified - "$programs/shared_lock.cpp" -DTRIES
    check refuted - "$programs/shared_lock.cpp" -DWRITER_SHARES
    says "assertion 'first == second' failed"
    check refuted - "$programs/shared_lock.cpp" -DNO_LOCK
    check refuted - "$programs/shared_lock.cpp" -DFOR_EVER
    says "deadlock: a thread waits for a read-write lock that no one will unlock"
}
case_polling() { # what a thread polls is seen to be shared, however late another thread writes it
    check verified - "$programs/polling.c"
    check refuted - "$programs/polling.c" -DACQUIRE=$relaxed
}
case_clang() { # clang's code is checked as gcc's is
    command -v clang++ >/dev/null || { echo "skipped: no clang++ here" && exit 77; }
    for level in -O1 -O3; do
        "$armv8" "$programs/message.c" --cc "clang --target=aarch64-linux-gnu" -- $level >out 2>&1 || { cat out >&2 && fail "message.c $level"; }
    done
    "$armv8" "$programs/queue.cpp" --cc "clang++ --target=aarch64-linux-gnu" -- -O2 -std=c++20 -I"$top/core/include" >out 2>&1 ||
        { cat out >&2 && fail "queue.cpp"; }
    says "verified"
    "$armv8" "$programs/queue.cpp" --cc "clang++ --target=aarch64-linux-gnu" --expect refuted -- -O2 -std=c++20 -I"$top/core/include" \
        -DWITHOUT=D >out 2>&1 || { cat out >&2 && fail "queue.cpp without D"; }
}

# shellcheck source=silicon/a64/test/command_cases.sh
. "$top/silicon/a64/test/command_cases.sh"
"$case"
