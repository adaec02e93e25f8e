// SPDX-License-Identifier: Apache-2.0
#include "ringproof/barriers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

using ringproof::acquire_release, ringproof::fences, ringproof::control_dependency;

TEMPLATE_TEST_CASE("a position that was published or released is the one that is loaded", "", acquire_release,
                   fences, control_dependency) {
    std::atomic<std::uint64_t> word{0};
    TestType::publish_head(word, 8);
    CHECK(TestType::load_head(word) == 8);
    TestType::release_tail(word, ~std::uint64_t{0});
    CHECK(TestType::load_tail(word) == ~std::uint64_t{0});
}

TEMPLATE_TEST_CASE("an in-band word is plain memory to begin with", "", acquire_release, fences,
                   control_dependency) {
    std::uint64_t word = 1;
    TestType::init(&word, 5);
    CHECK(TestType::load_vacancy(word) == 5);
    TestType::commit(word, 6);
    CHECK(TestType::load_commit(word) == 6);
    TestType::vacate(word, 9);
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

TEST_CASE(
    "a local compare-exchange succeeds from the value it expects and otherwise reports the value there is") {
    std::atomic<std::uint64_t> word{16};
    std::uint64_t expected = 8;
    CHECK_FALSE(acquire_release::local_cmpxchg(word, expected, 24));
    CHECK(expected == 16);
    CHECK(word == 16);
    CHECK(acquire_release::local_cmpxchg(word, expected, 40));
    CHECK(word == 40);
}

TEST_CASE("a local addition says what was there before") {
    std::atomic<std::uint64_t> word{8};
    CHECK(acquire_release::local_add(word, 0 - std::uint64_t{16}) == 8);
    CHECK(word == 0 - std::uint64_t{8});
}

TEST_CASE("words are put and got exactly, however many there are") {
    for (std::size_t count = 0; count != 40; ++count) {
        std::vector<std::uint64_t> from(count + 1), ring(count + 2, 7), to(count + 2, 9);
        std::iota(from.begin(), from.end(), std::uint64_t{100});
        acquire_release::put_words(ring.data() + 1, reinterpret_cast<const std::byte*>(from.data()), count);
        acquire_release::get_words(to.data() + 1, ring.data() + 1, count);
        CHECK(std::equal(to.begin() + 1, to.end() - 1, from.begin()));
        CHECK((ring.front() == 7 && ring.back() == 7 && to.front() == 9 && to.back() == 9));
    }
}

TEST_CASE("a flag tells who changes it what it was") {
    std::atomic<std::uint32_t> flag{0};
    CHECK(acquire_release::raise(flag, 1) == 0);
    CHECK(acquire_release::raise(flag, 1) == 1);
    CHECK(acquire_release::lower(flag, 0) == 1);
    acquire_release::sleep_while(flag, 1); // returns at once
}
