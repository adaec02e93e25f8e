// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which pages of memory were written since one last asked, by whomever: the program, the engine, or the system, for it.
// Linux knows since 6.7, where it lets a process have a userfaultfd (asynchronous write protection, and the PAGEMAP_SCAN
// request: see the kernel's Documentation/admin-guide/mm/pagemap.rst).

#include "memory.hpp"

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace ringproof::verify {

class written_pages {
  public:
    written_pages() = default;
    ~written_pages() { close(); }
    written_pages(const written_pages&) = delete;
    written_pages& operator=(const written_pages&) = delete;

    /// Whether the system knows, of this range as of others. From here on it counts as written, whole.
    bool watch(memory_range range);
    /// Gives up all ranges. A child of fork() must: it has the memory, but the system does not tell it what was
    /// written.
    void close();
    bool of_this_process() const;

    struct stretch { // as the system has it
        std::uint64_t begin = 0, end = 0, categories = 0;
    };
    /// What was written in a watched range since the last call; it counts as not written from here on.
    const std::vector<stretch>& take(memory_range watched);

    /// Pages, not bytes: what is to be watched begins and ends with one.
    static memory_range pages_around(memory_range range);
    static memory_range pages_within(memory_range range);

  private:
    bool open();

    int faults_ = -1, pages_ = -1;
    pid_t owner_ = 0;
    std::vector<stretch> found_, room_;
};

} // namespace ringproof::verify
