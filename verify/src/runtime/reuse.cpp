// SPDX-License-Identifier: Apache-2.0
// Addresses that come again. A program can tell which memory an allocation got only where it still has a pointer to a
// freed block of that size. A pointer is any word whose low 48 bits lie in the block: in live stacks and registers, in
// memory that is allocated or static, and in the values of atomics that were read or written, as old ones may be read
// yet. One that is kept in other ways is not seen. The search begins without; what it meets makes it begin anew.
//
// Where an atomic has the pointer, threads may take the address for what it was. Then an allocation may get any block
// of its size whose free() happens before it, and which one, or fresh memory, is a choice, an event like any other.
// What is offered depends on what happens before alone: a block that a thread has taken meanwhile, unordered, is not
// there to be taken again, and the execution in which the other one does not take it is another way.
//
// Where only plain memory has it, often a dead slot of a stack, such choices would multiply for nothing. There the
// program is explored under two allocators, a choice that main makes as it begins: one that never uses memory again,
// and one that gives each thread the block of the size that it freed last, or that a thread it joined did.

#include "allocations.hpp"
#include "runtime.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {

constexpr std::size_t size_class(std::size_t size) { return (std::max<std::size_t>(size, 1) + 15) / 16; }

/// Freed blocks that an allocation may get, and whether a word points into one of them.
class freed_blocks {
  public:
    void add(const memory_range& block) { blocks_.push_back(block); }
    void sort() {
        std::sort(blocks_.begin(), blocks_.end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
    }
    bool are_told_by(std::uint64_t word) const {
        constexpr std::uint64_t address_bits = 0xffff'ffff'ffff; // above them, a tag
        const std::uint64_t address = word & address_bits;
        if (address < blocks_.front().begin || address >= blocks_.back().end) return false;
        const auto behind =
            std::upper_bound(blocks_.begin(), blocks_.end(), address,
                             [](std::uint64_t a, const auto& block) { return a < block.begin; });
        return behind[-1].contains(address);
    }
    bool are_told_in(const memory_range& range) const {
        for (std::uintptr_t a = (range.begin + 7) & ~std::uintptr_t{7}; a + 8 <= range.end; a += 8)
            if (are_told_by(*reinterpret_cast<const std::uint64_t*>(a))) return true;
        return false;
    }

  private:
    std::vector<memory_range> blocks_;
};

/// Whether an allocation of `size` may get the freed block `h` at `a`.
bool fits(std::uintptr_t a, const program_memory::header& h, std::size_t size, std::size_t alignment) {
    return size_class(h.room) == size_class(size) && a % alignment == 0;
}

} // namespace

/// The numbers of the blocks that `t` may get for an allocation.
std::vector<std::uint32_t> allocations::reusable(const thread_state& t, std::size_t size,
                                                 std::size_t alignment) const {
    std::vector<std::uint32_t> blocks;
    program_.memory().each_freed(
        [&](std::uint32_t number, std::uintptr_t a, const program_memory::header& h) {
            // It was freed after that event, so only a later one can have published it.
            const bool before =
                h.freed_by == t.id || t.clocks.hb()[h.freed_by] > static_cast<lane>(h.freed_index);
            if (before && fits(a, h, size, alignment)) blocks.push_back(number);
        });
    std::sort(blocks.begin(), blocks.end());
    return blocks;
}

/// What the program can still look at that points into one of these blocks, whose numbers are sorted.
allocations::pointer_kept allocations::keeps_pointer(const std::vector<std::uint32_t>& blocks,
                                                     std::uintptr_t frame) const {
    freed_blocks freed;
    program_.memory().each_freed(
        [&](std::uint32_t number, std::uintptr_t a, const program_memory::header& h) {
            if (std::binary_search(blocks.begin(), blocks.end(), number))
                freed.add({a, a + std::max<std::size_t>(h.room, 1)});
        });
    freed.sort();
    if (!races_.is_alone(program_.thread(program_.current())))
        for (event_id id = 0; id < graph_.size(); ++id) {
            const event& e = graph_.at(id);
            if (e.is_access() && !e.lock && freed.are_told_by(static_cast<std::uint64_t>(e.value)))
                return pointer_kept::in_atomic;
        }
    if (allocators_) return pointer_kept::in_memory; // which it no longer depends on
    for (thread_id u = 0; u < program_.thread_count(); ++u) {
        const thread_state& of = program_.thread(u);
        if (!of.context || of.status == thread_status::finished || of.status == thread_status::unborn)
            continue;
        const std::uintptr_t from =
            u == program_.current() ? frame - saved_registers : reinterpret_cast<std::uintptr_t>(of.context);
        if (freed.are_told_in({from, program_.memory().stack_top(u)})) return pointer_kept::in_memory;
    }
    bool found = false;
    program_.memory().each_allocation([&](std::uintptr_t a, std::size_t size) {
        found = found || freed.are_told_in({a, a + size});
    });
    for (const memory_range& range : program_.memory().data()) found = found || freed.are_told_in(range);
    return found ? pointer_kept::in_memory : pointer_kept::nowhere;
}

/// The block of that size that `t`, or a thread that it has joined, freed last, or 0. No other thread can get that block,
/// so which one it is depends only on what happens before.
std::uintptr_t allocations::freed_last(const thread_state& t, std::size_t size, std::size_t alignment) const {
    std::uintptr_t last = 0;
    unsigned when = 0;
    program_.memory().each_freed([&](std::uint32_t, std::uintptr_t a, const program_memory::header& h) {
        if (!fits(a, h, size, alignment)) return;
        thread_id by = h.freed_by;
        unsigned at = h.freed_index;
        while (by != t.id && by < program_.thread_count()) {
            at = program_.thread(by).joined_at;
            by = program_.thread(by).joined_by;
        }
        if (by != t.id || (last != 0 && (at < when || (at == when && a < last)))) return;
        last = a;
        when = at;
    });
    return last;
}

/// Main's choice between the two allocators, as it begins.
void allocations::choose_allocator() {
    if (facts_.tracing ? facts_.expected_choice != own_choice::allocator : !allocators_) return;
    request what;
    what.act = action::choose;
    what.operand = 2;
    what.word = allocator_choice;
    program_.self().uses_last_block = runtime_.visible(what) != 0;
}

void allocations::use_again(std::uintptr_t block, std::size_t size, std::uintptr_t site) {
    const thread_state& t = program_.self();
    program_.memory().use_again(block, size, t.id, t.next_index - 1u);
    races_.shadow().begin_anew(block, std::max<std::size_t>(size, 1), races_.access_by(t, true, site));
}

/// Notes what follows for an allocation that could get one of these blocks, and does not choose among them: what the
/// search has to begin anew for, or takes for granted.
void allocations::note_blocks(const std::vector<std::uint32_t>& blocks, std::uintptr_t site,
                              std::uintptr_t frame) {
    const pointer_kept kept = keeps_pointer(blocks, frame);
    if (kept == pointer_kept::nowhere) return facts_.take_for_granted(assumption::forgotten_address, site);
    if (facts_.limits.reuse == exploring::never)
        return facts_.take_for_granted(assumption::address_reuse, site);
    if (kept == pointer_kept::in_atomic && program_.memory().in_code(site)) {
        reuses_ = facts_.restart = true;
        return;
    }
    facts_.take_for_granted(assumption::last_freed, site);
    if (!allocators_) allocators_ = facts_.restart = true;
}

/// Whether an allocation that could get one of these blocks is to choose among them. Those of a library are many, and
/// none of them is the program's own ABA.
bool allocations::chooses_block(const std::vector<std::uint32_t>& blocks, std::uintptr_t site,
                                std::uintptr_t frame) {
    const bool own = program_.memory().in_code(site);
    if (facts_.tracing) return own && facts_.expected_choice == own_choice::reuse;
    if (own && facts_.limits.reuse == exploring::always) reuses_ = true;
    const bool chooses = own && reuses_;
    if (!facts_.trying) {
        if (chooses)
            facts_.take_for_granted(assumption::reused_addresses, site);
        else
            note_blocks(blocks, site, frame);
    }
    return chooses && !facts_.restart;
}

/// Memory that an allocation of the running thread uses again, or 0.
std::uintptr_t allocations::reused(std::size_t size, std::size_t alignment, std::uintptr_t site,
                                   std::uintptr_t frame) {
    alignment = std::max(alignment, std::size_t{16});
    thread_state& t = program_.self();
    {
        const program::engine_runs engine;
        const std::vector<std::uint32_t> blocks = reusable(t, size, alignment);
        if (blocks.empty()) return 0;
        if (!chooses_block(blocks, site, frame)) {
            const std::uintptr_t block =
                program_.thread(0).uses_last_block ? freed_last(t, size, alignment) : std::uintptr_t{0};
            if (block != 0) use_again(block, size, site);
            return block;
        }
    }
    request what;
    what.act = action::choose;
    what.object = true;
    what.address = size;
    what.operand = alignment;
    what.site = site;
    what.word = "use memory again";
    const auto number = static_cast<std::uint32_t>(runtime_.visible(what));
    if (number == 0) return 0;
    const program::engine_runs engine;
    std::uintptr_t block = 0;
    program_.memory().each_freed([&](std::uint32_t n, std::uintptr_t a, const program_memory::header&) {
        if (n == number) block = a;
    });
    if (block == 0) { // another thread has it
        request taken;
        taken.act = action::block;
        runtime_.visible(taken);
    }
    use_again(block, size, site);
    return block;
}

} // namespace ringproof::verify
