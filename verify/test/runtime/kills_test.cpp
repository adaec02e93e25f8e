// SPDX-License-Identifier: Apache-2.0
// Where a process is killed, against programs that end there.
#include "../programs/expect.hpp"
#include "../programs/kills.hpp"

#include <random>
#include <set>

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("several processes find all kills that one does") {
    exploration_options options;
    const exploration_result one = explore(programs::two_processes_are_killed, options);
    options.jobs = 2;
    options.share_after = 0;
    const exploration_result two = explore(programs::two_processes_are_killed, options);
    CHECK(two.error.message == "");
    CHECK(two.executions == one.executions);
}

namespace {

std::set<std::string> ends_of(memory_model model) {
    exploration_options options;
    options.model = model;
    options.limits.seconds = 60;
    options.state = [] { return std::to_string(programs::generated_end); };
    const exploration_result r = explore(programs::run_generated, options);
    CHECK(r.error.message == "");
    CHECK_FALSE(r.stopped);
    std::set<std::string> ends;
    for (const auto& [end, times] : r.states) ends.insert(end);
    return ends;
}

std::vector<programs::access> accesses(std::mt19937& random, std::size_t most, bool child) {
    std::vector<programs::access> made(1 + random() % most);
    for (programs::access& a : made)
        a = {static_cast<programs::access::what>(random() % (child ? 4 : 3)),
             static_cast<std::uint8_t>(random() % 3), static_cast<std::uint8_t>(1 + random() % 3),
             random() % 2 == 0};
    return made;
}

} // namespace

// The judge: to be killed is to make only the first so many accesses.
TEST_CASE("a killed process leaves what one does that makes its first accesses alone") {
    std::mt19937 random(21);
    std::size_t more = 0;
    for (unsigned n = 0; n < 60; ++n)
        for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso}) {
            programs::generated = {accesses(random, 4, true), accesses(random, 3, false)};
            std::set<std::string> cut;
            for (programs::generated.length = 0;; ++programs::generated.length) {
                cut.merge(ends_of(model));
                if (programs::generated.length == programs::generated.child.size()) break;
            }
            const std::size_t whole = ends_of(model).size();
            programs::generated.kill = n % 2 == 0;
            programs::generated.may_die = n % 2 != 0;
            CAPTURE(n, static_cast<int>(model));
            CHECK(ends_of(model) == cut);
            more += cut.size() > whole;
        }
    CHECK(more > 60); // most tell kills from the whole program
}
