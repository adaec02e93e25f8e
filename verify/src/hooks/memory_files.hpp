// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files in memory: memfd_create, shm_open.

#include "noted_files.hpp"

namespace ringproof::verify {

/// Makes one. @return its number, or -1 with errno
int make_file(unsigned flags, std::uintptr_t site);
/// Makes another number of a file in memory, as dup() does. @return it, or -1 where `number` is no such file's
int another_number(int number, std::uintptr_t site);
/// As map_file().
void* map_memory_file(memory_file& f, std::uintptr_t at, std::size_t size, int protection, int flags,
                      off_t offset, std::uintptr_t site);
/// What a mapping is behind the end of its file.
mapped::layer layer_beyond(memory_range range, std::uintptr_t site);

} // namespace ringproof::verify
