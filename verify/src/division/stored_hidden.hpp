// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stored.hpp"

#include <functional>

namespace ringproof::verify {

/// What a search noted of accesses that may race. @param from_program the granule's place in its program, where it has
/// one: the same in each process that runs it
json to_json(const hidden_races& hidden, const std::function<std::uint64_t(std::uintptr_t)>& from_program);
/// The same read again. @throws std::invalid_argument for what no search writes
hidden_races hidden_of(const json& from, const std::function<std::uintptr_t(std::uint64_t)>& in_process);

} // namespace ringproof::verify
