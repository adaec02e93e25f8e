// SPDX-License-Identifier: Apache-2.0
#include "ringproof/contract.hpp"

#include <catch2/catch.hpp>

#include "last_words.hpp"
#include "ringproof/record_ring.hpp"

using Catch::Matchers::Contains;

TEST_CASE("a contract that is kept costs nothing and says nothing") {
    int asked = 0;
    RINGPROOF_CONTRACT(++asked == 1, "never printed");
    CHECK(asked == 1);
}

TEST_CASE("a broken contract ends the program with its sentence") {
    CHECK_THAT(last_words([] { RINGPROOF_CONTRACT(1 == 2, "one is not two"); }),
               Contains("contract_test.cpp:") && Contains("contract broken: one is not two"));
    CHECK(last_words([] { RINGPROOF_CONTRACT(1 == 1, "one is one"); }).empty());
}

TEST_CASE("a second batch while one is open is a broken contract, one after the other is not") {
    ringproof::record_ring<> ring(64);
    CHECK_THAT(last_words([&] {
                   auto first = ring.read();
                   auto second = ring.read();
               }),
               Contains("one batch at a time"));
    CHECK(last_words([&] {
              { auto first = ring.read(); }
              auto second = ring.read();
          }).empty());
}
