// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/code.hpp"
#include "../program/mixed.hpp"
#include "../program/program.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ringproof::verify {

inline std::uintptr_t word_at(std::uintptr_t address) {
    std::uintptr_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
}

/// A thread on one way: as much of its state as the question needs.
struct machine {
    std::uintptr_t pc = 0;
    std::array<std::uintptr_t, 16> registers{}; ///< an address in the thread's stack, or 0: no such
    /// Of each register: bit r, its lowest byte differs; bit 16 + r, another does. Where a register has a flag,
    /// clang writes and reads the lowest alone.
    std::uint32_t differ = 0;
    std::vector<memory_range> bytes; ///< of the stack, that differ, in order
    /// Words written on the way that hold another address in the stack than memory has now, or no longer one; in order.
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> stored;

    static constexpr std::size_t word = sizeof(std::uintptr_t);
    static constexpr std::uint32_t lowest(std::size_t r) { return 1u << r; }
    static constexpr std::uint32_t others(std::size_t r) { return 1u << (16 + r); }
    static constexpr std::uint32_t all_of(std::size_t r) { return lowest(r) | others(r); }

    bool done() const { return differ == 0 && bytes.empty(); }
    std::uintptr_t& sp() { return registers[rsp]; }
    bool overlaps(std::uintptr_t begin, std::size_t size) const {
        return std::any_of(bytes.begin(), bytes.end(),
                           [&](const memory_range& b) { return b.begin < begin + size && begin < b.end; });
    }
    void overwrite(std::uintptr_t begin, std::uintptr_t end) {
        std::vector<memory_range> left;
        for (const memory_range& b : bytes) {
            if (b.begin < begin) left.push_back({b.begin, std::min(b.end, begin)});
            if (b.end > end) left.push_back({std::max(b.begin, end), b.end});
        }
        bytes = std::move(left);
        std::erase_if(stored, [&](const auto& s) { return s.first < end && begin < s.first + word; });
    }
    std::uint64_t hash() const {
        std::uint64_t h = pc;
        const auto add = [&](std::uint64_t v) { h = mixed(h, v); };
        for (const std::uintptr_t r : registers) add(r);
        add(differ);
        for (const memory_range& b : bytes) add(b.begin), add(b.end);
        for (const auto& [address, value] : stored) add(address), add(value);
        return h;
    }
};

/// What a function of the checker reads of the program's memory, and writes: what its arguments point to.
struct known_function {
    int arguments = -1;  ///< how many it has; -1: it is not known
    bool ends = false;   ///< the execution, with an error
    bool throws = false; ///< an exception
    /// Bytes at the address in the first argument, and in the second; 0: any number
    std::uint8_t first = 0, second = 0;
};

/// Follows the ways on from where a thread stands, for dead_state.cpp, which has the argument.
class code_paths {
  public:
    explicit code_paths(const program& p) : program_(p) {}
    /// Whether each way on from there overwrites all that differs before it reads any of it.
    /// @param stack the thread's, whole, without its thread_local variables
    /// @param followed the end of the part of the stack to which no address is known but in it and in registers
    bool all_overwrite(const machine& from, const memory_range& stack, std::uintptr_t followed);
    /// The same where a register alone differs: in whatever library the ways are, as none of them knows of registers.
    bool all_overwrite_result(const machine& from, const memory_range& stack);
    machine_code& code() { return code_; }

  private:
    class walk;
    known_function known(std::uintptr_t function);

    const program& program_;
    machine_code code_;
    std::unordered_map<std::uintptr_t, known_function> known_; ///< by address
};

} // namespace ringproof::verify
