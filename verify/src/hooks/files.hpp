// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that the program maps.

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace ringproof::verify {

/// Maps a file for the program. @param at where, in what the program has mapped, or 0
/// @return MAP_FAILED with errno, as mmap does
void* map_file(std::uintptr_t at, std::size_t size, int protection, int flags, int file, off_t offset,
               std::uintptr_t site);

} // namespace ringproof::verify
