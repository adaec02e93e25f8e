// SPDX-License-Identifier: Apache-2.0
#pragma once
// The final states of a test by exploration: the second engine beside enumerate/search.hpp. It runs the threads
// (litmus_machine.hpp) under a model written in C++ (silicon/), and knows neither paths nor the cat language.

#include "../enumerate/search.hpp"

#include <ringproof/silicon/explore.hpp>

namespace ringproof::litmus {

struct explored {
    simulation result; ///< `candidates` counts the parts of executions that the model was asked about
    silicon::found_totals totals;
};

/// "" if the explorer can run this test under this model, else a sentence that says why not.
std::string cannot_explore(const test& t, const std::string& model_name);

/// The model that the explorer has for tests of this dialect.
std::string explorers_model(const test& t);

/// @param each is called with every execution that is found, if it is not empty
/// @throws syntax_error, std::runtime_error for what is not supported
explored explore_test(const test& t, int unroll, const limits& l,
                      const std::function<void(const silicon::part_of_execution&)>& each = {});

} // namespace ringproof::litmus
