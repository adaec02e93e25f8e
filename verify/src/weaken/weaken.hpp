// SPDX-License-Identifier: Apache-2.0
#pragma once
// `--weaken`: which of the orders that scenarios execute are needed? `--weaken=optimize`: which are enough?

#include "../outcome/outcome.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

/// @return the exit code
/// @throws std::runtime_error when results cannot be written, or the system refuses processes
int weaken(const std::vector<const subject*>& chosen, const command_options& options,
           const std::vector<std::string>& invocation);
int optimize(const std::vector<const subject*>& chosen, const command_options& options,
             const std::vector<std::string>& invocation);

/// The models that a scenario is to be looked at under.
std::vector<memory_model> models_for(const subject& s, const command_options& options);

} // namespace ringproof::verify
