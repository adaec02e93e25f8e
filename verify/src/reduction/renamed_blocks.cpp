// SPDX-License-Identifier: Apache-2.0
#include "renamed_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ringproof::verify {
namespace {

constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::uint64_t address_bits = 0xffff'ffff'ffff; // above them, a tag
constexpr std::size_t most_bytes = 64 << 10;             // of blocks that are compared

std::uint64_t word_at(std::uintptr_t address) {
    std::uint64_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
}

} // namespace

renamed_blocks::renamed_blocks(const program& p, const thread_state& t, const saved_state& then,
                               unsigned since)
    : program_(p), thread_(t), then_(then), since_(since), in_place_(p.thread(0).uses_last_block),
      begin_(p.memory().heap_begin(t.id)), top_then_(p.images().heap_end(then, t.id)), own_(begin_) {}

std::optional<std::uint64_t> renamed_blocks::word_then(std::uintptr_t address) const {
    const char* const bytes = program_.images().bytes_of(then_, address, word);
    if (!bytes) return std::nullopt;
    std::uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

bool renamed_blocks::any() const {
    static_assert(offsetof(heap::head, frees) == word);
    return program_.memory().heaps().has(thread_.id) && top_then_ != begin_ &&
           (program_.memory().heap_top_at(begin_) != top_then_ ||
            word_then(begin_ + word) != word_at(begin_ + word));
}

/// Whether a block that there was then, and that is freed now, was freed then.
bool renamed_blocks::was_freed(std::uintptr_t block) const {
    const std::uintptr_t header = block - sizeof(allocation_header);
    static_assert(offsetof(allocation_header, older) == 4);
    const std::optional<std::uint64_t> first = word_then(header);
    return !first || (*first >> 32 & 1) != 0;
}

bool renamed_blocks::match() { return in_place_ ? match_in_place() : match_fresh(); }

/// Where freed memory does not come again. The blocks that were freed have to be the highest that there were, so that their
/// order among all blocks stays as it was.
bool renamed_blocks::match_fresh() {
    const std::optional<std::uint64_t> before = word_then(begin_ + word);
    if (!before || own_.first().reused != 0) return false;
    auto left = own_.first().frees - static_cast<std::uint32_t>(*before);
    std::vector<std::uintptr_t> freed, made;
    std::size_t bytes = 0;
    for (std::uintptr_t a = own_.first().newest; a >= top_then_ || left != 0; a = own_.find(a - 1)) {
        if (a == 0) return false;
        const allocation_header& h = *allocation_header::of(a);
        if (!h.freed()) {
            if (a < top_then_) return false;
            made.push_back(a);
            bytes += h.size();
            continue;
        }
        if (a < top_then_ && (h.freed_index < since_ || was_freed(a))) continue;
        if (h.freed_by != thread_.id || left == 0) return false;
        --left;
        if (a < top_then_) freed.push_back(a);
    }
    if (made.size() != freed.size() || bytes > most_bytes) return false;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const allocation_header &then = *allocation_header::of(freed[i]),
                                &now = *allocation_header::of(made[i]);
        if (then.room != now.room || then.size() != now.size()) return false;
        pairs_.push_back({freed[i], made[i], false});
    }
    return true;
}

/// Whether `thread_`, or one that it has joined, has freed blocks of other heaps: which of all is the last then depends on
/// when.
bool renamed_blocks::freed_elsewhere() const {
    const auto counts = [&](thread_id by) {
        while (by != thread_.id && by < program_.thread_count()) by = program_.thread(by).joined_by;
        return by == thread_.id;
    };
    bool any = false;
    program_.memory().heaps().each([&](thread_id u, std::uintptr_t) {
        const heap in(program_.memory().heap_begin(u));
        if (u == thread_.id || in.first().frees == 0) return;
        for (std::uintptr_t a = in.first().newest; a != 0 && !any; a = in.find(a - 1)) {
            const allocation_header& h = *allocation_header::of(a);
            any = h.may_come_again() && counts(h.freed_by);
        }
    });
    return any;
}

/// Where an allocation gets the block that was freed last: each block has to be what it was, and their order the same.
bool renamed_blocks::match_in_place() const {
    if (program_.memory().heap_top_at(begin_) != top_then_ || freed_elsewhere()) return false;
    for (const heap::freed_list& list : own_.first().freed) {
        const auto at = reinterpret_cast<std::uintptr_t>(&list.last);
        const std::optional<std::uint64_t> aligned = word_then(at & ~(word - 1));
        if (!aligned || static_cast<std::uint32_t>(*aligned >> (at % word * 8)) != list.last) return false;
    }
    return true;
}

/// The block of the own heap that a word points into, or 0.
std::uintptr_t renamed_blocks::block_of(std::uint64_t value) const {
    const std::uint64_t address = value & address_bits;
    if (address < begin_ || address >= program_.memory().heap_top_at(begin_)) return 0;
    return own_.find(address);
}

void renamed_blocks::match_freed(const memory_range& own, const std::string& bytes) {
    if (in_place_) return;
    for (std::size_t i = 0; i + word <= bytes.size(); i += word) {
        std::uint64_t then;
        std::memcpy(&then, bytes.data() + i, sizeof then);
        const std::uint64_t now = word_at(own.begin + i);
        if (then == now || renamed(then) == now) continue;
        const std::uintptr_t a = block_of(then), b = block_of(now);
        if (a == 0 || a >= top_then_ || b < top_then_ || then - a != now - b) continue;
        const allocation_header &of_then = *allocation_header::of(a), &of_now = *allocation_header::of(b);
        if (!of_then.freed() || !of_now.freed() || of_then.room != of_now.room ||
            std::any_of(pairs_.begin(), pairs_.end(),
                        [&](const pair& p) { return p.then == a || p.now == b; }))
            continue;
        pairs_.push_back({a, b, true});
    }
}

std::uint64_t renamed_blocks::renamed(std::uint64_t value) const {
    if (pairs_.empty()) return value;
    const std::uintptr_t a = block_of(value);
    for (const pair& p : pairs_)
        if (p.then == a) return value - p.then + p.now;
    return value;
}

void renamed_blocks::rename(std::string& bytes) const {
    for (std::size_t i = 0; i + word <= bytes.size(); i += word) {
        std::uint64_t value;
        std::memcpy(&value, bytes.data() + i, sizeof value);
        value = renamed(value);
        std::memcpy(bytes.data() + i, &value, sizeof value);
    }
}

bool renamed_blocks::same_contents() const {
    return std::all_of(pairs_.begin(), pairs_.end(), [&](const pair& p) {
        const std::size_t size = p.freed ? 0 : allocation_header::of(p.now)->size();
        for (std::size_t i = 0; i < size; i += word) {
            const std::optional<std::uint64_t> then = word_then(p.then + i);
            if (!then) return false;
            const std::uint64_t renamed_then = renamed(*then);
            if (std::memcmp(&renamed_then, reinterpret_cast<const void*>(p.now + i),
                            std::min(word, size - i)) != 0)
                return false;
        }
        return true;
    });
}

/// Of the header of a block, where freed memory comes again: its place among the others has to be as it was.
bool renamed_blocks::may_differ_in_place(const allocation_header& h, std::uintptr_t offset,
                                         std::uintptr_t address) const {
    static_assert(offsetof(allocation_header, room) == 12 && offsetof(allocation_header, lasting) == 24);
    const bool upper_half_is_same = (word_then(address).value_or(0) ^ word_at(address)) >> 32 == 0;
    if (offset >= 2 * word && offset < 3 * word) return false; // the way to the next one that is freed
    if (offset < word) return upper_half_is_same && (h.freed() || h.index >= since_);
    return upper_half_is_same;
}

bool renamed_blocks::is_in_own_heap(std::uintptr_t address) const {
    return program_.memory().in_heap(address) && program_.memory().heap_owner(address) == thread_.id;
}

bool renamed_blocks::is_bookkeeping(std::uintptr_t address) const {
    if (!is_in_own_heap(address)) return false;
    return address - begin_ < sizeof(heap::head) || own_.find(address + sizeof(allocation_header)) > address;
}

bool renamed_blocks::may_differ(std::uintptr_t address) const {
    if (!is_in_own_heap(address)) return false;
    if (address - begin_ < sizeof(heap::head)) return true; // match() has looked at it
    const std::uintptr_t a = own_.find(address + sizeof(allocation_header));
    if (a == 0) return false;
    const allocation_header& h = *allocation_header::of(a);
    if (a > address && in_place_) return may_differ_in_place(h, address + sizeof h - a, address);
    return h.may_come_again();
}

bool renamed_blocks::is_of_iteration(std::uint64_t value) const {
    const std::uintptr_t a = block_of(value);
    if (a == 0) return false;
    const allocation_header& h = *allocation_header::of(a);
    return a >= top_then_ || (h.freed() ? h.freed_index : h.index) >= since_ ||
           std::any_of(pairs_.begin(), pairs_.end(), [&](const pair& p) { return p.then == a; });
}

} // namespace ringproof::verify
