// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's result as bytes, for a process of the same program: addresses mean the same there.

#include <ringproof/verify/explore.hpp>

#include <string>
#include <sys/types.h>

namespace ringproof::verify {

std::string pack(const exploration_result& r, pid_t from);

/// Adds the result at `at` to `all`, and moves `at` behind it. Of several errors the first one stays.
/// @return whom it is from
pid_t unpack_into(exploration_result& all, const std::string& text, std::size_t& at);

} // namespace ringproof::verify
