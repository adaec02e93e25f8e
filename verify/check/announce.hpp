// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

/// A line of a listing that says: what stands before it accesses memory in a way that cannot be announced. look_at() reads it.
inline constexpr std::string_view not_announced = "#NOT_ANNOUNCED";

/// The listing of one source, from g++ for x86-64, with announcements of the accesses that the compiler leaves out.
/// @param lines without their ends
std::vector<std::string> announced(const std::vector<std::string>& lines);

/// The same for a file, which is written anew.
void announce(const std::filesystem::path& listing);

} // namespace ringproof::verify
