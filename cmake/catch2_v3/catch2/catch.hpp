// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tests are written for Catch2 2.13, which Debian 12 has. This stands for its header where there is Catch2 3 (Debian
// 13): the words of theirs that were renamed or moved. Not catch_all.hpp, whose Contains() is about ranges.

#include <catch2/catch_approx.hpp>
#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_predicate.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <catch2/matchers/catch_matchers_vector.hpp>

namespace Catch {

namespace Matchers {
inline auto Contains(const std::string& text, CaseSensitive how = CaseSensitive::Yes) {
    return ContainsSubstring(text, how);
}
} // namespace Matchers

using Matchers::Contains;
using Matchers::EndsWith;
using Matchers::StartsWith;
inline auto rngSeed() { return getSeed(); }

} // namespace Catch

using Catch::Approx;
