// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who asks for memory. What the program asks for belongs to the execution. What the C library, the dynamic linker and
// the engine ask for themselves is the process's, and is not put back.

#include "memory.hpp"

namespace ringproof::verify::callers {

/// Whether the program under test asks, from its executable or a library.
bool for_program(std::uintptr_t site);
/// The same, and not the engine for it.
bool by_program(std::uintptr_t site);
/// Whether one of its static objects is being made: the executable asks, or libstdc++ for it.
bool for_static_object(std::uintptr_t site);
/// Whether the program or one of its static objects asks, and not the engine for them.
bool is_programs(std::uintptr_t site);
/// Whether the program or one of its libraries asks before main().
bool is_programs_before_main(std::uintptr_t site);
/// Notes where the libraries are that the engine needs itself.
void find_libraries();
/// Whether the engine itself does.
bool is_engine(std::uintptr_t site);

} // namespace ringproof::verify::callers
