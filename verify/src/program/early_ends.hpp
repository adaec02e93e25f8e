// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is to be done at the end of the program and was known before main(): destructors of static objects, what
// atexit() was given by their constructors, and functions with the attribute `destructor`. It belongs to the program:
// each execution does it at its own end, and the process, when it ends, does not.

#include <cstddef>
#include <cstdint>

namespace ringproof::verify::early_ends {

/// Called before the first static object of the program is made: takes the executable's functions of that attribute.
void begin();
/// Keeps `function` for the end of each execution. @return false when it is the process's: a library asks, or
/// it would flush std::cout and its kin, which outlive the execution
bool add(void (*function)(void*), void* object, void* library);

struct end {
    void (*function)(void*);
    void* object;
};
/// How many there are. They are done from the last to the first.
std::size_t count();
end at(std::size_t i);
/// Whether `address` is in the executable, whose static objects are or were being made.
bool in_program(std::uintptr_t address);

} // namespace ringproof::verify::early_ends
