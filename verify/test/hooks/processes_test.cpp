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
TEST_CASE("two processes are made") { holds(programs::two_processes_beside_the_first, 2); }
TEST_CASE("what is not modelled of processes is refused") {
    fails(programs::process_forks, failure_kind::unsupported, "in a process that fork() made");
    fails(programs::process_exits_in_order, failure_kind::unsupported, "other than by _exit()");
    fails(programs::process_returns_from_main, failure_kind::unsupported, "other than by _exit()");
    fails(programs::threads_before_a_fork, failure_kind::unsupported, "other threads");
    fails(programs::private_mapping_before_a_fork, failure_kind::unsupported, "private mappings");
    fails(programs::process_unmaps, failure_kind::unsupported, "another process runs");
    fails(programs::process_is_polled, failure_kind::unsupported, "options");
    fails(programs::process_is_killed, failure_kind::unsupported, "kill()");
}
