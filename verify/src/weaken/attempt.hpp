// SPDX-License-Identifier: Apache-2.0
#pragma once
// Verifying scenarios with other memory orders than those they ask for.

#include "../outcome/outcome.hpp"
#include "../trace/symbols.hpp"
#include "sites.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// A scenario under one model, and how it is as it stands.
struct search_of {
    const subject* what = nullptr;
    memory_model model = memory_model::rc11;
    double seconds = 0;
    std::size_t longest = 0; ///< events of its longest execution
    std::vector<std::uint64_t> executed;
    bool atomic_data =
        false; ///< what is handed over is read and written by atomics, as the core's get_word does

    std::string name() const;
};

struct order_change {
    const order_site* site;
    order to;
};

struct attempt {
    verify::verdict verdict = verify::verdict::error;
    std::string message; ///< why it is not verified
    std::string among;   ///< refuted: of how many executions that fail the one of the token is the shortest
    std::uint64_t failing = 0;
    std::uint64_t executions = 0, events = 0;
    std::size_t longest = 0;
    double seconds = 0;
    std::string token; ///< refuted: of the execution that fails
    std::vector<std::uint64_t> executed;
};

std::string pack(const attempt& a);
/// An empty text is one that was not made: inconclusive.
attempt unpack(const std::string& text);

class attempts {
  public:
    /// @param strongest whether what nobody changes is as strong as can be, not as the program asks
    attempts(const command_options& options, const symbols& names, bool strongest)
        : options_(options), names_(names), strongest_(strongest) {}

    /// Explores within `seconds`; what a bound ends is inconclusive, never refuted.
    attempt run(const search_of& search, const std::vector<order_change>& changes, double seconds);
    /// The execution in which it fails.
    counterexample show(const search_of& search, const std::vector<order_change>& changes,
                        const std::string& token);

    bool strongest() const { return strongest_; }
    /// What a search may take that took so long as it stands.
    double time_for(const search_of& search) const;

  private:
    void put(const std::vector<order_change>& changes);

    const command_options& options_;
    const symbols& names_;
    bool strongest_;
    order_table table_;
};

} // namespace ringproof::verify
