// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

namespace {

std::uint64_t times(const exploration_result& r, assumption kind) {
    std::uint64_t all = 0;
    for (const auto& [entry, n] : whole_ledger(r))
        if (entry.first == kind) all += n;
    return all;
}

} // namespace

TEST_CASE("a loop that gives up after 100 attempts with a yield in each is explored where it gives up") {
    fails(programs::spins_then_parks, failure_kind::assertion);
    holds(programs::spins_then_parks_right);
    CHECK(times(run(programs::spins_then_parks_right), assumption::iteration_count) > 0);
}
TEST_CASE("a loop that gives up after 50 sleeps is explored where it gives up") {
    fails(programs::sleeps_then_gives_up, failure_kind::assertion);
}
TEST_CASE("a loop that looks at another place in each attempt is explored where it finds something") {
    fails(programs::looks_at_many_places, failure_kind::assertion);
}
TEST_CASE("a yield does not hide that the thread waited") {
    fails(programs::tells_that_it_waited, failure_kind::assertion);
}
TEST_CASE("a loop whose pauses grow up to a bound is explored with the longest of them") {
    holds(programs::backs_off);
    CHECK(times(run(programs::backs_off), assumption::iteration_count) > 0);
}
TEST_CASE("a loop that counts without end, and tells, is in the ledger") {
    const exploration_result r = run(programs::counts_without_end);
    CHECK(r.error.message == "");
    CHECK(times(r, assumption::yield) == 1);
}
TEST_CASE("a count that ends with its loop is harmless") {
    holds(programs::counts_for_itself_alone);
    CHECK(times(run(programs::counts_for_itself_alone), assumption::yield) == 0);
}
