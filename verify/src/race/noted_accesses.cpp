// SPDX-License-Identifier: Apache-2.0
// What is noted of accesses that may race with others which a search leaves out: who made them in any execution; and
// those of a thread that knows of another's events without being ordered behind them, as it has read with relaxed accesses
// alone what came after them. See ../reduction/left_out.cpp.

#include "race_detector.hpp"

#include <algorithm>

namespace ringproof::verify {

/// Whether `t` allocated the memory at `address` and has not published its address yet. Each thread that accesses it has
/// read what `t` writes behind this, so its iterations are explored together with this.
bool race_detector::is_told_to_nobody(const thread_state& t, std::uintptr_t address) const {
    const program_memory& memory = program_.memory();
    if (!memory.in_heap(address) || memory.heap_owner(address) != t.id || memory.has_reused(t.id))
        return false;
    const program_memory::origin from = memory.origin_of(address);
    if (!from.known || from.thread != t.id || raced_.any()) return false;
    for (unsigned i = from.index + 1; i < t.next_index; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (!e.is_read() || e.rmw || e.lock) return false;
    }
    return true;
}

/// Calls f(granule, mask) for what an access by `t` is noted under: the granules, and another's whole stack.
template <class Function>
void race_detector::each_noted_granule(const thread_state& t, std::uintptr_t address, std::size_t size,
                                       Function f) const {
    each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
        f(granule, mask);
        return false;
    });
    const int owner = program_.memory().stack_owner(address);
    if (owner >= 0 && owner != static_cast<int>(t.id))
        f(unknown_stack_of(static_cast<thread_id>(owner)), 0xff);
}

void race_detector::note_unordered(const thread_state& t, std::uintptr_t address, std::size_t size,
                                   access_kind kind) {
    const auto porf = t.clocks.porf();
    const auto hb = t.clocks.hb();
    if (!porf.exceeds(hb)) return;
    const program::engine_runs engine;
    if (is_told_to_nobody(t, address)) return;
    for (thread_id by = 0; by < program_.thread_count(); ++by) {
        if (by == t.id || porf[by] <= hb[by]) continue;
        const thread_state& known = program_.thread(by);
        std::uint64_t sites = 0;
        for (lane i = hb[by] + 1; i <= porf[by]; ++i)
            sites |= hidden_races::bit_of(graph_.at(graph_.in_thread(by, static_cast<unsigned>(i))).site);
        each_noted_granule(t, address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
            note_behind({granule_behind(granule, known), sites, kind, mask});
        });
    }
}

void race_detector::note_behind(const unordered_access_noted& now) {
    hidden_races& hidden = facts_.result.hidden;
    if (noted_in_ != hidden.number) noted_.fill({});
    noted_in_ = hidden.number;
    constexpr std::uint64_t spread = 0x9e37'79b9'7f4a'7c15u;
    unordered_access_noted& latest =
        noted_[((now.granule * spread ^ now.sites) * spread >> 32) % noted_.size()];
    if (latest == now) return;
    latest = now;
    granule_accesses made;
    made.add(now.kind, now.mask);
    hidden.note_behind(now.granule, {made, now.sites});
}

void race_detector::note_history(const thread_state& t, std::uintptr_t address, std::size_t size,
                                 access_kind kind) {
    each_noted_granule(t, address, size, [&](std::uintptr_t granule, std::uint8_t) {
        const std::uint8_t thread = in_history(t, granule);
        const std::uintptr_t common = common_granule(granule);
        if (history_.knows(common, kind, thread)) return;
        const program::engine_runs engine;
        if (is_told_to_nobody(t, address)) return;
        if (history_.note(common, kind, thread)) facts_.result.hidden.dropped = true;
    });
}

/// Heaps and stacks of alike threads are one, and so is what they began with: that of the first of them.
std::uintptr_t race_detector::common_granule(std::uintptr_t granule) const {
    if (facts_.watched == 0) return granule; // no threads are alike
    const program_memory& memory = program_.memory();
    const bool in_heap = memory.in_heap(granule);
    const int owner = in_heap ? static_cast<int>(memory.heap_owner(granule)) : memory.stack_owner(granule);
    if (owner < 0) return granule;
    const thread_state& t = program_.thread(static_cast<thread_id>(owner));
    if (t.first_alike != 0) {
        const auto begin = [&](thread_id of) {
            return in_heap ? memory.heap_begin(of) : memory.stack(of).begin;
        };
        return granule - begin(t.id) + begin(t.first_alike);
    }
    const thread_state* const began = in_heap ? program_.began_with(granule, facts_.watched) : nullptr;
    if (!began) return granule;
    const auto argument = [&](thread_id of) {
        return reinterpret_cast<std::uintptr_t>(program_.thread(of).argument);
    };
    return granule - argument(began->id) + argument(began->first_alike);
}

/// Whether the memory is `t`'s alone, of threads that are alike: its stack, its heap, or what it began with.
bool race_detector::is_own(std::uintptr_t granule, const thread_state& t) const {
    const program_memory& memory = program_.memory();
    if (!memory.in_heap(granule)) return memory.stack_owner(granule) == static_cast<int>(t.id);
    return memory.heap_owner(granule) == t.id || program_.in_argument(t, granule);
}

/// Alike threads change places, and their own memory with them. Whether what a thread accessed was its own stays the same.
std::uintptr_t race_detector::granule_behind(std::uintptr_t granule, const thread_state& t) const {
    const bool of_another = may_be_own_of_alike(granule, t) &&
                            std::any_of(program_.begin(), program_.end(), [&](const thread_state& u) {
                                return u.first_alike == t.first_alike && u.id != t.id && is_own(granule, u);
                            });
    return of_another ? of_alike_thread(common_granule(granule), t) : of_thread(common_granule(granule), t);
}

} // namespace ringproof::verify
