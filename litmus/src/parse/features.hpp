// SPDX-License-Identifier: Apache-2.0
#pragma once
// Of a test that cannot be read: which feature that is not simulated it uses, for an error that says so.

#include "source.hpp"

namespace ringproof::litmus {

/// @throws syntax_error at the first place where an AArch64 test from `begin` on uses page tables, tags, faults, …
void name_unknown_feature(const source& from, std::size_t begin);

} // namespace ringproof::litmus
