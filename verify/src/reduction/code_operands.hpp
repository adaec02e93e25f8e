// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/code.hpp"
#include "../program/memory.hpp"
#include "../program/mixed.hpp"
#include "known_numbers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
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
    known_numbers numbers;         ///< none where they are not followed
    bool flags_differ = false;     ///< the processor's, of a comparison with something that differs
    std::uintptr_t highest_sp = 0; ///< on the way; what lies below has been left

    static constexpr std::size_t word = sizeof(std::uintptr_t);
    static constexpr std::uint32_t lowest(std::size_t r) { return 1u << r; }
    static constexpr std::uint32_t others(std::size_t r) { return 1u << (16 + r); }
    static constexpr std::uint32_t all_of(std::size_t r) { return lowest(r) | others(r); }

    bool done() const { return differ == 0 && bytes.empty() && !flags_differ; }
    std::uintptr_t& sp() { return registers[rsp]; }
    std::uintptr_t sp() const { return registers[rsp]; }
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
        numbers.forget(begin, end);
    }
    /// These bytes, of which none differs yet, differ.
    void add_differing(const memory_range& added) {
        bytes.insert(
            std::lower_bound(bytes.begin(), bytes.end(), added,
                             [](const memory_range& a, const memory_range& b) { return a.begin < b.begin; }),
            added);
    }
    std::uint64_t hash() const {
        std::uint64_t h = pc;
        const auto add = [&](std::uint64_t v) { h = mixed(h, v); };
        for (const std::uintptr_t r : registers) add(r);
        add(differ);
        for (const memory_range& b : bytes) add(b.begin), add(b.end);
        for (const auto& [address, value] : stored) add(address), add(value);
        add(numbers.hash() + flags_differ);
        add(highest_sp);
        return h;
    }
};

/// What instructions read of a machine's registers and stack, and write, for code_paths.
class code_operands {
  protected:
    static constexpr std::size_t word = machine::word;

    /// @param followed up to there all words of the stack are followed that hold addresses
    /// @param kept up to there numbers on the stack are kept, and what differs may be copied; 0: nowhere
    code_operands(const memory_range& stack, std::uintptr_t followed, std::uintptr_t kept)
        : stack_(stack), followed_(followed), kept_(kept) {}

    bool has_numbers() const { return kept_ != 0; }
    /// Whether an address in the stack may be lost sight of: nothing that matters is there any more.
    bool may_lose_addresses(const machine& m) const { return m.bytes.empty() && !has_numbers(); }
    /// The address that an operand of memory has; 0 when it is none of the stack. Nothing when it may be any there.
    std::optional<std::uintptr_t> address_of(const machine& m, const operand& o) const;
    static bool reads(const machine& m, std::int8_t r, std::size_t size = word);
    /// What reading an operand gives: what it is whatever differs, or what may differ, or it isn't understood.
    enum class seen : std::uint8_t { same, differing, lost };
    /// @param value what it is, if an address in the stack
    seen look(const machine& m, const operand& o, std::uintptr_t* value) const;
    bool read(const machine& m, const operand& o, std::uintptr_t* value) const {
        return look(m, o, value) == seen::same;
    }
    static bool is_word(std::uintptr_t a, std::size_t size) { return size == word && a % word == 0; }
    /// Whether these are among the last two bytes of a word, which are zero in an address.
    static bool is_end_of_word(std::uintptr_t a, std::size_t size) {
        return a % word >= word - 2 && a % word + size <= word;
    }
    /// The address in the stack that an aligned word holds, or 0. New frames hold none before they are written to.
    std::uintptr_t load(const machine& m, std::uintptr_t a) const;
    /// Whether one of the words that have a part in these bytes holds an address that leads to what differs.
    bool holds_followed(const machine& m, std::uintptr_t a, std::size_t size) const;
    /// These bytes are overwritten, by no address. @return false where a piece of an address may be left that still leads
    /// somewhere: one that a byte or two are written to
    bool forget(machine& m, std::uintptr_t a, std::size_t size) const;
    /// Notes that an aligned word holds this address in the stack, or none.
    void note(machine& m, std::uintptr_t a, std::uintptr_t value) const;
    void set(machine& m, const operand& o, std::uintptr_t value) const;
    /// Whether writing `o` is understood.
    bool write(machine& m, const operand& o, std::uintptr_t value);
    /// What differs is copied, or something is made of it. Where addresses may be lost sight of, that is not followed.
    bool write_differing(machine& m, const operand& o) const;
    /// Whether `pointer` is an address of what differs, or one below it from which one could be counted, or of a word that
    /// may hold such an address.
    bool leads_to_what_differs(const machine& m, std::uintptr_t pointer) const;
    void drop_below_stack(machine& m) const {
        m.overwrite(stack_.begin, m.sp());
        m.highest_sp = std::max(m.highest_sp, m.sp());
    }
    /// @param differ the bits of a register, as those of register 0
    void push(machine& m, std::uintptr_t value, std::uint32_t differ) const;
    void pop_to(machine& m, std::int8_t r) const;
    bool take_address(machine& m, const instruction& i);
    /// The number that reading `o` gives, where it is known.
    known_numbers::number number_of(const machine& m, const operand& o) const;
    /// Keeps a number that an instruction has written: in a register, or where all addresses that lead there are known.
    void keep(machine& m, const operand& to, std::uint64_t value) const;
    /// Arithmetic with an address in the stack: with a number, or it isn't understood.
    bool combine(machine& m, const instruction& i, std::uintptr_t value, std::uintptr_t other);

    memory_range stack_;
    std::uintptr_t followed_, kept_;
    std::uintptr_t alive_ = 0; ///< where the frames begin that are there already
    std::uintptr_t known_end_ =
        ~std::uintptr_t{0}; ///< from there on words may be changed by what is not followed
};

} // namespace ringproof::verify
