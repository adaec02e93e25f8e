// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the program's static objects allocate before main(): part of the program's data, put back between executions
// like them, and not the process's to free.

#include "memory.hpp"

namespace ringproof::verify::early_heap {

/// Whose static objects are being made, if any: allocations for them come here.
enum class phase : unsigned char { closed, libraries, executable };
phase now();
inline bool open() { return now() != phase::closed; }
/// Whether they have been: the process is one that checks a program.
bool was_open();
/// Allocates. Where there is no room it ends the process, and says so.
std::uintptr_t allocate(std::size_t size, std::size_t alignment);
bool contains(std::uintptr_t address);
/// Frees while no execution runs. Room comes back when all of it is free.
void release(std::uintptr_t address);
/// No more comes in; what is there stays. Called when the search begins.
void close();
/// While it lives, libraries are loaded, whose static objects are the program's.
class loading {
  public:
    loading();
    ~loading();
    loading(const loading&) = delete;
    loading& operator=(const loading&) = delete;
};
/// While it lives, the engine allocates for itself, whoever it asks to.
class left_alone {
  public:
    left_alone();
    ~left_alone();
    left_alone(const left_alone&) = delete;
    left_alone& operator=(const left_alone&) = delete;

  private:
    phase was_;
};
/// What is in use: empty, or the bytes that belong to the program's state.
memory_range used();

} // namespace ringproof::verify::early_heap
