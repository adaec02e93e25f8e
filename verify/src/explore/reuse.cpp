// SPDX-License-Identifier: Apache-2.0
// Addresses that come again. An allocation may get any freed block of its size whose free() happens before it; which
// one, or fresh memory, is a choice, an event like any other. What is offered depends on what happens before alone:
// a block that a thread has taken meanwhile, unordered, is not there to be taken again, and the execution in which the
// other one does not take it is another way.
//
// The search begins without. Where an allocation could get a block to which anybody still has a pointer, it begins anew
// with all such choices; where nobody has, nobody can tell which memory it got. A pointer is any word whose low 48 bits
// lie in the block: in live stacks and registers, in memory that is allocated or static, and in the values of atomics
// that were read or written, as old ones may be read yet. One that is kept in other ways is not seen.

#include "explorer.hpp"

#include <algorithm>

namespace ringproof::verify {
namespace {

constexpr std::size_t size_class(std::size_t size) { return (std::max<std::size_t>(size, 1) + 15) / 16; }

bool points_into(std::uint64_t word, const memory_range& block) {
    constexpr std::uint64_t address_bits = 0xffff'ffff'ffff; // above them, a tag
    return block.contains(word & address_bits);
}

bool holds_pointer(const memory_range& in, const memory_range& block) {
    for (std::uintptr_t a = (in.begin + 7) & ~std::uintptr_t{7}; a + 8 <= in.end; a += 8)
        if (points_into(*reinterpret_cast<const std::uint64_t*>(a), block)) return true;
    return false;
}

} // namespace

/// The numbers of the blocks that `t` may get for an allocation.
std::vector<std::uint32_t> explorer::reusable(const thread_state& t, std::size_t size,
                                              std::size_t alignment) const {
    std::vector<std::uint32_t> blocks;
    memory_.each_freed([&](std::uint32_t number, std::uintptr_t a, const program_memory::header& h) {
        // It was freed after that event, so only a later one can have published it.
        const bool before = h.freed_by == t.id || t.clocks.hb[h.freed_by] > static_cast<int>(h.freed_index);
        if (before && size_class(h.room) == size_class(size) && a % alignment == 0) blocks.push_back(number);
    });
    std::sort(blocks.begin(), blocks.end());
    return blocks;
}

/// Whether anything that the program can still look at points into memory that is freed.
bool explorer::is_known(const memory_range& freed, std::uintptr_t frame) const {
    for (thread_id u = 0; u < thread_count_; ++u) {
        const thread_state& of = threads_[u];
        if (!of.context || of.status == thread_status::finished || of.status == thread_status::unborn)
            continue;
        const std::uintptr_t from =
            u == current_ ? frame - saved_registers : reinterpret_cast<std::uintptr_t>(of.context);
        if (holds_pointer({from, memory_.stack_top(u)}, freed)) return true;
    }
    bool found = false;
    memory_.each_allocation([&](std::uintptr_t a, std::size_t size) {
        found = found || holds_pointer({a, a + size}, freed);
    });
    for (const memory_range& range : memory_.data()) found = found || holds_pointer(range, freed);
    if (found || is_alone(threads_[current_])) return found;
    for (event_id id = 0; id < graph_.size(); ++id) {
        const event& e = graph_.at(id);
        if (e.is_access() && !e.lock && points_into(static_cast<std::uint64_t>(e.value), freed)) return true;
    }
    return false;
}

/// Memory that an allocation of the running thread uses again, or 0.
std::uintptr_t explorer::reused(std::size_t size, std::size_t alignment, std::uintptr_t site,
                                std::uintptr_t frame) {
    if (!memory_.in_code(site)) return 0; // a library's own, of which there may be many
    alignment = std::max(alignment, std::size_t{16});
    thread_state& t = self();
    {
        const inside engine;
        const std::vector<std::uint32_t> blocks = reusable(t, size, alignment);
        if (blocks.empty() || (tracing_ && expected_choice_ != own_choice::reuse)) return 0;
        if (!tracing_ && limits_.reuse == exploring::always) reuses_ = true;
        if (!tracing_ && !reuses_) {
            if (trying_) return 0;
            bool known = false;
            memory_.each_freed([&](std::uint32_t number, std::uintptr_t a, const program_memory::header& h) {
                known = known || (std::find(blocks.begin(), blocks.end(), number) != blocks.end() &&
                                  is_known({a, a + std::max<std::size_t>(h.room, 1)}, frame));
            });
            if (known && limits_.reuse == exploring::when_told)
                reuses_ = restart_ = true;
            else
                take_for_granted(known ? assumption::address_reuse : assumption::forgotten_address, site);
            return 0;
        }
        if (!trying_) take_for_granted(assumption::reused_addresses, site);
    }
    request what;
    what.act = action::choose;
    what.object = true;
    what.address = size;
    what.operand = alignment;
    what.site = site;
    what.word = "use memory again";
    const auto number = static_cast<std::uint32_t>(visible(what));
    if (number == 0) return 0;
    const inside engine;
    std::uintptr_t block = 0;
    memory_.each_freed([&](std::uint32_t n, std::uintptr_t a, const program_memory::header&) {
        if (n == number) block = a;
    });
    if (block == 0) { // another thread has it
        request taken;
        taken.act = action::block;
        visible(taken);
    }
    const unsigned index = t.next_index - 1u;
    memory_.use_again(block, size, t.id, index);
    shadow_.begin_anew(block, std::max<std::size_t>(size, 1), access_by(t, true, site));
    return block;
}

} // namespace ringproof::verify
