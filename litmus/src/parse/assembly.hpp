// SPDX-License-Identifier: Apache-2.0
#pragma once
// What code of all assembly dialects has: labels, and locations of a name, a width and an initial value.

#include "scanner.hpp"

#include <utility>
#include <vector>

namespace ringproof::litmus {

/// The labels of one thread, each with the instruction that it stands before.
class label_list {
  public:
    /// @throws syntax_error at `offset` if the thread has such a label already
    void define(const scanner& in, std::size_t offset, std::string_view name, std::size_t instruction);
    /// Index of the instruction. @throws syntax_error at `offset`, where the label is used
    std::size_t target(const source& from, std::size_t offset, std::string_view name) const;
    bool has(std::string_view name) const;
    /// The first label of an instruction; empty if it has none.
    std::string name_of(std::size_t instruction) const;
    std::size_t size() const { return labels_.size(); }
    /// Each name with its instruction, in the order of the text.
    const std::vector<std::pair<std::string, std::size_t>>& all() const { return labels_; }

  private:
    std::vector<std::pair<std::string, std::size_t>> labels_;
};

/// The address of an instruction as a value: `P0:L`, or `label:"P0:L"` as it is shown, if one stands next; then its
/// name as it is shown, else empty.
std::string parse_label_value(scanner& in);
/// `label:"P0:L"`
std::string label_value(std::size_t thread, std::string_view label);

struct variable {
    std::string name;
    int bits = 32;
    std::int64_t initial = 0;
};

/// Index of the variable; all.size() if there is none.
std::size_t find_variable(const std::vector<variable>& all, std::string_view name);

} // namespace ringproof::litmus
