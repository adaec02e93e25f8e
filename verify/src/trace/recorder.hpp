// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes down the execution at hand, for a counterexample: from its graph, and, in a replay, from what its threads did
// between their visible events.

#include "../graph/graph.hpp"
#include "../program/program.hpp"

#include <ringproof/verify/explore.hpp>

#include <vector>

namespace ringproof::verify {

/// What a replay notes when it happens; the graph does not know it.
struct noted {
    thread_id thread = 0;
    std::uint32_t index = 0; ///< visible: of its event; plain: of the event before it
    bool visible = false;
    bool write = false;
    bool valued = false; ///< a plain write has its value only once it is done
    std::uint8_t size = 0;
    std::uint8_t depth = 0;
    std::size_t whole = 0; ///< plain: bytes, of which `size` are in the value
    std::uintptr_t address = 0;
    value_t value = 0;
    std::vector<std::uintptr_t> sites;
    std::vector<std::uintptr_t> pointers; ///< the stack pointer of each site's function
};
struct noted_allocation {
    std::uintptr_t address;
    std::size_t size;
    std::vector<std::uintptr_t> sites;
};

class recorder {
  public:
    recorder(const program& p, const graph& g) : program_(p), graph_(g) {}

    // In a replay, on the stack of the running thread.
    void note_visible(const request& what);
    void note_plain(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    void note_allocation(std::uintptr_t address, std::size_t size);
    /// The pending request of `t` will be the event behind `index`, which another one has taken.
    void move_behind(thread_id t, unsigned index);
    void forget();

    /// The graph's events in its order, each followed by the plain accesses that its thread made next; and at the end
    /// what failed, if anything did.
    std::vector<recorded_event> record(const failure& f) const;

  private:
    void settle_notes();
    recorded_event last_event(const failure& f) const;
    const noted* failing_note(const failure& f) const;
    const noted* note_of(const event& e) const;
    bool has_event(const noted& n) const;
    void add_plain(std::vector<recorded_event>& all, thread_id t, unsigned index, const noted* failing) const;
    recorded_event recorded(event_id id, const std::vector<std::size_t>& place) const;
    void locate(recorded_event& e, const noted* when) const;
    void locate_in_stack(recorded_event& e, thread_id owner, const noted* when) const;

    const program& program_;
    const graph& graph_;
    std::vector<noted> notes_;
    std::vector<noted_allocation> allocations_;
};

} // namespace ringproof::verify
