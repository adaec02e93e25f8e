// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many executions there are in all, with bounds: what `--estimate` says, asked beside a search that takes long. It
// comes from random walks through the whole tree, so that parts which take longer than thought do not bias it, as they
// do what the parts tell that are done.

#include "searching.hpp"

#include <ringproof/command/temporary_folder.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

/// Executions of a search, all of them: about `likely`, and with 95 % confidence from `low` to `high`.
struct estimated_size {
    double low = 0, likely = 0, high = 0;
};
/// By the names of searches; those of which nothing is known are not in it.
using estimated_sizes = std::map<std::string, estimated_size>;

class estimator {
  public:
    /// @param command the program with its arguments
    /// @throws command::file_error where there is no room for temporary files
    explicit estimator(std::vector<std::string> command) : command_(std::move(command)) {}

    /// Asks again, from time to time and each time for longer, while the search goes on: for a twentieth of its time, when
    /// nobody else wants the CPU.
    /// @param now seconds of the search
    /// @return what is new
    std::optional<estimated_sizes> look(double now, std::size_t searches);

  private:
    void start(double now, std::size_t searches);

    std::vector<std::string> command_;
    ringproof::command::temporary_folder folder_{"ringproof-estimate"};
    searching process_;
    double next_ = 20; ///< seconds
};

/// What a document of `--estimate` says. @throws std::invalid_argument for what is none
estimated_sizes sizes_in(const std::string& document);

} // namespace ringproof::verify::ranks
