// SPDX-License-Identifier: Apache-2.0
// Accesses that `ringproof check` announces in the compiler's listing.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

#include <algorithm>

using namespace ringproof::verify::test;
using namespace ringproof::verify;

#if defined __x86_64__

namespace {

bool races(void (*program)()) { return run(program).error.kind == failure_kind::data_race; }

/// Plain reads of the main thread in the execution that refutes the program.
std::ptrdiff_t reads_shown(void (*program)()) {
    const std::vector<recorded_event> history = replay(program, run(program).steps).history;
    return std::count_if(history.begin(), history.end(), [](const recorded_event& e) {
        return e.kind == recorded_event::what::plain_read && e.thread == 0;
    });
}

} // namespace

TEST_CASE("announced accesses race as others do") {
    CHECK(races(programs::announces_write_beside_read));
    CHECK_FALSE(races(programs::announces_reads));
    CHECK_FALSE(races(programs::announces_behind_join));
}

TEST_CASE("a read that was announced just before is one read") {
    CHECK(reads_shown(programs::announces_read_again) + 1 == reads_shown(programs::announces_read_twice));
    CHECK(races(programs::announces_another_read_again));
}

TEST_CASE("whatever is announced, registers and flags stay as they are") {
    CHECK(run(programs::announces_with_all_registers).error.kind == failure_kind::nothing);
}

#endif
