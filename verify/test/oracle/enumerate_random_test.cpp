// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every program, tried on generated ones.
#include "enumerate.hpp"
#include "generate.hpp"

#include <algorithm> // std::includes
#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {
namespace {

constexpr std::uint64_t seeds = 30;
constexpr std::uint64_t limit = 5'000; // states; larger programs are passed over

bool comparable(const enumeration& a, const enumeration& b) { return !a.cut_short && !b.cut_short; }

program reversed(const program& what) {
    program made;
    for (int thread = what.size; thread-- > 0;) made.append(what[thread]);
    return made;
}

program strongest(program what) {
    for (thread_code& thread : what.threads)
        for (operation& step : thread.operations) step.order = step.failure = std::memory_order_seq_cst;
    return what;
}

} // namespace

TEST_CASE("both enumerators agree on generated programs of every profile") {
    for (const profile& how : profiles()) {
        int compared = 0;
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            const program code = generate(how, seed);
            for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::ra}) {
                const enumeration grown = enumerate(code, model, limit);
                const enumeration defined = enumerate_by_definition(code, model, limit);
                if (!comparable(grown, defined)) continue;
                ++compared;
                CAPTURE(how.name, seed, to_string(code));
                REQUIRE(grown.race == defined.race);
                if (grown.race) continue;
                REQUIRE(grown.executions == defined.executions);
                REQUIRE(grown.outcomes == defined.outcomes);
            }
        }
        CAPTURE(how.name);
        CHECK(2 * compared > static_cast<int>(seeds)); // most were small enough
    }
}

TEST_CASE("what is consistent under sc is consistent under rc11") {
    for (const profile& how : profiles()) {
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            const program code = generate(how, seed);
            const enumeration weak = enumerate(code, memory_model::rc11, limit);
            const enumeration strong = enumerate(code, memory_model::sc, limit);
            if (!comparable(weak, strong) || weak.race) continue;
            CAPTURE(how.name, seed, to_string(code));
            REQUIRE_FALSE(strong.race);
            REQUIRE(strong.executions <= weak.executions);
            REQUIRE(std::includes(weak.outcomes.begin(), weak.outcomes.end(), strong.outcomes.begin(),
                                  strong.outcomes.end()));
        }
    }
}

TEST_CASE("if every atomic access is seq_cst, rc11 and sc are the same") {
    for (const char* name : {"plain", "rmw", "control", "awaits", "four-threads"}) {
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            const program code = strongest(generate(profile_named(name), seed));
            const enumeration weak = enumerate(code, memory_model::rc11, limit);
            const enumeration strong = enumerate(code, memory_model::sc, limit);
            if (!comparable(weak, strong)) continue;
            CAPTURE(name, seed, to_string(code));
            REQUIRE(weak.executions == strong.executions);
            REQUIRE(weak.outcomes == strong.outcomes);
        }
    }
}

TEST_CASE("the order in which threads are written down does not matter") {
    for (const profile& how : profiles()) {
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            const program code = generate(how, seed);
            const enumeration one = enumerate(code, memory_model::rc11, limit);
            const enumeration other = enumerate(reversed(code), memory_model::rc11, limit);
            if (!comparable(one, other)) continue;
            CAPTURE(how.name, seed, to_string(code));
            REQUIRE(one.race == other.race);
            if (one.race) continue;
            REQUIRE(one.executions == other.executions);
            REQUIRE(one.blocked == other.blocked);
        }
    }
}

} // namespace ringproof::verify::oracle
