// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory models of multi-copy-atomic machines. They have one shape: writes to one location have one order, the
// threads agree with it (coherence); some pairs of a thread's own events are ordered, and together with what passes
// between threads that has no cycle; a read-modify-write is not interrupted. They differ in which pairs of a
// thread's events are ordered.

#include <ringproof/silicon/event.hpp>
#include <ringproof/silicon/relation.hpp>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ringproof::silicon {

using thread_events = std::vector<event>;

/// Program order: a before b.
inline bool in_program_order(const thread_events& events, std::size_t a, std::size_t b) {
    return a < b && !events[b].beside.contains(a);
}
inline bool same_location(const thread_events& events, std::size_t a, std::size_t b) {
    const auto accesses = [](const event& e) { return e.is_read || e.is_write; };
    return accesses(events[a]) && accesses(events[b]) && events[a].address == events[b].address;
}

/// Whether both are pieces of one single-copy atomic access.
inline bool same_access(const thread_events& events, std::size_t a, std::size_t b) {
    return events[a].single != 0 && events[a].single == events[b].single;
}

class model {
  public:
    virtual ~model() = default;
    virtual std::string_view name() const = 0;
    /// The order of a thread's own events that does not depend on what its reads read from.
    virtual relation local_order(const thread_events& events) const = 0;
    /// Is order_by_reads() ever not empty?
    virtual bool orders_by_reads() const { return false; }
    /// Pairs that are ordered in addition, because of what the reads of the thread read from. `from` has it by index
    /// of the event, as far as it is known. More becomes known, and the pairs stay.
    virtual std::vector<std::pair<std::size_t, std::size_t>>
    order_by_reads(const thread_events& events, std::int32_t thread,
                   const std::vector<std::optional<event_id>>& from) const {
        static_cast<void>(events), static_cast<void>(thread), static_cast<void>(from);
        return {};
    }
    /// May a write of the thread itself stand between the halves of its read-modify-write, beside one of another
    /// thread? (It ends the exclusive access in Armv8.)
    virtual bool own_write_ends_exclusive() const { return false; }
};

const model& armv8();
/// RISC-V's RVWMO.
const model& riscv();

} // namespace ringproof::silicon
