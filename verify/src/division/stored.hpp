// SPDX-License-Identifier: Apache-2.0
#pragma once
// What checkpoints, their parts and the results of these have in common as JSON: a checksum over all of it, positions
// in a search, and which part of it this is. What is read is believed only where no search could have written it
// otherwise: a number that is out of range is refused with a sentence.

#include "part.hpp"

#include <ringproof/command/checked_document.hpp>
#include <ringproof/command/document.hpp>
#include <ringproof/verify/explore.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

using command::checked_document;
using command::json;
using command::with_checksum;

inline constexpr const char* checkpoint_schema = "ringproof-checkpoint/7";

/// Says what is wrong with a file. @throws std::invalid_argument always
[[noreturn]] void refuse(const std::string& why);

/// @throws std::invalid_argument for a checkpoint of another version of the checker
void check_version(const json& checkpoint);

/// Of one result in a document of many, without the checksum that it may have.
std::string checksum_of_result(json result);

std::uint64_t number(const json& value, std::uint64_t most, const char* what);
/// A sum that has room for those that are still to come.
std::uint64_t count(const json& from, const char* what);

json to_json(const std::vector<search_position>& all);
/// Where searches were stopped. @throws std::invalid_argument where two of them overlap
std::vector<search_position> positions_of(const json& from);
/// Where a search learnt something: perhaps before its first decision, or at its end, which has no threads.
std::vector<search_position> lessons_of(const json& from);

json to_json(const part_of_search& part);
part_of_search part_of(const json& from);

} // namespace ringproof::verify
