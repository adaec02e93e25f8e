// SPDX-License-Identifier: Apache-2.0
#include "cycle/edge.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::cycles;

TEST_CASE("every word of every alphabet is read back as the same edge, with marks too") {
    for (const dialect& d : dialects())
        for (edge e : d.alphabet) {
            const std::string word = word_of(d, e);
            CAPTURE(d.name, word);
            CHECK(word_of(d, parse_edge(d, word)) == word);
            for (int m = 1; m < static_cast<int>(d.marks.size()); ++m) {
                const mark& one = d.marks[static_cast<std::size_t>(m)];
                if (!(e.from == access::read ? one.reads : one.writes)) continue;
                e.mark_from = m;
                e.mark_to = 0;
                CHECK(word_of(d, parse_edge(d, word_of(d, e))) == word_of(d, e));
            }
        }
}

TEST_CASE("Wse is another word for Coe") {
    const dialect& d = *find_dialect("x86");
    CHECK(word_of(d, parse_edge(d, "Wse")) == "Coe");
    CHECK(word_of(d, parse_edge(d, "WseNaA")) == "CoeNaA");
}

TEST_CASE("a word that is no edge, or a mark its access cannot have, is named") {
    const dialect& d = *find_dialect("AArch64");
    CHECK_THROWS_WITH(parse_edge(d, "MFencedWR"), Catch::Contains("'MFencedWR' is no edge of AArch64"));
    CHECK_THROWS_AS(parse_edge(d, "RfeAL"), bad_cycle); // a store is no acquire
    CHECK_THROWS_AS(matching_edges(d, "Nothing*"), bad_cycle);
    CHECK(find_dialect("PowerPC") == nullptr);
}

TEST_CASE("a star stands for any characters") {
    const dialect& d = *find_dialect("X86");
    CHECK(matching_edges(d, "Pod**").size() == 4);
    CHECK(matching_edges(d, "Po*").size() == 8);
    CHECK(matching_edges(d, "Rfe").size() == 1);
    CHECK(matching_edges(d, "*").size() == d.alphabet.size());
}
