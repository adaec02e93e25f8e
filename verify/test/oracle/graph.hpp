// SPDX-License-Identifier: Apache-2.0
#pragma once
// A (partial) execution graph and the threads that produced it: which event each thread did, which
// write each read reads from (rf), and the coherence order (co) of the writes of each location.
// It only grows at the end of a thread; what a thread does next follows from the values it has read.

#include "program.hpp"
#include "relation.hpp"

#include <string>
#include <vector>

namespace ringproof::verify::oracle {

enum class event_kind : std::uint8_t { read, write, fence };

/// The order of a single event; an RMW's acquire half is on its read, its release half on its write.
enum class event_mode : std::uint8_t { plain, relaxed, acquire, release, acquire_release, seq_cst };

inline constexpr int no_event = -1;
inline constexpr int no_location = -1;
inline constexpr int initial_thread = -1; ///< "thread" of the initial writes
inline constexpr int max_locations = max_atomics + max_data + max_mutexes;

struct event {
    int thread = initial_thread;
    int index = 0; ///< position in its thread; of an initial write: its location
    event_kind kind = event_kind::write;
    event_mode mode = event_mode::plain;
    int location = no_location; ///< over atomics, data and mutexes together
    std::uint32_t bytes = 0;    ///< of the window, one bit each: such an access has no location and no rf
    int value = 0;
    int reads_from = no_event;
    bool exclusive = false; ///< the read or the write half of a read-modify-write
    bool locked = false;    ///< exclusive, or a failed compare-exchange: a locked instruction on x86
};

/// What a thread's next operation can be: one for each write it can read from.
struct choice {
    const operation* what = nullptr;
    int reads_from = no_event;
};

class graph {
  public:
    /// Only the initial writes of the locations which the program uses. The program must outlive it.
    explicit graph(const program& what);
    explicit graph(const program&&) = delete;

    int size() const { return size_; }
    const event& at(int id) const { return events_[static_cast<std::size_t>(id)]; }
    /// Writes of a location in coherence order, the initial one first.
    const std::vector<int>& coherence(int location) const {
        return coherence_[static_cast<std::size_t>(location)];
    }
    std::vector<int>& coherence(int location) { return coherence_[static_cast<std::size_t>(location)]; }

    bool finished(int thread) const;
    bool finished() const;
    /// Some thread has not finished, and none of those can go on from the newest value of its location.
    bool stuck() const;
    /// Whether the thread's next operation accesses bytes of the window.
    bool accesses_bytes(int thread) const;
    /// All ways in which the thread can go on; none if it has finished or has to wait.
    std::vector<choice> choices(int thread) const;
    /// Adds the event (for a read-modify-write, both) of one choice. A write comes last in coherence
    /// order; its id is returned, or no_event.
    int extend(int thread, const choice& how);

    outcome result() const;
    /// Equal for two graphs if they have the same events and reads-from and, if wanted, the same
    /// coherence order, in whatever order they were built.
    std::string key(bool with_coherence) const;

  private:
    struct thread_state {
        int position = 0; ///< next operation, never one that is no event
        int events = 0;
        int rounds = 0; ///< done of the counted wait at `position`
        int own = 0;
        register_file registers{};
    };

    int add(const event& next);
    void access_bytes(int thread, const operation& step);
    void pass_over_what_is_no_event(int thread);
    thread_state& state(int thread) { return states_[static_cast<std::size_t>(thread)]; }
    const thread_state& state(int thread) const { return states_[static_cast<std::size_t>(thread)]; }

    const program* program_;
    std::array<event, max_events> events_{};
    int size_ = 0;
    std::array<std::vector<int>, max_locations> coherence_{};
    std::array<thread_state, max_threads> states_{};
    window window_{};
};

} // namespace ringproof::verify::oracle
