// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the museum prints.

#include "exhibit.hpp"

#include <ringproof/command/document.hpp>

#include <cstdio>

namespace ringproof::verify {

/// --list: one line for each exhibit, with the sources it needs.
void print_list(const std::vector<exhibit>& all);

/// The line above results.
void print_heading(std::FILE* out);

/// A result's line, and below it why it is not as expected or what it needs.
void print_result(const command::json& result, std::FILE* out);

/// "12 exhibits: 10 refuted before the fix, 8 verified after it, 2 skipped"
std::string summary_of(const command::json& results);

} // namespace ringproof::verify
