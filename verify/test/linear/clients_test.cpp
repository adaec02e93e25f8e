// SPDX-License-Identifier: Apache-2.0
#include "../../src/linear/clients.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace rl = ringproof::verify::linear;

namespace {

std::vector<rl::client> clients(unsigned kinds, unsigned threads, unsigned calls, unsigned waits) {
    return rl::clients_within({kinds, threads, calls, waits});
}

std::size_t calls_of(const rl::client& c) {
    std::size_t n = 0;
    for (const auto& t : c.threads) n += t.size();
    return n;
}

} // namespace

TEST_CASE("clients are the multisets of sequences of calls") {
    CHECK(clients(1, 1, 1, 0).size() == 1);
    CHECK(clients(2, 1, 2, 0).size() == 6);           // 2 + 4
    CHECK(clients(2, 2, 2, 0).size() == 6 + 21);      // and pairs of those, in no order
    CHECK(clients(2, 3, 2, 0).size() == 6 + 21 + 56); // and triples
    CHECK(clients(3, 2, 1, 0).size() == 3 + 6);
}

TEST_CASE("waits are counted by hand for two threads of one call") {
    // a || b: none, b after a, a after b; a || a: none, and one of the two
    CHECK(clients(1, 2, 1, 1).size() == 1 + 2);
    CHECK(clients(2, 2, 1, 1).size() == 2 + 2 * 2 + 3);
    // Waiting for each other could not end.
    CHECK(clients(2, 2, 1, 4) == clients(2, 2, 1, 1));
}

TEST_CASE("waits are counted by hand for two threads of two alike calls") {
    std::size_t pairs = 0;
    for (const rl::client& c : clients(1, 2, 2, 1)) pairs += calls_of(c) == 4;
    CHECK(pairs == 1 + 4); // each call of one thread before each of the other, and the threads are alike
}

TEST_CASE("small clients come first, and none comes twice") {
    const auto all = clients(2, 3, 2, 1);
    std::set<std::pair<std::vector<std::vector<std::uint32_t>>, std::vector<rl::wait>>> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(seen.emplace(all[i].threads, all[i].waits).second);
        if (i == 0) continue;
        CHECK(all[i - 1].threads.size() <= all[i].threads.size());
        if (all[i - 1].threads.size() == all[i].threads.size())
            CHECK(calls_of(all[i - 1]) <= calls_of(all[i]));
    }
}

TEST_CASE("clients whose calls have a thread each are the multisets of calls, fewer calls first") {
    const auto all = rl::clients_of_calls({0, 0}, 3);
    REQUIRE(all.size() == 2 + 3 + 4);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].threads.size() == calls_of(all[i]));
        if (i > 0) CHECK(calls_of(all[i - 1]) <= calls_of(all[i]));
    }
    CHECK(rl::clients_of_calls({0, 0, 0}, 9).size() == 219); // (9 + 3 over 3) - 1
}

TEST_CASE("calls that one thread makes are in one thread, in each order") {
    // Pushes in threads of their own, pops in one: n pushes and m pops.
    CHECK(rl::clients_of_calls({0, 1}, 3).size() == 9);
    // Two kinds of calls of one owner: their sequences.
    CHECK(rl::clients_of_calls({1, 1}, 3).size() == 2 + 4 + 8);
    for (const rl::client& c : rl::clients_of_calls({1, 1}, 3)) CHECK(c.threads.size() == 1);
    // Two owners: a sequence of each, or of one.
    CHECK(rl::clients_of_calls({1, 2}, 2).size() == 2 + 2 + 1);
}
