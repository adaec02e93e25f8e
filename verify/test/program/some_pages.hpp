// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../src/program/memory.hpp"

#include <catch2/catch.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace ringproof::verify::test {

/// Memory of its own, in whole pages.
class some_pages {
  public:
    explicit some_pages(std::size_t count) : size_(count * page_size()) {
        void* const at =
            mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        REQUIRE(at != MAP_FAILED);
        begin_ = static_cast<char*>(at);
    }
    ~some_pages() { unmap(); }
    some_pages(const some_pages&) = delete;
    some_pages& operator=(const some_pages&) = delete;

    static std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
    char* page(std::size_t n) const { return begin_ + n * page_size(); }
    memory_range range() const {
        const auto begin = reinterpret_cast<std::uintptr_t>(begin_);
        return {begin, begin + size_};
    }
    void unmap() {
        if (size_ != 0) munmap(begin_, size_);
        size_ = 0;
    }

  private:
    char* begin_ = nullptr;
    std::size_t size_;
};

inline void say_that_nothing_is_told() { WARN("this system does not tell which pages were written"); }

} // namespace ringproof::verify::test
