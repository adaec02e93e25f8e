// SPDX-License-Identifier: Apache-2.0
#include "ringproof/session/ring_horizon.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

namespace {

/// A ring of which only the positions matter.
struct positions {
    std::uint64_t read = 0;
    [[nodiscard]] bool has_read(std::uint64_t before) const noexcept { return read >= before; }
};

} // namespace

TEST_CASE("a ring that has been read to its head vouches for the round's horizon") {
    ringproof::detail::ring_horizon vouching;
    CHECK(vouching.after_round(positions{0}, 0, 10) == 10);
    CHECK(vouching.after_round(positions{64}, 64, 20) == 20);
    CHECK(vouching.after_round(positions{128}, 96, 30) == 30); // more has come, and been read
}

TEST_CASE(
    "a ring with an incomplete record vouches for the last round that it had been read to its head in") {
    ringproof::detail::ring_horizon vouching;
    CHECK(vouching.after_round(positions{0}, 64, 10) == 0); // nothing is known of it yet
    CHECK(vouching.after_round(positions{64}, 64, 20) == 20);
    CHECK(vouching.after_round(positions{96}, 128, 30) == 20);
    CHECK(vouching.after_round(positions{96}, 128, 40) == 20);
    CHECK(vouching.after_round(positions{128}, 128, 50) == 50);
}

TEST_CASE(
    "a ring that is never read to its head vouches for each round once what was reserved then is read") {
    ringproof::detail::ring_horizon vouching;
    CHECK(vouching.after_round(positions{0}, 64, 10) == 0);
    CHECK(vouching.after_round(positions{32}, 96, 20) == 0);
    CHECK(vouching.after_round(positions{64}, 128, 30) == 10); // and now for 30, behind 128
    CHECK(vouching.after_round(positions{96}, 160, 40) == 10);
    CHECK(vouching.after_round(positions{128}, 192, 50) == 30);
    CHECK(vouching.after_round(positions{192}, 256, 60) == 50);
}

TEST_CASE("what a ring awaited is forgotten when it has been read to its head") {
    ringproof::detail::ring_horizon vouching;
    CHECK(vouching.after_round(positions{0}, 64, 10) == 0);
    CHECK(vouching.after_round(positions{96}, 96, 20) == 20);
    CHECK(vouching.after_round(positions{96}, 128, 30) == 20); // not back to 10
}
