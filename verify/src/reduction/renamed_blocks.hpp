// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

/// Which block of a thread's heap is which in two states between which it made an iteration of a loop:
/// allocating_iterations.cpp.
class renamed_blocks {
  public:
    /// @param then  the state in which `t` began the iteration that has ended now
    /// @param since index of an event of `t`: the last one when the iteration began, or the one after that. What `t` has
    ///              allocated or freed in it was after this event or a later one.
    renamed_blocks(const program& p, const thread_state& t, const saved_state& then, unsigned since);

    /// Whether `t` has allocated or freed anything in its own heap since then.
    bool any() const;
    /// Pairs the blocks that were freed in the iteration with those that it leaves. @return false where there are no pairs,
    /// or allocations from here on would differ in more than their addresses from those from there on
    bool match();
    /// Adds pairs of freed blocks, where a word that differs in a copy of the stack pointed to one then, and points to one
    /// of the iteration now. @param bytes of `own` then
    void match_freed(const memory_range& own, const std::string& bytes);

    /// What a word of then is now: an address in a block of a pair is one in the other block, with the same tag.
    std::uint64_t renamed(std::uint64_t word) const;
    /// Renames the words in a copy of a part of the stack. @param bytes of whole words
    void rename(std::string& bytes) const;
    /// Whether blocks of pairs that are not freed have the same contents, renamed.
    bool same_contents() const;
    /// Whether this word of memory may differ: what freed blocks hold, and what is known of them.
    bool may_differ(std::uintptr_t address) const;
    /// Whether this word is one that the heap notes its blocks by.
    bool is_bookkeeping(std::uintptr_t address) const;
    /// Whether an address lies in a block that was allocated or freed in the iteration, or is one of a pair.
    bool is_of_iteration(std::uint64_t word) const;

  private:
    struct pair {
        std::uintptr_t then, now;
        bool freed; ///< in both states
    };
    std::optional<std::uint64_t> word_then(std::uintptr_t address) const;
    bool was_freed(std::uintptr_t block) const;
    bool match_fresh();
    bool match_in_place() const;
    bool freed_elsewhere() const;
    bool may_differ_in_place(const allocation_header& h, std::uintptr_t offset, std::uintptr_t address) const;
    std::uintptr_t block_of(std::uint64_t word) const;
    bool is_in_own_heap(std::uintptr_t address) const;

    const program& program_;
    const thread_state& thread_;
    saved_state then_;
    unsigned since_;
    bool in_place_; ///< allocations get the block that was freed last
    std::uintptr_t begin_, top_then_;
    heap own_;
    std::vector<pair> pairs_;
};

} // namespace ringproof::verify
