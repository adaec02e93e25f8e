// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/facts.hpp"
#include "../race/shadow.hpp"

#include <cstdint>
#include <vector>

namespace ringproof::verify {

/// Threads that are alike can change places: of the executions that differ in that alone one is explored. The argument
/// is in symmetry.cpp. Each thread of a group has an elder, the one that was created just before it.
class symmetry {
  public:
    symmetry(search_facts& f, program& p, const graph& g) : facts_(f), program_(p), graph_(g) {}
    /// From here on executions are those of a search that takes each way. Others leave nothing out.
    void use() { used_ = facts_.limits.reduce.symmetry; }

    /// `child` has just been created: finds its elder.
    void note_created(thread_state& child);
    /// `t` has joined `other`.
    void note_join(thread_state& t, const thread_state& other);
    /// `t` is about to add an event: what is before that of its elder is before it, too.
    void follow(thread_state& t) const;
    /// `t` has added `e`.
    void note_event(thread_state& t, const event& e);
    /// A plain access by `by` meets one that a watched thread made before.
    void note_access(std::uintptr_t address, const plain_access& earlier, thread_id by);

    // What the search may do with the pending request of `t`.
    /// Whether its elder comes first.
    bool is_held_back(const thread_state& t) const;
    /// Whether it may read from `w`. @param fails a weak compare-exchange fails spuriously
    bool may_read(const thread_state& t, event_id w, bool fails = false) const;
    /// Whether its write may have this place in the coherence order of `l`.
    bool may_place(const thread_state& t, location_id l, std::uint32_t place) const;

    /// How many executions this complete one stands for: itself, and those where alike threads change places. Of an
    /// orbit of which several are explored each stands for its part.
    double permutations() const;

  private:
    /// How the events of two alike threads, which are the same up to them, compare.
    enum class order : std::uint8_t {
        same,
        first,      ///< the thread of the first is the elder
        second,     ///< the thread of the second is
        concurrent, ///< either may be: they read from writes without an order
        open,       ///< either may be, and these events are not paired
        unlike      ///< they are not alike
    };
    order compare(const event& a, const event& b) const;
    order compare_reads(const event& a, const event& b) const;
    order compare_own_reads(const event& a, const event& b) const;
    bool before(event_id x, event_id y) const;
    event_id id_of(const event& e) const { return graph_.in_thread(e.thread, e.index); }
    const event* next_of(thread_id t, std::uint32_t from) const;
    const event* counterpart(const thread_state& t) const {
        return t.alike ? next_of(t.elder, t.elder_at) : nullptr;
    }
    bool corresponding(std::uintptr_t a, thread_id of_a, std::uintptr_t b, thread_id of_b) const;
    bool same_start(const thread_state& a, const thread_state& b) const;
    thread_state* elder_of(const thread_state& child);

    // permutations.cpp
    struct group;
    static constexpr unsigned largest_group = 12;
    group compared(thread_id first) const;
    bool is_explored(const std::vector<group>& groups) const;
    double explored_orders(std::vector<group>& groups) const;

    search_facts& facts_;
    program& program_;
    const graph& graph_;
    bool used_ = false;
};

} // namespace ringproof::verify
