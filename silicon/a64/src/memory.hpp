// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program's memory, at its own addresses in this process: what it is linked with, a stack and a heap for each
// thread. Between two runs of threads it is as it was when the first other thread came to be.

#include "image.hpp"

#include <cstdint>
#include <vector>

namespace ringproof::silicon::a64 {

class memory {
  public:
    static constexpr std::size_t most_threads = 16;
    static constexpr std::uint64_t stack_size = 1u << 20, heap_size = 1u << 22;

    /// @throws std::invalid_argument where the program's addresses are taken in this process
    explicit memory(const image& program);
    ~memory();
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;

    enum class owner : std::uint8_t { none, constant, shared, thread };
    struct place {
        owner whose = owner::none;
        std::size_t thread = 0;
    };
    /// The area that all bytes lie in; none if they do not lie in one.
    place at(std::uint64_t address, std::uint64_t bytes) const;
    bool is_code(std::uint64_t address) const;

    /// To be said before it is written, so that undo() can put it back.
    void keep(std::uint64_t address, std::uint64_t bytes);
    /// All that was written since the last time. After forget() it stays.
    void undo();
    void forget() { kept_.clear(); }

    std::uint64_t stack_top(std::size_t thread) const;
    std::uint64_t thread_pointer(std::size_t thread) const;
    std::uint64_t heap(std::size_t thread) const;

  private:
    struct area {
        std::uint64_t address = 0, size = 0;
    };
    void map(area a);
    void begin(std::size_t thread);

    struct kept {
        std::uint64_t address = 0;
        std::byte bytes[16] = {};
        std::uint8_t count = 0;
    };
    const image& program_;
    std::vector<area> mapped_;
    std::vector<kept> kept_;
};

} // namespace ringproof::silicon::a64
