// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of the process's libraries are a part of the program under test.

struct dl_phdr_info;

namespace ringproof::verify {

/// Whether an object's data belong to the program's state: the executable, and libraries that it was linked with and
/// that the engine does not use itself. The C and C++ libraries are among those that it does.
bool is_part_of_program(const dl_phdr_info& object);

} // namespace ringproof::verify
