// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/code.hpp"
#include "../program/mixed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ringproof::verify {

/// Numbers that a way of code_paths has in registers and on the stack whatever the thread began with: those that the
/// instructions themselves contain, and what is made of them.
class known_numbers {
  public:
    using number = std::optional<std::uint64_t>;

    /// The lowest `size` bytes of `value`.
    static std::uint64_t cut(std::uint64_t value, std::size_t size) {
        return size >= sizeof value ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
    }
    number in_register(std::int8_t r, std::size_t size) const {
        if (r < 0 || known_[static_cast<std::size_t>(r)] < size) return {};
        return cut(registers_[static_cast<std::size_t>(r)], size);
    }
    /// The lowest `size` bytes of register `r` are these; four are all, as the upper ones become 0.
    void set_register(std::size_t r, std::uint64_t value, std::size_t size) {
        known_[r] = static_cast<std::uint8_t>(size >= 4 ? sizeof value : size);
        registers_[r] = cut(value, size);
    }
    void forget_register(std::size_t r) { known_[r] = 0; }
    number at(std::uintptr_t address, std::size_t size) const {
        for (const stored& s : stack_)
            if (s.address == address && s.size >= size) return cut(s.value, size);
        return {};
    }
    /// These bytes have another value, which is not known until set() says it.
    void forget(std::uintptr_t begin, std::uintptr_t end) {
        std::erase_if(stack_, [&](const stored& s) { return s.address < end && begin < s.address + s.size; });
    }
    void set(std::uintptr_t address, std::size_t size, std::uint64_t value) {
        forget(address, address + size);
        const stored made{address, cut(value, size), static_cast<std::uint8_t>(size)};
        stack_.insert(
            std::lower_bound(stack_.begin(), stack_.end(), made,
                             [](const stored& a, const stored& b) { return a.address < b.address; }),
            made);
    }

    /// What `i` makes of the numbers in its operands `to` and `from`, where that is known.
    static number made_by(const instruction& i, number to, number from);

    /// Notes what `i` does to the flags. @param to, from what it read
    void note_flags(const instruction& i, number to, number from);
    void forget_flags() { flags_ = false; }
    /// Whether a branch is taken, where that is known.
    std::optional<bool> holds(instruction::condition c) const;

    std::uint64_t hash() const {
        std::uint64_t h = flags_ ? mixed(mixed(1, left_), right_) : 0;
        for (std::size_t r = 0; r < registers_.size(); ++r)
            if (known_[r] != 0) h = mixed(mixed(h, 16 * r + known_[r]), registers_[r]);
        for (const stored& s : stack_) h = mixed(mixed(mixed(h, s.address), s.value), s.size);
        return h;
    }

  private:
    struct stored {
        std::uintptr_t address;
        std::uint64_t value;
        std::uint8_t size;
    };
    std::array<std::uint8_t, 16> known_{}; ///< how many bytes of each register, from the lowest on
    std::array<std::uint64_t, 16> registers_{};
    std::vector<stored> stack_; ///< in the order of addresses
    bool flags_ = false;        ///< whether the instruction that set the flags last subtracted these
    std::uint64_t left_ = 0, right_ = 0;
};

} // namespace ringproof::verify
