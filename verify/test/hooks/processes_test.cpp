// SPDX-License-Identifier: Apache-2.0
// Processes that a program makes by fork().
#include "../programs/expect.hpp"
#include "../programs/processes.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("what goes wrong in a process is found") {
    fails(programs::process_fails, failure_kind::assertion, "n.load() == 0");
    fails(programs::process_reads_the_null_pointer, failure_kind::wild_access, "null pointer");
}
TEST_CASE("a process ends, and tells its parent how") { holds(programs::process_ends_with_a_code, 1); }
TEST_CASE("a process may exit, or return from main") {
    holds(programs::process_exits_in_order, 1);
    holds(programs::process_returns_from_main, 1);
}
TEST_CASE("a process maps and unmaps memory of its own, and what both know by name is shared") {
    holds(programs::process_maps_for_itself, 4); // either maps first
}
TEST_CASE("two processes are made") { holds(programs::two_processes_beside_the_first, 2); }
TEST_CASE("what is not modelled of processes is refused") {
    fails(programs::process_forks, failure_kind::unsupported, "in a process that fork() made");
    fails(programs::threads_before_a_fork, failure_kind::unsupported, "other threads");
    fails(programs::private_mapping_before_a_fork, failure_kind::unsupported, "private mappings");
    fails(programs::pipe_before_a_fork, failure_kind::unsupported, "open pipe");
    fails(programs::process_unmaps, failure_kind::unsupported, "another process has");
    fails(programs::process_is_waited_for_in_another_way, failure_kind::unsupported, "options");
}
