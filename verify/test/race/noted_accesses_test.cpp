// SPDX-License-Identifier: Apache-2.0
// What a search notes of accesses by threads that know of events without being ordered behind them.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("what a thread writes that knows of another without an order is noted") {
    CHECK_FALSE(run(programs::links_told_nodes).hidden.behind.empty());
}

TEST_CASE("what it writes to a node that it has told nobody of is not") {
    const exploration_result found = run(programs::links_new_nodes);
    CHECK(found.executions > 1);
    // Left are the locals that compare-exchanges write to.
    CHECK(found.hidden.behind.size() < run(programs::links_told_nodes).hidden.behind.size());
}

TEST_CASE("nor is what an acquiring thread writes") {
    CHECK(run(programs::links_acquired_nodes).hidden.behind.empty());
}
