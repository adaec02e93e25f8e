// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory models by their names, as --model and the JSON have them.

#include "verify.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ringproof::verify {

struct named_model {
    memory_model which;
    std::string_view name;
    /// Whether `--model all` runs it. A model in which programs fail that are right in C++ is run only when asked for.
    bool in_all;
};

/// In the order in which `all` runs them.
inline constexpr std::array named_models = {
    named_model{memory_model::rc11, "rc11", true},
    named_model{memory_model::tso, "tso", true},
    named_model{memory_model::sc, "sc", true},
    named_model{memory_model::ra, "ra", false},
};

/// Whether there is such a model: for numbers that come from outside.
constexpr bool is_model(unsigned number) {
    return std::any_of(named_models.begin(), named_models.end(),
                       [&](const named_model& m) { return static_cast<unsigned>(m.which) == number; });
}

constexpr std::string_view model_name(memory_model which) {
    return std::find_if(named_models.begin(), named_models.end(),
                        [&](const named_model& m) { return m.which == which; })
        ->name;
}

} // namespace ringproof::verify
