// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread of a test run with what is known of its loads: values where they are known, variables where not.

#include "../frontend/program.hpp"

#include <ringproof/silicon/machine.hpp>

namespace ringproof::litmus::exploring {

silicon::word to_word(const value& v);
value from_word(const silicon::word& w);

/// Thrown where a thread cannot go on before these loads have values.
struct waits_for_loads {
    load_set from;
};
/// Thrown where a thread needs a choice.
struct asks_for_choice {
    std::uint32_t at;
};

class replayed_path final : public path_builder {
  public:
    /// `variables` keeps the variable of each load for the next run of the thread.
    replayed_path(program& p, int thread, const silicon::history& past, std::vector<expr>& variables)
        : path_builder(p, thread, no_decisions_), past_(past), variables_(variables) {}

    /// @throws waits_for_loads if the address is not known; path_ends if nothing is there
    int read(const operand_value& address, const tag_set& labels, operand_value& result) override;
    int write(const operand_value& address, const operand_value& data, const tag_set& labels) override;

    /// @throws asks_for_choice if the condition is not known: it is guessed, and the guess checked later
    bool decide(const operand_value& condition) override;
    /// @throws waits_for_loads if the condition is not known
    bool branch(const operand_value& condition) override;
    /// True as long as it is not known.
    bool assume(const operand_value& condition) override;
    /// @throws cannot_evaluate: the explorer's models know no such instructions
    void one_access(int first, int second) override;
    void in_order(int first, int second) override;

  private:
    /// @throws asks_for_choice
    bool choose() override;
    void settle(const operand_value& address);
    bool is_known(const operand_value& v) { return values().is_constant(v.e); }
    bool is_true(const operand_value& v) { return !(values().constant_of(v.e) == value{}); }
    /// What was chosen at a place; nullptr if nothing was.
    const std::uint32_t* chosen(std::uint32_t place) const;

    std::vector<bool> no_decisions_;
    const silicon::history& past_;
    std::vector<expr>& variables_;
    std::uint32_t places_ = 0; ///< where a choice could have been asked for, so far
};

} // namespace ringproof::litmus::exploring
