// SPDX-License-Identifier: Apache-2.0
// Waits that end although nobody wakes their thread. At a wait there is a choice; if it ends early, the thread lets go
// of the mutex, takes it again, and goes on. (Whether it was among those that wait meanwhile makes no difference: who
// is chosen by a signal is woken by it.)
//
// In a loop that looks again, nobody can tell. Let l be the read by which the thread took the mutex before the wait,
// and l' that by which it took it again. When it has written nothing since l, and stands behind l' where it would
// stand had it taken the mutex for the first time at l', then the execution without what lies between, in which it
// comes later, does the same from here on: nobody knows that it had the mutex earlier, and fewer events order less.
// That is tried out, as in wasted.cpp, and the execution is left to its twin: the thread stops, and goes on only when a
// later write revisits l'. Likewise when it comes to the same wait again in the same state, having only locked and
// unlocked on the way.

#include "explorer.hpp"
#include "requests.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

bool explorer::wakes_early(std::uintptr_t address, std::uintptr_t site) {
    const thread_state& t = self();
    constexpr unsigned most_in_a_row = 3; // unless all is to be explored
    bool may = limits_.spurious != exploring::never;
    if (limits_.spurious == exploring::when_told) {
        unsigned wakes = 0;
        for (unsigned i = t.next_index; i-- > 1;) {
            const event& e = graph_.at(graph_.in_thread(t.id, i));
            if (e.kind != event_kind::choice || e.site != site || !e.weak) continue;
            if (!e.spurious) break;
            ++wakes;
        }
        may = wakes < most_in_a_row;
    }
    if (tracing_ && expected_choice_ != own_choice::wake) return false;
    if (!trying_) take_for_granted(may ? assumption::early_wakes : assumption::spurious_wake, site);
    if (!may && !tracing_) return false;
    request what;
    what.act = action::choose;
    what.weak = true;
    what.operand = 2;
    what.address = address;
    what.site = site;
    what.word = "wake up early";
    return visible(what) != 0;
}

/// Whether `t` has written anything but its own stack since its event `since`, or allocated.
bool explorer::has_written(const thread_state& t, const event& since) {
    const search_node& from = nodes_[since.node];
    const memory_range own = memory_.stack(t.id);
    return !images_.same_heap(from.state, t.id) ||
           !shadow_.each_write_since(from.log, t.id, since.index,
                                     [&](std::uintptr_t address, std::uint8_t, const plain_access&) {
                                         return own.contains(address);
                                     });
}

/// Whether `t`, whose wait ended early by the choice `early`, is back at it in the same state, having only taken
/// mutexes and let go of them.
bool explorer::waits_again(const thread_state& t, const event& early) const {
    if (t.what.act != action::choose || !t.what.weak || t.what.site != early.site ||
        t.hook_frame != early.frame || early.frame == 0)
        return false;
    std::vector<std::pair<location_id, int>> held;
    for (unsigned i = early.index + 1u; i < t.next_index; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (e.is_read() && (e.lock || !e.rmw)) continue;
        if (e.kind != event_kind::write || !e.lock) return false;
        const auto at =
            std::find_if(held.begin(), held.end(), [&](auto& h) { return h.first == e.location; });
        if (at == held.end())
            held.emplace_back(e.location, e.rmw ? 1 : -1);
        else
            at->second += e.rmw ? 1 : -1;
    }
    if (std::any_of(held.begin(), held.end(), [](auto& h) { return h.second != 0; })) return false;
    const auto before = images_.stack_of(nodes_[early.node].state, t.id);
    const memory_range own = own_stack(t);
    return before.random == t.random && own.begin >= before.sp &&
           std::memcmp(before.bytes + (own.begin - before.sp), reinterpret_cast<const void*>(own.begin),
                       own.size()) == 0;
}

bool explorer::woke_in_vain(thread_state& t) {
    if (interrupts_ || tracing_ || !limits_.rounds_recognised || (t.hook_frame == 0 && t.what.frame == 0))
        return false;
    const event& early = graph_.at(graph_.in_thread(t.id, t.early_wake));
    if (early.node != none && waits_again(t, early) && !has_written(t, early)) return true;
    if (t.next_index != t.early_wake + 4u) return false; // the choice, unlock, and the two parts of lock
    const auto at = [&](unsigned i) -> const event& { return graph_.at(graph_.in_thread(t.id, i)); };
    const event& again = at(t.early_wake + 2u);
    if (!again.is_read() || !again.lock || !again.rmw) return false;
    const event* first = nullptr;
    for (unsigned i = t.early_wake; i-- > 1 && !first;) {
        const event& e = at(i);
        if (e.is_read() && e.rmw && e.location == again.location)
            first = &e;
        else if (e.is_read() ? e.rmw : e.kind != event_kind::write || !e.rmw || e.location != again.location)
            return false;
    }
    if (!first || first->node == none || has_written(t, *first)) return false;
    const thread_state now = t;
    const memory_range own = own_stack(t);
    stack_copy_.take(own);
    return try_out([&](const saved_state& here) {
        images_.restore_one(nodes_[first->node].state, threads_, t.id);
        if (t.what.act != action::lock) return false;
        go_on_with(t, first->value);
        return t.pending && same_request(t.what, now.what) && t.what.mo == now.what.mo &&
               t.what.mo_fail == now.what.mo_fail && t.what.size == now.what.size &&
               t.hook_frame == now.hook_frame && same_beside_the_stack(t, now) && stack_copy_.same(own) &&
               images_.same_heaps(here) && images_.same_memory(here) &&
               same_stacks(images_, here, threads_, t.id);
    });
}

} // namespace ringproof::verify
