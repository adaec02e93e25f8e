// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs with alike threads, with and without the reduction symmetry.

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>
#include <cstdint>

namespace ringproof::verify {

inline exploration_result explored(void (*program)(), bool symmetry) {
    exploration_options options;
    options.limits.reduce.symmetry = symmetry;
    return explore(program, options);
}

/// The program has so many executions, of which so many are explored.
inline void has(void (*program)(), std::uint64_t executions, std::uint64_t explored_ones) {
    const exploration_result all = explored(program, false), some = explored(program, true);
    CHECK(all.error.kind == failure_kind::nothing);
    CHECK(some.error.kind == failure_kind::nothing);
    CHECK(all.executions == executions);
    CHECK(all.permutations == static_cast<double>(executions));
    CHECK(some.executions == explored_ones);
    CHECK(some.permutations == Approx(static_cast<double>(executions)));
}

/// The error is found with symmetry, as it is without.
inline void is_found(void (*program)(), failure_kind what) {
    const exploration_result all = explored(program, false), some = explored(program, true);
    CAPTURE(all.error.message, some.error.message);
    CHECK(all.error.kind == what);
    CHECK(some.error.kind == what);
}

} // namespace ringproof::verify
