// SPDX-License-Identifier: Apache-2.0
// Memory of processes that a program makes by fork().
#include "../programs/expect.hpp"
#include "../programs/processes.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a process has memory of its own") {
    holds(programs::process_has_globals_of_its_own, 1);
    holds(programs::process_has_locals_of_its_own, 2);
    holds(programs::process_has_a_heap_of_its_own, 1);
    holds(programs::process_has_atomics_of_its_own, 1);
    holds(programs::process_keeps_thread_locals, 1);
    holds(programs::process_keeps_pthread_keys, 1);
}
TEST_CASE("processes share mapped memory, and its rules") {
    holds(programs::processes_share_a_mapping, 2);
    holds(programs::message_between_processes, 2);
    holds(programs::message_over_a_file_in_memory, 2);
    CHECK(run(programs::message_between_processes_relaxed).error.kind == failure_kind::data_race);
    fails(programs::race_between_processes, failure_kind::data_race);
    holds(programs::processes_take_a_lock, 2);
}
TEST_CASE("a process that waits is followed as a thread is") {
    holds(programs::process_waits_for_another, 1);
    const exploration_result r = run(programs::process_waits_in_vain);
    CHECK((r.error.kind == failure_kind::livelock || r.error.kind == failure_kind::deadlock));
}
TEST_CASE("a process starts threads of its own") { holds(programs::process_starts_a_thread, 2); }
TEST_CASE("processes in several workers have the same executions") {
    const exploration_result r = run_with(programs::two_processes_beside_the_first,
                                          &exploration_limits::spurious, exploring::when_told, 2);
    CHECK(r.error.message == "");
    CHECK(r.executions == 2);
}
