// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a search has found so far, as JSON: for other processes, and for a checkpoint.

#include "findings.hpp"

#include <ringproof/command/document.hpp>

namespace ringproof::silicon::a64 {

/// Figures, the token of a failure, and what is left.
command::json figures_of(const findings& f);
/// @throws command::json::exception, std::invalid_argument for what is none
findings findings_of(const command::json& figures);

/// Adds what another process has found. A shorter failure takes the place of its own; what is shown of it is not known
/// then.
void add_findings(findings& to, const findings& more);

} // namespace ringproof::silicon::a64
