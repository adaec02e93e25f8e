// SPDX-License-Identifier: Apache-2.0
#pragma once
// A part of an execution while it is searched: how far each thread has come, what its reads read from, and the order
// of the writes to each location. It is copied at each choice.

#include <ringproof/silicon/machine.hpp>
#include <ringproof/silicon/model.hpp>

#include <map>

namespace ringproof::silicon {

/// What a thread does, and the order of its events that the model gives it. Shared by all parts of executions in which
/// the thread is told the same.
struct thread_part {
    std::shared_ptr<const run> ran;
    relation order;
};

class part_of_execution {
  public:
    struct read_state {
        std::optional<event_id> from; ///< the write; none: open
        std::optional<std::uint64_t>
            off; ///< put off: reads from a write that is placed at this time or later
    };
    struct thread_state {
        history past;
        std::shared_ptr<const thread_part> part;
        std::vector<read_state> reads; ///< by index of the event
        std::size_t placed = 0;        ///< the writes among so many first events stand in their orders
        bool told_more = true;         ///< the thread has to be run again
    };
    struct placed_write {
        event_id id;
        std::uint64_t time = 0; ///< when it was placed
    };

    std::vector<thread_state> threads;
    /// Of each location, its writes in coherence order, without the initial one, which comes first.
    std::map<std::uint64_t, std::vector<placed_write>> order;
    std::uint64_t time = 1; ///< counts the writes placed

    const thread_events& events(std::size_t thread) const { return threads[thread].part->ran->events; }
    const event& at(event_id e) const {
        return events(static_cast<std::size_t>(e.thread))[static_cast<std::size_t>(e.index)];
    }
    const read_state& read_at(std::size_t thread, std::size_t index) const {
        return threads[thread].reads[index];
    }
    /// Place in the order of its location; the initial write has 0. Only of writes that are placed.
    std::size_t place_of(std::uint64_t location, event_id write) const;
    bool is_placed(event_id write) const {
        return write.is_initial() ||
               static_cast<std::size_t>(write.index) < threads[static_cast<std::size_t>(write.thread)].placed;
    }
};

/// Does the model allow this part? Reads that are open and writes that are not placed order nothing yet, except
/// within their thread. A part of an allowed execution is allowed, so that a part that is not can be dropped.
bool allows(const model& m, const part_of_execution& part);

} // namespace ringproof::silicon
