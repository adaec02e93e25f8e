// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a C11 or X86 test to steps that run.

#include "../enumerate/question.hpp"
#include "../frontend/front_ends.hpp"
#include "code.hpp"

#include <stdexcept>

namespace ringproof::litmus::witness {

/// The test says what no step can do: the message names it.
struct untranslatable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// @throws untranslatable
executable translate(const loaded_test& t);

code translate_c(const test& t, std::size_t thread, const program& p, std::vector<std::string>& locals,
                 std::array<std::int64_t, most_registers>& registers);
code translate_x86(const test& t, std::size_t thread, const program& p, std::vector<std::string>& locals,
                   std::array<std::int64_t, most_registers>& registers);

} // namespace ringproof::litmus::witness
