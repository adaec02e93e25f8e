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
};

/// Does the model allow this part? Reads that are open and writes that are not placed order nothing yet, except
/// within their thread. A part of an allowed execution is allowed, so that a part that is not can be dropped.
bool allows(const model& m, const part_of_execution& part);

/// The same question again and again, after one change each time.
class consistency {
  public:
    explicit consistency(const model& m) : model_(m) {}

    /// Of a part that was allowed before a write was placed or a read was given its write, and before events came that
    /// are neither: what is forbidden now is so because of that event.
    bool allows(const part_of_execution& part, event_id changed);

  private:
    /// -1: unknown, or none. Places are those of writes in the coherence order of their location; the initial has 0.
    struct node {
        int write_place = -1, read_place = -1; ///< of a read: the place of its write
        int next_write = -1;                   ///< of a write, in coherence order
        int overwritten_by = -1;               ///< of a read: the write behind the one that it reads
        int first_reader = -1, next_reader = -1;
    };

    void number_events();
    void find_sources(std::size_t thread);
    void find_order_by_reads();
    bool coherent(event_id changed) const;
    bool atomic(event_id changed) const;
    bool on_cycle(event_id changed);
    bool leads_back(event_id from);
    /// Calls `tell` with the indices of all pieces of the access that the event is of.
    template <class Tell>
    void each_piece(std::size_t thread, std::size_t index, const Tell& tell) const;
    bool interrupted(std::size_t thread, std::size_t read, std::size_t write) const;
    static bool agree(const node& a, const node& b);
    std::size_t number(event_id e) const {
        return first_[static_cast<std::size_t>(e.thread)] + static_cast<std::size_t>(e.index);
    }
    std::int32_t thread_of(std::size_t event) const;

    const model& model_;
    const part_of_execution* part_ = nullptr;
    std::vector<std::size_t> first_; ///< of each thread's events, when all are counted through
    std::vector<node> nodes_;
    std::vector<std::pair<std::size_t, std::size_t>> by_reads_;
    std::vector<bool> seen_;
    std::vector<event_id> stack_;
};

} // namespace ringproof::silicon
