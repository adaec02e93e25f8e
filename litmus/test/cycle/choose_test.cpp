// SPDX-License-Identifier: Apache-2.0
#include "cycle/choose.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace ringproof::litmus::cycles;

namespace {

std::vector<std::string> drawn(const dialect& d, const selection& s, std::uint64_t seed, std::size_t count) {
    std::vector<std::string> names;
    random_cycles(d, s, seed, [&](const cycle& c) {
        names.push_back(c.name);
        return names.size() < count;
    });
    return names;
}

} // namespace

TEST_CASE("the same seed draws the same cycles, another one others, none of them twice") {
    for (const dialect& d : dialects()) {
        selection s;
        s.edges = d.alphabet;
        s.size = 6;
        for (std::size_t m = 0; m < d.marks.size(); ++m) s.marks.push_back(static_cast<int>(m));
        const std::vector<std::string> one = drawn(d, s, 1, 200);
        CAPTURE(d.name);
        REQUIRE(one.size() == 200);
        CHECK(one == drawn(d, s, 1, 200));
        CHECK(one != drawn(d, s, 2, 200));
        CHECK(std::set<std::string>(one.begin(), one.end()).size() == one.size());
    }
}

TEST_CASE("what is drawn is the same on every machine") {
    const dialect& d = *find_dialect("X86");
    selection s;
    s.edges = d.alphabet;
    CHECK(drawn(d, s, 7, 3) ==
          std::vector<std::string>{"CoRR+W+mfences", "CoWR+WR+lfences+sfences", "R+sfence+lfence"});
}

TEST_CASE(
    "all cycles of program order, reads-from, from-read and coherence on two threads are the six classics") {
    const dialect& d = *find_dialect("X86");
    selection s;
    for (const char* pattern : {"Pod*", "Rfe", "Fre", "Coe"})
        for (const edge& e : matching_edges(d, pattern)) s.edges.push_back(e);
    s.size = 4;
    s.threads = 2;
    std::set<std::string> names;
    all_cycles(d, s, [&](const cycle& c) { return names.insert(c.name).second; });
    CHECK(names ==
          std::set<std::string>{"MP+po+po", "SB+po+po", "LB+po+po", "R+po+po", "S+po+po", "2+2W+po+po"});
}
