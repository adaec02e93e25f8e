// SPDX-License-Identifier: Apache-2.0
#pragma once
// A litmus test of assembly code as a machine that the explorer of silicon/ runs.

#include "../frontend/front_ends.hpp"

#include <ringproof/silicon/machine.hpp>

namespace ringproof::litmus::exploring {

struct litmus_run final : silicon::run {
    std::map<std::string, value>
        registers; ///< at the end, of a thread that has finished: those with known values
};

class litmus_machine final : public silicon::machine {
  public:
    /// Refers to the test. @throws syntax_error
    explicit litmus_machine(opened_assembly opened)
        : opened_(std::move(opened)), variables_(opened_.what.threads.size()) {}

    std::size_t threads() const override { return variables_.size(); }
    std::shared_ptr<const silicon::run> run_thread(std::size_t thread, const silicon::history& past) override;
    silicon::word initial(std::uint64_t location) const override;

    program& what() { return opened_.what; }

  private:
    void take_over(const path& p, litmus_run& result);
    silicon::event converted(const event& e) const;

    opened_assembly opened_;
    std::vector<std::vector<expr>> variables_;
};

} // namespace ringproof::litmus::exploring
