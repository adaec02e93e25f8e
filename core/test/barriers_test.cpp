// SPDX-License-Identifier: Apache-2.0
#include "ringproof/barriers.hpp"

#include <catch2/catch.hpp>

using ringproof::acquire_release;

TEST_CASE("a position that was published or released is the one that is loaded") {
    std::atomic<std::uint64_t> word{0};
    acquire_release::publish_head(word, 8);
    CHECK(acquire_release::load_head(word) == 8);
    acquire_release::release_tail(word, ~std::uint64_t{0});
    CHECK(acquire_release::load_tail(word) == ~std::uint64_t{0});
}

TEST_CASE("an in-band word is plain memory to begin with") {
    std::uint64_t word = 1;
    acquire_release::init(&word, 5);
    CHECK(acquire_release::load_vacancy(word) == 5);
    acquire_release::commit(word, 6);
    CHECK(acquire_release::load_commit(word) == 6);
    acquire_release::vacate(word, 9);
    CHECK(word == 9);
}

TEST_CASE("a claim succeeds from the value it expects and otherwise reports the value there is") {
    std::atomic<std::uint64_t> reserved{16};
    std::uint64_t expected = 8;
    CHECK_FALSE(acquire_release::claim(reserved, expected, 24));
    CHECK(expected == 16);
    CHECK(acquire_release::claim(reserved, expected, 40));
    CHECK(acquire_release::claimed(reserved) == 40);
}

TEST_CASE("both kinds of counter count") {
    std::atomic<std::uint64_t> counter{1};
    acquire_release::count_own(counter, std::uint64_t{2});
    acquire_release::count_shared(counter, std::uint64_t{3});
    CHECK(acquire_release::own(counter) == 6);
    CHECK(acquire_release::stat(counter) == 6);
}
