// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a finding may be of: one rule a kind, with help for whoever meets it for the first time.

#include <span>
#include <string_view>

namespace ringproof::report {

struct rule {
    std::string_view kind;  ///< as a counterexample names it, or our own word for what has none
    std::string_view id;    ///< in SARIF; part of the interface, never renamed
    std::string_view title; ///< "data race"
    std::string_view about; ///< what it means
    std::string_view advice;
};

/// The rule of a kind; the one of kind "other" where there is none of its own.
const rule& rule_of(std::string_view kind);

/// All, that of kind "other" last.
std::span<const rule> all_rules();

} // namespace ringproof::report
