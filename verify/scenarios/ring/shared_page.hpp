// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of a ring between processes, where a process is a thread and the page is on the heap.

#include <ringproof/layout/between_processes.hpp>
#include <ringproof/mapped_memory.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace ringproof::scenarios {

/// A page and 4096 bytes, made as `between_processes` makes them; positions run over 2^64.
class shared_page {
  public:
    shared_page() {
        const std::uint64_t start = 0 - std::uint64_t{1024}, capacity = 4096;
        put(0, between_processes::magic), put(8, capacity);
        put(between_processes::reserved_at, start), put(between_processes::tail_at, start);
    }
    shared_page(const shared_page&) = delete;
    shared_page& operator=(const shared_page&) = delete;
    ~shared_page() { ::operator delete[](bytes_, alignment); }
    [[nodiscard]] ring_memory map() const { return ringproof::mapped_memory::foreign(bytes_, 8192); }
    [[nodiscard]] std::uint64_t word(std::size_t at) const {
        return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(bytes_ + at))
            .load(std::memory_order_relaxed);
    }

  private:
    static constexpr std::align_val_t alignment{4096};
    void put(std::size_t at, std::uint64_t value) { std::memcpy(bytes_ + at, &value, 8); }
    std::byte* bytes_ = new (alignment) std::byte[8192]{};
};

} // namespace ringproof::scenarios
