// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of the process's libraries are a part of the program under test.

struct dl_phdr_info;

namespace ringproof::verify {

/// Whether an object's data belong to the program's state: the executable, and libraries that it was linked with and
/// that the engine does not use itself. The C and C++ libraries are among those that it does.
/// Those that it has loaded by itself are, too.
bool is_part_of_program(const dl_phdr_info& object);
/// Whether the engine was linked with it, or is it.
bool is_needed_by_engine(const dl_phdr_info& object);

/// Loads what a constructor of the program asks dlopen() for: it becomes a part of the program. @return its handle
void* load_before_main(const char* file, int mode);
/// Whether what the program asks dlopen() for has been loaded, or tried to be; else it is noted.
bool was_asked_for(const char* file, int mode);
/// Loads what was noted, and all that it needs. @return whether anything was
bool load_what_was_asked_for();
/// Whether that brought thread_local variables, which the main thread's part of is not put back.
bool brought_thread_locals(const char* file);

} // namespace ringproof::verify
