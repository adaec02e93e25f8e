// SPDX-License-Identifier: Apache-2.0
// Addresses that come again. A program can tell which memory an allocation got only where it still has a pointer to a
// freed block of that size. A pointer is any word whose low 48 bits lie in the block, as they are, or shifted to the left, above
// a tag, or to the right, without the bits that are 0 in each: in live stacks and registers, unless nothing reads it again
// (reduction/dead_state.cpp), in memory that is allocated or static, and in the values of atomics that were read or
// written, as old ones may be read yet. One that is kept in other ways (XOR, as a distance) is not seen. The search begins
// without; what it meets makes it begin anew.
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
#include <bit>

namespace ringproof::verify {

/// The freed blocks that an allocation of `t` may get.
class allocations::reusable_blocks {
  public:
    reusable_blocks(const program_memory& memory, const thread_state& t, std::size_t size,
                    std::size_t alignment)
        : memory_(memory), t_(t), class_(size_class(size)), alignment_(alignment) {}

    /// Calls f(address, header) for each until it returns false. @return whether it never did
    template <class Function>
    bool each(Function f) const {
        return memory_.each_heap(t_.id, [&](const heap& in) {
            const heap::freed_list& list = in.freed_of(class_);
            if (list.by != heap::freed_list::nobody && !is_before(list.by, list.first_index)) return true;
            return in.each_freed(class_, [&](std::uintptr_t a, const program_memory::header& h) {
                return !is_one(a, h) || f(a, h);
            });
        });
    }
    bool none() const {
        return each([](std::uintptr_t, const program_memory::header&) { return false; });
    }
    /// Whether a word points into one of them.
    bool are_told_by(std::uint64_t word) const {
        constexpr std::uint64_t address_bits = 0xffff'ffff'ffff; // above them, a tag
        return are_at(shifted_back(word & address_bits)) ||
               (word > address_bits && are_at(shifted_back(word)));
    }
    /// The words from `range.begin` on that point into one of them, in order.
    std::vector<memory_range> told_in(memory_range range) const {
        std::vector<memory_range> told;
        for (memory_range word; (word = next_told_in(range)).size() != 0; range.begin = word.end)
            told.push_back(word);
        return told;
    }
    bool are_told_in(const memory_range& range) const { return next_told_in(range).size() != 0; }

  private:
    /// The address in a heap that a word may be, as it is, or shifted to the left, or by up to four bits to the right: all of
    /// them have the same highest bit.
    std::uint64_t shifted_back(std::uint64_t word) const {
        constexpr int most_to_the_right = 4; // blocks begin at multiples of 16
        const int left = std::countl_zero(memory_.heap_begin(0)) - std::countl_zero(word);
        if (left >= 0) return word >> left;
        return -left <= most_to_the_right ? word << -left : 0;
    }
    /// Whether an address lies in one of them.
    bool are_at(std::uintptr_t address) const {
        if (!memory_.in_heap(address)) return false;
        const std::uintptr_t a = memory_.block_at(address, found_);
        if (a == 0) return false;
        found_ = a; // the next word often points to the block before
        const program_memory::header& h = *program_memory::header::of(a);
        return address < a + std::max<std::size_t>(h.room, 1) && h.may_come_again() &&
               size_class(h.room) == class_ && is_one(a, h);
    }
    /// The first word there that points into one of them; empty: none does.
    memory_range next_told_in(const memory_range& range) const {
        for (std::uintptr_t a = (range.begin + 7) & ~std::uintptr_t{7}; a + 8 <= range.end; a += 8)
            if (are_told_by(*reinterpret_cast<const std::uint64_t*>(a))) return {a, a + 8};
        return {0, 0};
    }
    /// Whether what was freed after event `index` of thread `by` happens before: only a later event can have published
    /// it.
    bool is_before(std::uint8_t by, std::uint32_t index) const {
        return by == t_.id || t_.clocks.hb()[by] > static_cast<lane>(index);
    }
    /// Whether a freed block of that size class is one.
    bool is_one(std::uintptr_t a, const program_memory::header& h) const {
        return is_before(h.freed_by, h.freed_index) && a % alignment_ == 0;
    }

    const program_memory& memory_;
    const thread_state& t_;
    std::uint32_t class_;
    std::size_t alignment_;
    mutable std::uintptr_t found_ = 0;
};

/// The numbers of the blocks that `t` may get for an allocation.
std::vector<std::uint32_t> allocations::reusable(const thread_state& t, std::size_t size,
                                                 std::size_t alignment) const {
    std::vector<std::uint32_t> numbers;
    reusable_blocks(program_.memory(), t, size, alignment)
        .each([&](std::uintptr_t a, const program_memory::header&) {
            numbers.push_back(program_memory::number_of(a));
            return true;
        });
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Whether another thread may read the address of one of these blocks from an atomic.
bool allocations::kept_in_atomic(const reusable_blocks& blocks) const {
    if (races_.is_alone(program_.self())) return false;
    const std::vector<event_id>& candidates = graph_.with_addresses();
    return std::any_of(candidates.begin(), candidates.end(), [&](event_id id) {
        const value_t value = graph_.at(id).value;
        return blocks.are_told_by(static_cast<std::uint64_t>(value)) ||
               blocks.are_told_by(static_cast<std::uint64_t>(value >> 64));
    });
}

/// Whether something else that the program can still look at points into one of these blocks.
bool allocations::kept_in_memory(const reusable_blocks& blocks, std::uintptr_t frame) const {
    for (thread_id u = 0; u < program_.thread_count(); ++u) {
        const thread_state& of = program_.thread(u);
        if (!of.context || of.status == thread_status::finished || of.status == thread_status::unborn)
            continue;
        const bool runs = u == program_.current();
        const memory_range own = runs ? memory_range{frame - saved_registers, program_.memory().stack_top(u)}
                                      : program_.own_stack(of);
        if (!runs && blocks.are_told_in({reinterpret_cast<std::uintptr_t>(of.context), own.begin}))
            return true;
        const std::vector<memory_range> told = blocks.told_in(own);
        if (!told.empty() && !are_forgotten_(of, own.begin + saved_registers, told)) return true;
    }
    bool found = false;
    program_.memory().each_allocation([&](std::uintptr_t a, std::size_t size) {
        found = found || blocks.are_told_in({a, a + size});
    });
    for (const memory_range& range : program_.memory().data()) found = found || blocks.are_told_in(range);
    return found;
}

/// The block of that size that `t`, or a thread that it has joined, freed last, or 0. No other thread can get that block,
/// so which one it is depends only on what happens before.
std::uintptr_t allocations::freed_last(const thread_state& t, std::size_t size, std::size_t alignment) const {
    // After which event of `t` what `by` freed after event `at` counts as freed. @return whether it does
    const auto counts = [&](thread_id by, unsigned& at) {
        while (by != t.id && by < program_.thread_count()) {
            at = program_.thread(by).joined_at;
            by = program_.thread(by).joined_by;
        }
        return by == t.id;
    };
    bool joined = false;
    for (thread_id u = 0; u < program_.thread_count(); ++u)
        joined = joined || program_.thread(u).joined_by == t.id;
    std::uintptr_t last = 0;
    unsigned when = 0;
    program_.memory().each_heap(t.id, [&](const heap& in) {
        const heap::freed_list& list = in.freed_of(size_class(size));
        unsigned at = list.first_index;
        if (list.by != heap::freed_list::nobody && !counts(list.by, at)) return true;
        in.each_freed(size_class(size), [&](std::uintptr_t a, const program_memory::header& h) {
            at = h.freed_index;
            if (a % alignment != 0 || !counts(h.freed_by, at)) return true;
            // What comes now was freed before, but all that a joined thread freed counts as freed when it was joined.
            if (last != 0 && at < when) return joined;
            if (last != 0 && at == when && a < last) return true;
            last = a;
            when = at;
            return true;
        });
        return true;
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
/// search has to begin anew for, or takes for granted. Where the answer would change nothing, nothing is looked through.
void allocations::note_blocks(const reusable_blocks& blocks, std::uintptr_t site, std::uintptr_t frame) {
    const bool never = facts_.limits.reuse == exploring::never;
    const bool own = program_.memory().in_code(site);
    const bool in_atomic = (!allocators_ || own) && kept_in_atomic(blocks);
    if (!allocators_ && !in_atomic && !kept_in_memory(blocks, frame))
        return facts_.take_for_granted(assumption::forgotten_address, site);
    if (never) return facts_.take_for_granted(assumption::address_reuse, site);
    if (in_atomic && own) {
        reuses_ = facts_.restart = true;
        return;
    }
    facts_.take_for_granted(assumption::last_freed, site);
    if (!allocators_) allocators_ = facts_.restart = true;
}

/// Whether an allocation that could get one of these blocks is to choose among them. Those of a library are many, and
/// none of them is the program's own ABA.
bool allocations::chooses_block(const reusable_blocks& blocks, std::uintptr_t site, std::uintptr_t frame) {
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
        const reusable_blocks blocks(program_.memory(), t, size, alignment);
        if (blocks.none()) return 0;
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
    const std::uintptr_t block = program_.memory().freed_block(number);
    if (block == 0) { // another thread has it
        request taken;
        taken.act = action::block;
        runtime_.visible(taken);
    }
    use_again(block, size, site);
    return block;
}

} // namespace ringproof::verify
