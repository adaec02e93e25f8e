#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the command does beside its verdict: refusals, replay, bounds, estimates, several processes, checkpoints, reports.
# A part of programs_test.sh, which has `check`, `says`, `fail` and the variables.
# shellcheck disable=SC2154
case_runtime_kept() { # its runtime is compiled once, and anew with another compiler or where it cannot be kept
    printf 'int main(void) { return 0; }\n' >nothing.c
    compiler() { # COMMENT: one that tells what it compiles
        printf '#!/bin/sh\n# %s\necho "$@" >>calls\nexec aarch64-linux-gnu-gcc "$@"\n' "$1" >cc
        chmod +x cc
    }
    compiled() { # FLAG…: whether a run compiles the runtime
        : >calls
        "$armv8" --cc "$here/cc" "$@" nothing.c >out 2>&1 || { cat out >&2 && fail "exit code $?"; }
        grep -q 'start\.c ' calls
    }
    compiler "one"
    export RINGPROOF_CACHE=$here/kept
    compiled || fail "nothing is kept, and nothing compiled"
    compiled && fail "what is kept is compiled again"
    compiled --lse || fail "with --lse it is another one"
    compiled --lse && fail "that is kept as well"
    find kept -name 'shared.c.o' -exec truncate -s 0 {} +
    compiled || fail "an object that has become empty is taken"
    compiled && fail "the whole ones are not kept again"
    compiler "another"
    compiled || fail "with another compiler it is not compiled again"
    RINGPROOF_CACHE='' compiled || fail "an empty RINGPROOF_CACHE keeps it"
    RINGPROOF_CACHE=/proc/none compiled || fail "where nothing can be kept it is not compiled"
    [ "$(find kept -mindepth 1 -maxdepth 1 | wc -l)" -eq 3 ] || { find kept >&2 && fail "not three of them are kept"; }
    [ "$(find kept -name '*.o' | wc -l)" -eq 12 ] || { find kept >&2 && fail "not four objects of each"; }
}
case_refused() { # what cannot be run is refused with its reason
    local code=0
    printf 'int main(void) { __asm__ volatile("svc #0"); }\n' >call.c
    "$armv8" call.c >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of a system call"
    says "a system call"
    printf '#include <mutex>\nint main() { std::recursive_mutex m; m.lock(); }\n' >recursive.cpp
    code=0
    "$armv8" recursive.cpp >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of a recursive mutex"
    says "a recursive or checking mutex"
    cat >sizes.c <<'END'
#include <pthread.h>
static unsigned long word[2];
static void *run(void *p) { return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    unsigned long a; unsigned fails;
    __asm__ volatile("ldxr %0, [%2]\n\tstxr %w1, %w0, [%2]" : "=&r"(a), "=&r"(fails) : "r"(word) : "memory");
    pthread_join(t, 0);
}
END
    code=0
    "$armv8" sizes.c >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of exclusives of two sizes"
    says "sizes.c:8: 'stxr w"
    says "belongs to no load-exclusive of its address and size"
    sed -i 's/stxr %w1, %w0, /stlxr %w1, %0, /; s/"r"(word)/"r"((char *)word + 4)/' sizes.c
    code=0
    "$armv8" sizes.c >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of an exclusive that is not aligned"
    says "is not aligned"
    printf 'int main(void) { return no_such_function(); }\n' >missing.c
    code=0
    "$armv8" missing.c >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of what does not link"
    says "does not compile and link"
    code=0
    "$armv8" nothing.c >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of a file that is not there"
    code=0
    "$armv8" call.c --cc no-such-compiler >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of a compiler that is not there"
    says "--cc"
}
case_compiled_apart() { # each file is compiled by itself, as a compiler cache needs it, and libraries are the linker's
    printf 'int two(void);\nint main(void) { return two() - 2; }\n' >one.c
    printf 'int two(void) { return 2; }\n' >two.c
    printf '#!/bin/sh\necho "$@" >>calls\nexec aarch64-linux-gnu-gcc "$@"\n' >cc
    chmod +x cc
    "$armv8" --cc "$here/cc" one.c two.c --quiet -- -O2 -lm -Wl,-O1 >out 2>err || { cat out err >&2 && fail "exit code $?"; }
    [ ! -s err ] || { cat err >&2 && fail "the compiler warns"; }
    for file in one.c two.c; do
        [ "$(grep -c "$file .*-c -o" calls)" -eq 1 ] || { cat calls >&2 && fail "$file is not compiled by itself"; }
    done
    [ "$(grep -c -- ' -lm ' calls)" -eq 1 ] || { cat calls >&2 && fail "who does not link gets libraries"; }
    printf 'int main(void) { return no_such_name; }\n' >one.c
    printf 'int two(void) { return no_other_name; }\n' >two.c
    "$armv8" --cc "$here/cc" one.c two.c >out 2>&1
    [ $? -eq 2 ] || { cat out >&2 && fail "files that do not compile"; }
    says "no_such_name"
    says "no_other_name" # each of them says why
}
case_check() { # `ringproof check --model armv8` is the same command
    local code=0
    "$(dirname "$armv8")/ringproof-check" --model armv8 "$programs/message.c" -- -O2 >out 2>&1 || code=$?
    [ "$code" -eq 0 ] || fail "exit code $code of check --model armv8"
    says "verified              armv8"
    "$(dirname "$armv8")/ringproof-check" "$programs/message.c" --model=armv8 -- -O2 -DACQUIRE="$relaxed" >out 2>&1
    [ $? -eq 1 ] || fail "the exit code of what is refuted"
}
case_replay() { # a counterexample is shown again by its token, and by no other program
    local code=0
    "$armv8" "$programs/queue.cpp" --save-replay token --json r.json -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out 2>err
    [ $? -eq 1 ] || fail "the exit code of what is refuted"
    grep -qF "to see it again: --replay @token" err || fail "it does not say where the token is"
    sed -n '/^    thread 0/,$p' out >first
    "$armv8" "$programs/queue.cpp" --replay @token -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out
    [ $? -eq 1 ] || fail "the exit code of a replay that fails"
    says "(replayed, 2 threads"
    sed -n '/^    thread 0/,$p' out | cmp -s - first || { diff first out >&2 && fail "the replay shows another execution"; }
    grep -q '"replay": "'"$(cat token)"'"' r.json || fail "the token is not in the document"
    grep -q '"replay_command":' r.json || fail "no command in the document"
    "$armv8" "$programs/queue.cpp" --replay "$(cat token)" -- -O2 -std=c++20 -I"$top/core/include" >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of a token of another program"
    says "of another program"
    code=0
    "$armv8" "$programs/queue.cpp" --replay "$(sed 's/..$//' token)" -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of half a token"
    says "is damaged"
    "$armv8" "$programs/message.c" --expect refuted -- -O2 -DACQUIRE="$relaxed" >out
    says "to see it again: --replay armv8-1."
    "$armv8" "$programs/queue.cpp" --random 1000 --seed 3 --save-replay token --expect refuted -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D \
        >out 2>err || { cat out err >&2 && fail "random executions do not meet the error"; }
    "$armv8" "$programs/queue.cpp" --replay @token --expect refuted -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out || fail "a random one again"
}
case_budgets() { # a search ends at its bounds, and says which; random executions verify nothing
    local code
    bounded() { # WORDS OPTION…
        local words=$1
        shift
        code=0
        "$armv8" "$programs/queue.cpp" "$@" --json b.json -- -O2 -std=c++20 -I"$top/core/include" >out 2>err || code=$?
        [ "$code" -eq 4 ] || { cat out err >&2 && fail "exit code $code of a search that a bound ends: $*"; }
        says "$words"
        grep -q '"verdict": "inconclusive"' b.json || fail "the document says something else: $*"
    }
    bounded "ended by --max-executions" --max-executions 10
    says "(10 executions"
    bounded "ended by --time" --time 0.001
    bounded "random executions only" --random 50
    "$armv8" "$programs/queue.cpp" --max-executions 46 --quick -- -O2 -std=c++20 -I"$top/core/include" >out || fail "46 executions are all"
    "$armv8" "$programs/message.c" --show-executions 1 -- -O2 >out || fail "--show-executions"
    says "execution 1 of 2"
    says "reads ready = "
    "$armv8" "$programs/queue.cpp" --shortest --expect refuted -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out || fail "--shortest"
    says "the shortest of "
}
case_estimate() { # small searches are counted, large ones are estimated within their bounds
    "$armv8" "$programs/queue.cpp" --estimate -- -O2 -std=c++20 -I"$top/core/include" >out || fail "--estimate"
    says "exactly 46 executions"
    "$armv8" "$top/silicon/a64/test/structures/channel.cpp" --estimate --time 2 --json e.json -- -O2 -std=c++20 -DSHARED -DFIRST=3,0,0 -DSECOND=0,3,0 -DTHIRD=0,3,0 >out ||
        fail "--estimate of what is large"
    python3 - <<'END' || { cat out e.json >&2 && fail "31,595 executions are far from the estimate"; }
import json
[one] = json.load(open("e.json"))["estimates"]
assert one["walks"] > 10 and one["low"] < 3 * 31595, one
assert "executions" not in one or (not one["exact"] and one["high"] > 31595 / 10), one
END
    "$armv8" "$programs/message.c" --estimate -- -O2 -DACQUIRE="$relaxed" >out
    [ $? -eq 1 ] || fail "the exit code of an estimate that meets an error"
    says "run it without --estimate"
}
case_options() { # options of check are taken here, or refused with a sentence
    local option code
    "$(dirname "$armv8")/ringproof-check" --help-json >theirs.json || fail "check --help-json"
    "$armv8" --help-json >ours.json || fail "armv8 --help-json"
    python3 - theirs.json ours.json >options <<'END' || fail "the tables of options"
import json, sys
theirs, ours = [{name for row in json.load(open(path))["options"] for name in row["names"] if name.startswith("-")} for path in sys.argv[1:]]
print("\n".join(sorted(theirs - ours - {"--model", "--models"})))
END
    [ "$(wc -l <options)" -gt 20 ] || fail "too few options: $(wc -l <options)"
    while read -r option; do
        code=0
        "$armv8" "$programs/message.c" "$option" >out 2>&1 || code=$?
        [ "$code" -eq 2 ] || fail "exit code $code of $option"
        grep -qE "^error: $option: .{20}" out || { cat out >&2 && fail "no sentence about $option"; }
        ! grep -qi "not expected" out || fail "$option is unknown"
    done <options
}
channel() { # OPTION…: a ring with two consumers, 439 executions
    "$armv8" "$top/silicon/a64/test/structures/channel.cpp" "$@" -- -O2 -std=c++20 -DSHARED -DFIRST=2,0,0 -DSECOND=0,2,0 -DTHIRD=0,2,0
}
broken_deque() { # OPTION…: Chase and Lev's without its barrier
    "$armv8" "$top/silicon/a64/test/structures/deque.cpp" "$@" -- -O2 -std=c++20 -DFIRST=2,1,0 -DSECOND=0,2,0 -DFENCE=std::memory_order_acquire
}
case_jobs() { # several processes find what one finds
    channel --jobs 3 --json j.json >out 2>err || { cat out err >&2 && fail "--jobs 3"; }
    says "(439 executions"
    python3 - <<'END' || { cat j.json >&2 && fail "the search was not divided"; }
import json
[result] = json.load(open("j.json"))["results"]
assert result["processes"] > 1 and result["verdict"] == "verified", result
END
    "$armv8" "$programs/condition.cpp" -j 3 -- -O2 -std=c++20 -DWAITERS=2 >out || fail "condition.cpp -j 3"
    says "(286 executions"
    "$armv8" "$programs/spin_lock.cpp" -j2 --weaken -- -O2 -std=c++20 >out || fail "--weaken -j2"
    says "2 needed"
    channel -j 3 --max-executions 100 >out
    [ $? -eq 4 ] || { cat out >&2 && fail "--max-executions with -j"; }
    says "(100 executions"
    broken_deque -j 3 --shortest --missing 60 --save-replay token >out 2>err
    [ $? -eq 1 ] || { cat out err >&2 && fail "what fails is not refuted with -j"; }
    says "the shortest of "
    says "or: with this order the program is verified"
    broken_deque --replay @token --missing 0 >again
    [ "$(grep -cE ' (reads|writes) ' again)" -gt 10 ] || { cat again >&2 && fail "the token of another process"; }
    [ "$(grep -E ' (reads|writes) ' again)" = "$(grep -E ' (reads|writes) ' out)" ] || { cat out again >&2 && fail "another execution"; }
    printf 'int main(void) { __asm__ volatile("svc #0"); }\n' >call.c
    "$armv8" call.c -j 2 >out 2>&1
    [ $? -eq 2 ] || fail "what is refused, with -j"
}
case_checkpoint() { # a search that was stopped goes on, and finds in the end what it finds at once
    local code rounds jobs
    for jobs in 1 2; do
        channel -j $jobs --max-executions 200 --checkpoint rest >out 2>err
        [ $? -eq 4 ] || { cat out err >&2 && fail "it does not stop"; }
        grep -q "^to go on: --resume rest" err || { cat err >&2 && fail "it does not say how to go on"; }
        code=4 rounds=1
        while [ "$code" -eq 4 ] && [ "$rounds" -lt 20 ]; do
            code=0 rounds=$((rounds + 1))
            channel -j $jobs --max-executions 200 --resume rest --checkpoint rest >out 2>err || code=$?
        done
        [ "$code" -eq 0 ] || { cat out err >&2 && fail "exit code $code in the end"; }
        [ "$rounds" -eq 3 ] || fail "$rounds rounds"
        says "(439 executions"
    done
    channel --time 0.1 --checkpoint rest >out 2>&1
    [ $? -eq 4 ] || { cat out >&2 && fail "--time does not stop it"; }
    channel --resume rest -j 2 >out || fail "what --time has stopped"
    says "(439 executions"
    refuses() { # SENTENCE COMMAND…
        local sentence=$1
        shift
        "$@" >out 2>&1
        [ $? -eq 2 ] || { cat out >&2 && fail "not refused: $*"; }
        says "$sentence"
    }
    refuses "of another program" "$armv8" "$programs/message.c" --resume rest -- -O2
    refuses "--liveness" channel --resume rest --liveness ignore
    refuses "--max-instructions" channel --resume rest --max-instructions 5000
    sed 's/"executions": /"executions": 1/' rest >damaged # another number, whatever it was
    refuses "is damaged" channel --resume damaged
    refuses "cannot be resumed" channel --resume "$programs/message.c"
    refuses "leave --jobs and --resume out" channel --show-executions 3 --jobs 2
    "$armv8" "$programs/queue.cpp" --max-executions 5 --checkpoint rest -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out 2>&1
    "$armv8" "$programs/queue.cpp" --resume rest --expect refuted -- -O2 -std=c++20 -I"$top/core/include" -DWITHOUT=D >out || fail "an error behind a checkpoint"
    says "assertion 'got == i' failed"
}
case_reports() { # reports for CI systems are made as check makes them
    [ -x "$(dirname "$armv8")/ringproof-report" ] || { echo "skipped: no ringproof-report here" && exit 77; }
    "$armv8" "$programs/message.c" --sarif r.sarif --junit r.xml --html r.html --markdown r.md -- -O2 -DACQUIRE="$relaxed" >out 2>err
    [ $? -eq 1 ] || { cat out err >&2 && fail "reports"; }
    grep -q "assertion 'data == 42' failed" r.sarif || fail "nothing in SARIF"
    grep -q "message.c" r.sarif || fail "no file in SARIF"
    grep -q "<testcase" r.xml || fail "nothing in JUnit"
    grep -q "data == 42" r.html || fail "nothing in the page"
    grep -q "armv8" r.md || fail "nothing in Markdown"
}
case_document() { # the document has verdict, counts and the execution that fails
    "$armv8" "$programs/message.c" --json r.json --quiet -- -O2 -DACQUIRE="$relaxed" >out
    [ $? -eq 1 ] || fail "the exit code of what is refuted"
    grep -q '"verdict": "refuted"' r.json || fail "no verdict in the document"
    grep -q '"label": ".*ldr w' r.json || fail "no instruction in the document"
}
