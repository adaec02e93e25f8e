// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that the program maps.

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace ringproof::verify {

/// Maps a file for the program. @return MAP_FAILED with errno, as mmap does
void* map_file(std::size_t size, int protection, int flags, int file, off_t offset, std::uintptr_t site);
/// Notes that a mapping of a file in memory goes.
void unmap_file(std::uintptr_t begin, std::uintptr_t end);
int make_file(const char* name, unsigned flags, std::uintptr_t site);

} // namespace ringproof::verify
