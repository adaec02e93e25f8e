// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a model allows of a C test, and what a machine allows of the code that a compiler has made of it.

#include "../enumerate/model.hpp"
#include "../enumerate/search.hpp"
#include "../frontend/front_ends.hpp"
#include "unit.hpp"

#include <set>

namespace ringproof::litmus::compiled {

/// A test, and what its model allows.
struct source_side {
    loaded_test loaded;
    simulation allowed;
    std::set<std::vector<std::string>> states; ///< values in the order of allowed.shown
    std::string undefined;                     ///< the model's flag (data race): any outcome is allowed
};

source_side simulate_source(loaded_test loaded, const unit& u, const model& m, const limits& l);

struct comparison {
    std::string verdict; ///< consistent, refuted, inconclusive, skipped, error
    std::string message;
    std::size_t states = 0;                  ///< that the machine allows
    std::vector<std::string> machine_states; ///< in words
    std::vector<std::string> forbidden;      ///< of these, those that the source's model forbids
    std::string machine_test;                ///< the compiled code
    std::string explanation;                 ///< of the first forbidden one
    double seconds = 0;
};

/// @param test the text of the machine's test
comparison compare(const source_side& source, const unit& u, const std::string& test, const model& machine,
                   const model& source_model, const limits& l, int unroll);

} // namespace ringproof::litmus::compiled
