// SPDX-License-Identifier: Apache-2.0
#include "ringproof/process_identity.hpp"

#include <catch2/catch.hpp>

using ringproof::detail::process_identity;

TEST_CASE("a process whose number somebody else has by now is dead") {
    const std::uint64_t own = process_identity::own();
    const auto started = static_cast<std::uint32_t>(own);
    REQUIRE(started > 1); // 0 or 1: /proc can't be read here, so no two processes can be told apart
    CHECK_FALSE(process_identity::dead(own));
    CHECK(process_identity::dead(own - 1)); // this number, started before
    CHECK(process_identity::dead(own ^ std::uint64_t{1} << 31));
    CHECK_FALSE(process_identity::dead(own - started)); // could not find out when it was started
}
