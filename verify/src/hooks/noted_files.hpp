// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is noted of the files that the program opens or makes, in its own heap: so it is put back with the program's
// state. The numbers that stand for them belong to the process.

#include "descriptors.hpp"
#include "hook.hpp"

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace ringproof::verify {

/// A mapping of a file in memory.
struct noted_view {
    std::uintptr_t begin, end;
    std::size_t offset; ///< in the file, of what is at `begin`
    std::uint8_t rights;
    noted_view* older;
};

/// A file in memory. It lies in mapped memory, since it is one for all processes, unlike the numbers that stand for it.
struct memory_file {
    std::size_t size; ///< since the thread `sized_by` was behind that event
    thread_id sized_by;
    std::uint32_t sized_at;
    std::uintptr_t home;
    std::size_t room;  ///< behind `home`
    noted_view* views; ///< the latest first, also what is unmapped by now
    char name[64];     ///< of shm_open
};

struct noted_file {
    int number;
    bool closed;
    off_t place;         ///< of what is read: how far it was
    memory_file* memory; ///< of a file in memory; otherwise null
    unsigned nth;        ///< of its thread's
    noted_file* older;
    descriptors::end* stands_for; ///< what it is the number of, where that is modelled; otherwise null
    const char* text;             ///< what is read, where that is modelled; otherwise null
};

/// The latest file of a thread.
inline noted_file* newest_file(thread_id t) { return static_cast<noted_file*>(mapped::files_of(t)); }

template <class Test>
noted_file* find_file(Test test) {
    for (thread_id t = 0; t < hook::engine().thread_count(); ++t)
        for (noted_file* f = newest_file(t); f; f = f->older)
            if (test(*f)) return f;
    return nullptr;
}
inline noted_file* file_of(int number) {
    return find_file([number](const noted_file& f) { return f.number == number && !f.closed; });
}

/// Notes a file that the running thread opens. Its number is the same in each execution.
/// @param made the system's
noted_file* note_file(int made, std::uintptr_t site);

} // namespace ringproof::verify
