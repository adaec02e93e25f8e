// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results of the parts of searches, put together.

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ringproof::verify {

/// Results as the checker writes them, one for each search and model.
struct merged_results {
    std::vector<command::json> results;
    command::json environment;         ///< of the first file
    std::vector<std::string> messages; ///< what keeps them from being put together; empty: nothing
};

/// Each search has a result: its own, or the sum of its parts. A search that a part refutes needs no other part.
/// @param left how many parts are known to be left of searches, by search_of(): these are inconclusive
/// @throws std::invalid_argument for a file that is none of the checker's, or that has what another one has
merged_results merge(const std::vector<std::string>& files, std::map<std::string, std::size_t> left = {});

command::exit_code code_of(const merged_results& merged);

} // namespace ringproof::verify
