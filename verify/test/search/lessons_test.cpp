// SPDX-License-Identifier: Apache-2.0
// A search that has begun anew is stopped, and resumed by a checker that has learnt nothing yet.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_options everything() {
    exploration_options options;
    options.limits.reduce.symmetry = options.limits.reduce.commuting_update = true;
    options.digest = true;
    return options;
}

} // namespace

TEST_CASE("a resumed search learns where the stopped one did, and goes on where it was") {
    const exploration_result whole = explore(programs::takes_back_two_readers, everything());
    REQUIRE(whole.executions > 2);
    exploration_options part = everything();
    part.limits.executions = whole.executions / 2;
    const exploration_result stopped = explore(programs::takes_back_two_readers, part);
    REQUIRE(stopped.stopped);
    CHECK_FALSE(stopped.lessons.empty());
    CHECK_FALSE(stopped.positions.empty());
    exploration_options rest = everything();
    rest.resume = &stopped;
    const exploration_result both = explore(programs::takes_back_two_readers, rest);
    CHECK_FALSE(both.stopped);
    CHECK(both.executions == whole.executions);
    CHECK(both.digest == whole.digest);
}

TEST_CASE("a search whose lessons teach nothing is made from its beginning") {
    const exploration_result whole = explore(programs::takes_back_two_readers, everything());
    exploration_options part = everything();
    part.limits.executions = whole.executions / 2;
    exploration_result stopped = explore(programs::takes_back_two_readers, part);
    REQUIRE_FALSE(stopped.lessons.empty());
    stopped.lessons.push_back(stopped.lessons.back()); // known by then
    exploration_options rest = everything();
    rest.resume = &stopped;
    const exploration_result anew = explore(programs::takes_back_two_readers, rest);
    CHECK(anew.executions == whole.executions);
    CHECK(anew.digest == whole.digest);
    rest.part = true; // which is not to become the whole search
    const exploration_result refused = explore(programs::takes_back_two_readers, rest);
    CHECK(refused.misfit);
    CHECK(refused.executions == 0);
}
