// SPDX-License-Identifier: Apache-2.0
#pragma once
// What programs that fork have in common.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstddef>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace programs {

inline constexpr std::size_t page = 4096;

template <class T>
T& shared() {
    void* const at = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    VERIFY_THAT(at != MAP_FAILED);
    return *new (at) T;
}

/// Runs `child` in a process of its own. @return its number
template <class Child>
pid_t start(Child child) {
    const pid_t made = fork();
    VERIFY_THAT(made >= 0);
    if (made != 0) return made;
    child();
    _exit(0);
}

} // namespace programs
