// SPDX-License-Identifier: Apache-2.0
#pragma once
// What was found by parts together, for people.

#include <ringproof/command/document.hpp>

#include <cstdio>

namespace ringproof::verify {

/// A line with verdict, model, name and counts, and what there is to say of it.
void print_summed(const command::json& result, std::FILE* out);

} // namespace ringproof::verify
