// SPDX-License-Identifier: Apache-2.0
#pragma once
// The runtime for AArch64 (../runtime), compiled. That takes longer than most searches, so the objects are kept between
// runs: in $RINGPROOF_CACHE (empty: nowhere), or else below $XDG_CACHE_HOME or ~/.cache.

#include <filesystem>
#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

struct runtime_order {
    std::string compiler; ///< with its first flags
    bool lse = false;     ///< helpers of libgcc take the atomic instructions of Armv8.1
    bool cxx = false;     ///< with the C++ library's part
};

/// The compiler's complaints go to standard error.
/// @param folder for the objects where they are not kept
/// @return the objects, in the order of the linker's command; none: they do not compile
std::vector<std::filesystem::path> runtime_objects(const runtime_order& order,
                                                   const std::filesystem::path& folder);

} // namespace ringproof::silicon::a64
