#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2015 # fail ends the script
# usage: record_test.sh RINGPROOF-RECORD TOUCH-PAGES TRUTH AUX-FILE
# Runs the real binary on real programs. What needs a permission or perf and doesn't have it is skipped (77).
record=$1 touch_pages=$2 truth=$3 aux_file=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
    echo "failed: $*"
    for file in out err perf.err; do [ -s $file ] && echo "--- $file" && head -20 $file; done
    exit 1
}
skip() {
    echo "skipped: $*"
    exit 77
}
# Runs it; not being permitted is no failure of ours.
recorded() {
    "$record" "$@" >out 2>err
    code=$?
    [ $code -ne 77 ] || skip "$(cat err)"
    return $code
}
needs_perf() {
    perf --version >/dev/null 2>&1 || skip "perf is not installed (Debian: linux-perf)"
}
# The numbers of page-faults in the result: samples, counted, lost.
samples() { sed -n '/^page-faults/s/.*: \([0-9]*\) samples.*/\1/p' out; }
counted() { sed -n '/^page-faults/s/.*, \([0-9]*\) counted.*/\1/p' out; }
lost() { sed -n '/^page-faults/s/.*, \([0-9]*\) lost.*/\1/p' out; }
# perf opens the file without complaint, and sees as many samples as we say that there are.
perf_agrees() {
    perf report -i "$1" -D >dump 2>perf.err || fail "perf report -D"
    grep -qiE 'incompatible|invalid|corrupt|failed|error' perf.err && fail "perf report -D complains"
    seen=$(perf script --no-inline -i "$1" 2>perf.err | grep -c "${3:-}")
    [ "$seen" = "$2" ] || fail "perf script shows $seen samples, not $2"
    perf report -i "$1" --stats >stats 2>perf.err || fail "perf report --stats"
    [ "$2" = 0 ] || grep -q "SAMPLE events: *$2 " stats || fail "perf report --stats: $(grep SAMPLE stats)"
}
# How often the place that faults most often does.
faults_in_one_place() { perf script -i "$1" -F ip 2>/dev/null | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }'; }
# Waits until the workload says that it runs: then whoever records listens.
wait_for() {
    for _ in $(seq 300); do
        [ -e "$1" ] && return
        kill -0 "$2" 2>/dev/null || return
        sleep 0.1
    done
}

case $truth in
"every mode leaves a file that perf reads as it is")
    needs_perf
    for mode in "" --per-thread -a "-C 0"; do
        # On that CPU, where it may be: else there may be nothing to record.
        there=
        [ "$mode" != "-C 0" ] || { taskset -c 0 true 2>/dev/null && there="taskset -c 0"; } || continue
        # shellcheck disable=SC2086 # none, one or some words
        recorded $mode -e page-faults:u,context-switches:k -c 1 -o data -- $there "$touch_pages" 500 || fail "mode '$mode': code $?"
        all=$(awk '/ samples, / { split($0, a, ": "); n += a[2] } END { print n }' out)
        [ "$all" -ge 1 ] || fail "mode '$mode': nothing was recorded"
        perf_agrees data "$all"
    done
    ;;
"as many samples as the kernel counted, and as perf has")
    recorded -e page-faults:u -c 1 -o data -- "$touch_pages" 3000 || fail "code $?"
    [ "$(samples)" = "$(counted)" ] && [ "$(lost)" = 0 ] || fail "samples are not what was counted"
    [ "$(samples)" -ge 3000 ] || fail "fewer than 3000"
    needs_perf
    [ "$(faults_in_one_place data)" = 3000 ] || fail "$(faults_in_one_place data) of 3000 faults"
    perf_agrees data "$(samples)"
    perf record -q -e page-faults:u -c 1 -o theirs -- "$touch_pages" 3000 >/dev/null 2>perf.err || skip "perf record: $(cat perf.err)"
    [ "$(faults_in_one_place theirs)" = 3000 ] || skip "perf itself has $(faults_in_one_place theirs) of 3000"
    ;;
"recordings of one event that run at once do not mix up their samples")
    # Linux gives samples of the one the id of the other's event, which perf does not read.
    "$record" -a -m 1024 -e page-faults:u -c 1 -o other -- "$touch_pages" 20000 >other.out 2>&1 &
    recorded -a -m 1024 -e page-faults:u -c 1 -o data -- "$touch_pages" 20000
    code=$?
    wait $! && [ $code = 0 ] || fail "code $code"
    # A fault that a CPU has counted and not sampled when it is told to stop stays without a sample (Linux 6.18).
    on_the_way=$(getconf _NPROCESSORS_CONF)
    all=$(($(samples) + $(lost)))
    [ $all -le "$(counted)" ] && [ $((all + on_the_way)) -ge "$(counted)" ] || fail "samples and losses don't add up"
    needs_perf
    perf_agrees data "$(samples)"
    # Of two software events nothing tells which one it was: such samples are told, and not in the file.
    "$record" -a -m 1024 -e page-faults:u -c 1 -o other -- "$touch_pages" 20000 >other.out 2>&1 &
    recorded -a -m 1024 -e page-faults:u,context-switches:k -c 1 -o data -- "$touch_pages" 20000
    code=$?
    wait $! && [ $code = 0 ] || fail "code $code"
    unknown=$(sed -n 's/^\([0-9]*\) samples are left out.*/\1/p' out)
    [ $(($(samples) + $(lost) + ${unknown:-0} + on_the_way)) -ge "$(counted)" ] || fail "with those that are left out they are too few"
    perf_agrees data "$(awk '/ samples, / { split($0, a, ": "); n += a[2] } END { print n }' out)"
    ;;
"what is lost is told, and nothing else is missing")
    # The reader is stopped while 5000 samples come in, for which a page has no room, and for 2 seconds in all.
    # The kernel counts also mappings and names among the lost samples of an event; those are told with the first.
    "$record" --per-thread -m 1 -e dummy:u,page-faults:u -c 1 -o data -- \
        sh -c "(sleep 2; kill -CONT \$PPID) & kill -STOP \$PPID; exec $touch_pages 5000" >out 2>err
    [ $? -ne 77 ] || skip "$(cat err)"
    [ "$(lost)" -gt 0 ] || fail "nothing was lost"
    [ $(($(samples) + $(lost))) = "$(counted)" ] || fail "samples and losses don't add up"
    needs_perf
    perf_agrees data "$(samples)"
    grep -q 'LOST_SAMPLES events' stats || fail "perf does not see the losses"
    ;;
"an interrupt leaves a valid file")
    for signal in INT TERM; do
        "$record" -e page-faults:u -c 1 -o data -- sh -c "$touch_pages 200; touch ready; exec sleep 100" >out 2>err &
        reader=$!
        wait_for ready $reader
        kill -$signal $reader
        wait $reader
        code=$?
        [ $code -ne 77 ] || skip "$(cat err)"
        [ $code = 130 ] || fail "SIG$signal: code $code"
        [ "$(samples)" -ge 200 ] || fail "only $(samples) samples"
        rm -f ready
    done
    needs_perf
    perf_agrees data "$(samples)"
    ;;
"a snapshot is taken when asked for, and at the end")
    recorded --snapshot -m 2 -e page-faults:u -c 1 -o data -- \
        sh -c "$touch_pages 1000; kill -USR2 \$PPID; sleep 1; $touch_pages 50" || fail "code $?"
    grep -q ', 2 snapshots' out || fail "not two snapshots"
    # 2 pages hold 146 samples of 56 bytes on each CPU, so most of the 1000 were overwritten.
    [ "$(samples)" -ge 100 ] && [ "$(samples)" -lt "$(counted)" ] || fail "$(samples) samples"
    needs_perf
    perf_agrees data "$(samples)"
    perf script -i data -F time 2>/dev/null | sort -c -n || fail "not in the order of time"
    ;;
"callers are recorded, the kernel's functions have names, and files their build ids")
    recorded -g -e page-faults -c 1 -o data -- "$touch_pages" 200 || fail "code $?"
    needs_perf
    perf_agrees data "$(samples)" ' page-faults: *$'
    # main is there above the function that touches the pages, whose name later versions of perf show with its parameters.
    perf script --no-inline -i data -F ip,sym 2>/dev/null | awk '
        $0 ~ /touch(\(.*\))?$/ { in_touch = 1 } NF == 0 { in_touch = 0 } in_touch && $2 == "main" { n++ } END { exit n < 200 }' ||
        fail "main is not among the callers of touch 200 times"
    perf buildid-list -i data >ids 2>perf.err || fail "perf buildid-list"
    grep -q "^[0-9a-f]\{40\} $(readlink -f "$touch_pages")" ids || ! readelf -n "$touch_pages" 2>/dev/null | grep -q 'Build ID' || fail "no build id: $(cat ids)"
    if grep -q ' [Tt] _text$' /proc/kallsyms && ! grep -q '^0* [Tt] _text$' /proc/kallsyms && ! grep -q 'only what ran in user space' out; then
        perf report -i data -D 2>/dev/null | grep -q 'PERF_RECORD_MMAP .*\[kernel.kallsyms\]_text' || fail "the kernel has no place"
    fi
    ;;
"a disk that is full leaves a valid file up to there")
    # As far as a file may grow: 16 KiB, in blocks of 512 bytes.
    (ulimit -f 32 && exec "$record" -e page-faults:u -c 1 -o data -- "$touch_pages" 5000) >out 2>err
    code=$?
    [ $code -ne 77 ] || skip "$(cat err)"
    [ $code = 2 ] || fail "code $code"
    grep -q '^ringproof record: data: ' err || fail "no message"
    [ "$(stat -c %s data)" -le 16384 ] || skip "the limit is not in blocks of 512 bytes here"
    needs_perf
    perf report -i data -D >dump 2>perf.err || fail "perf report -D"
    seen=$(perf script -i data 2>perf.err | wc -l)
    [ "$seen" -ge 100 ] || fail "only $seen samples of some 290"
    ;;
"the result is also there as a document")
    recorded --json result.json -e page-faults:u -c 1 -o data -- sh -c "$touch_pages 200; exit 3" || fail "code $?"
    grep -q '^the command ended with code 3$' out || fail "it doesn't say how the command ended"
    grep -q "\"samples\": $(samples),\$" result.json && grep -q '"schema": "ringproof-record/1"' result.json || fail "$(cat result.json)"
    grep -q '"code": 3$' result.json || fail "$(cat result.json)"
    ;;
"perf shows what a tracepoint says")
    [ -r /sys/kernel/tracing/events/sched/sched_switch/format ] || skip "tracefs is not mounted, or may not be read"
    recorded -a -e sched:sched_switch,page-faults:u -o data -- "$touch_pages" 100 || fail "code $?"
    needs_perf
    all=$(sed -n 's/.*: \([0-9]*\) samples.*/\1/p' out | awk '{ n += $1 } END { print n }')
    perf_agrees data "$all"
    perf script -i data 2>/dev/null | grep -q 'sched:sched_switch:.*prev_comm=\|sched:sched_switch:.* ==> ' || fail "no fields"
    ;;
"perf sees the trace of our AUX area")
    "$aux_file" data >out || fail "code $?"
    needs_perf
    read -r records pieces bytes <out
    perf report -i data -D >dump 2>perf.err || fail "perf report -D"
    [ "$(grep -c 'PERF_RECORD_AUX ' dump)" = "$records" ] || fail "$(grep -c 'PERF_RECORD_AUX ' dump) AUX records, not $records"
    [ "$(grep -c 'PERF_RECORD_AUXTRACE ' dump)" = "$pieces" ] || fail "$(grep -c 'PERF_RECORD_AUXTRACE ' dump) pieces, not $pieces"
    # Each filled up to a multiple of 8.
    [ "$pieces" = 20 ] && [ "$bytes" = 20020 ] || fail "not all of the trace"
    grep -q 'PERF_RECORD_AUXTRACE size: 0x3f0  offset: 0x4a4b' dump || fail "the last piece"
    ;;
"what is not permitted is skipped, with what to change")
    [ "$(id -u)" = 0 ] || skip "only root can be someone who may not"
    [ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 0)" -ge 1 ] || skip "everybody may: perf_event_paranoid"
    recorded -a -- true # or not even root may
    cp "$record" ringproof-record && chmod 755 ringproof-record . || fail "copy"
    setpriv --reuid=65534 --regid=65534 --clear-groups ./ringproof-record --list >out 2>err || skip "setpriv: $(cat err)"
    setpriv --reuid=65534 --regid=65534 --clear-groups ./ringproof-record -a -o /dev/null -- true >out 2>err
    code=$?
    [ $code = 77 ] || fail "code $code"
    grep -q 'kernel.perf_event_paranoid' err || fail "it doesn't say what to change"
    ;;
"bad input is refused with code 2")
    for words in "" "-e nosuch -- true" "-e no:such -- true" "-e page-faults:z -- true" "-C 3-1 -- true" "-C x -- true" "-C 0,99999 -- true" \
        "-a -C 0 -- true" "-a --per-thread -- true" "-m 3 -- true" "-F 0 -- true" "--nosuch" "-p 999999999" \
        "-o /no/such/folder -- true" "--json /no/such/folder/result -- true" "-- /no/such/program"; do
        # shellcheck disable=SC2086
        "$record" $words >out 2>err
        code=$?
        [ $code -ne 77 ] || continue
        [ $code = 2 ] || fail "'$words': code $code"
        [ -s err ] || fail "'$words': no message"
    done
    ;;
*) fail "no such test" ;;
esac
