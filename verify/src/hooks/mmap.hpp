// SPDX-License-Identifier: Apache-2.0
#pragma once
// What mmap and its kin do for the program, for those calls that come as system calls too.

#include "../program/memory.hpp"

#include <sys/types.h>

namespace ringproof::verify {

void* hook_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset,
                std::uintptr_t site);
int hook_munmap(void* at, std::size_t size, std::uintptr_t site);
int hook_mprotect(void* at, std::size_t size, int protection, std::uintptr_t site);
void* hook_mremap(void* old, std::size_t old_size, std::size_t new_size, int flags, std::uintptr_t site);
int hook_madvise(void* at, std::size_t size, int advice, std::uintptr_t site);
/// What PROT_READ and PROT_WRITE allow.
std::uint8_t rights_of(int protection);
/// Copies mapped memory, as far as it was touched.
void copy_touched(std::uintptr_t to, std::uintptr_t from, std::size_t size);
/// Unmaps whole pages.
void hook_unmap(memory_range range, std::uintptr_t site);
/// Maps whole pages that are mapped, or were, anew.
void hook_map_again(memory_range range, std::uintptr_t site);
/// The same as system calls, which the program may make by number.
bool is_memory_call(long number);
long memory_call(long number, const long (&a)[6], std::uintptr_t site);

} // namespace ringproof::verify
