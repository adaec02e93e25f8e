// SPDX-License-Identifier: Apache-2.0
#include "../../src/execution/steps.hpp"

#include "../../src/runtime/allocations.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

TEST_CASE("a step tells which choice was made that the program did not ask for") {
    CHECK(choice_of(step_of(false, nullptr)) == own_choice::not_one);
    CHECK(choice_of(step_of(true, "wake up early") + 1) == own_choice::wake);
    CHECK(choice_of(step_of(false, allocations::allocator_choice)) == own_choice::allocator);
    CHECK(choice_of(step_of(false, allocations::allocator_choice) + 1) == own_choice::allocator);
    CHECK(choice_of(step_of(false, "use memory again") + 5) == own_choice::reuse);
    CHECK(choice_of(step_of(false, "use memory again") + 0x3ff'ffff) == own_choice::reuse);
}

TEST_CASE("iterations that were skipped are no choice, however many they are") {
    for (const std::uint32_t iterations : {0u, 1u, 20'000u})
        CHECK(choice_of(skip_step + iterations) == own_choice::not_one);
}
