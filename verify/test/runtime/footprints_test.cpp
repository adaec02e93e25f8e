// SPDX-License-Identifier: Apache-2.0
#include "../../src/runtime/footprints.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

constexpr std::uintptr_t word = 0x1000;

context own_code() { return {}; }
context handler(std::uint16_t run, std::uint16_t level) {
    context c;
    c.run = run;
    c.level = level;
    c.open_to = static_cast<std::uint16_t>(level + 1);
    return c;
}

} // namespace

TEST_CASE("a place that was passed over is noticed when a handler writes there later") {
    footprints known;
    CHECK(!known.conflicts(word, 4, false, own_code()));
    CHECK(known.touches(word, 4, true, handler(1, 1)));
    CHECK(known.conflicts(word, 4, false, own_code()));
    CHECK(!known.touches(word, 4, true, handler(1, 1))); // which is known by now
}

TEST_CASE("two reads do not conflict") {
    footprints known;
    CHECK(!known.conflicts(word, 4, false, own_code()));
    CHECK(!known.touches(word, 4, false, handler(1, 1)));
    CHECK(!known.conflicts(word, 4, false, own_code()));
    CHECK(known.conflicts(word, 4, true, own_code()));
}

TEST_CASE("bytes side by side in one word do not conflict") {
    footprints known;
    CHECK(!known.touches(word, 1, true, handler(1, 1)));
    CHECK(!known.conflicts(word + 1, 1, true, own_code()));
    CHECK(known.conflicts(word, 1, true, own_code()));
}

TEST_CASE("an access over two words conflicts with a handler that touches the second") {
    footprints known;
    CHECK(!known.touches(word + 8, 1, true, handler(1, 1)));
    CHECK(known.conflicts(word + 4, 8, false, own_code()));
}

TEST_CASE("a handler is not interrupted by those of its own level and below") {
    footprints known;
    CHECK(!known.touches(word, 4, true, handler(1, 1)));
    CHECK(!known.conflicts(word, 4, true, handler(1, 1)));
    CHECK(!known.touches(word + 16, 4, true, handler(2, 2)));
    CHECK(known.conflicts(word + 16, 4, true, handler(1, 1)));
}
