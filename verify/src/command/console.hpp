// SPDX-License-Identifier: Apache-2.0
#pragma once
// What people read on standard output.

#include "../outcome/outcome.hpp"

#include <cstdio>
#include <vector>

namespace ringproof::verify {

class console {
  public:
    explicit console(const command_options& options, std::FILE* out) : options_(options), out_(out) {}

    void list(const std::vector<const subject*>& all) const;
    /// One line per scenario and model; a counterexample below it.
    void print(const outcome& o) const;
    void summary(const std::vector<outcome>& all) const;

  private:
    std::string painted(std::string_view text, int color) const;
    void print_example(const outcome& o) const;
    void print_shown(const outcome& o) const;

    const command_options& options_;
    std::FILE* out_;
};

} // namespace ringproof::verify
