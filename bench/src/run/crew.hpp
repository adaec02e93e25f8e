// SPDX-License-Identifier: Apache-2.0
#pragma once
// Our own pinned threads under one Google Benchmark thread (which would divide real time by its own).
//
// A run goes through phases that the starting thread sets and the workers read:
//
//   prepare -> warm_up -> measure -> stop [-> abort]
//
// Runs are limited by time, not by count: a count-based run of a queue that is bistable under
// preemption can take minutes. Workers leave their loops at `stop`; `abort` ends every wait when
// something went wrong or a worker overstayed.

#include "../topology/pin.hpp"
#include "../topology/placement.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::bench {

using steady = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

enum class phase : int { prepare, warm_up, measure, stop, abort };

/// What one worker did between the moments it saw `measure` and `stop`.
struct window {
    std::uint64_t count = 0;
    double wall = 0; ///< seconds
    double cpu = 0;  ///< seconds this thread ran
    double held = 0; ///< seconds it could have run but another thread had the CPU; sleeping does not count

    /// Share of the window in which the thread was held up.
    double off_cpu() const { return wall > 0 ? std::min(held / wall, 1.0) : 0; }
};

class crew;

/// A worker's view of the run. Waiting is the same for every peer, so that peers differ in the queue only.
/// Workers lie side by side in memory, hence the alignment: one's counting must not disturb the other.
class alignas(128) worker {
  public:
    worker(crew& owner, bool yields) : crew_(owner), patience_(yields ? few : many) {}

    phase now() const;
    /// To be called now and then with the items handled so far; takes the time at phase changes.
    /// @return false once the run stops
    bool keep_going(std::uint64_t count);
    /// After a failed try. Yields when oversubscribed after 64 failures in a row, else after 8192, so
    /// that another program's thread on this CPU cannot stall the run. @return false on abort
    bool wait();
    /// Operations after which to call keep_going: a producer that shares its CPU may need a time slice of each
    /// of the others for a single one, and shall then not go on for long after the stop.
    int stride() const { return patience_ == few ? 1 : 32; }
    void progressed() { failures_ = 0; }
    /// The run is wrong: first one wins, everybody stops.
    void fail(std::string why);

    const window& measured() const { return window_; }

  private:
    static constexpr std::uint32_t few = 64, many = 8192; ///< failures before it yields
    crew& crew_;
    std::uint32_t patience_;
    std::uint32_t failures_ = 0;
    phase seen_ = phase::warm_up;
    std::uint64_t count_at_start_ = 0;
    steady::time_point start_{};
    double cpu_at_start_ = 0;
    double held_at_start_ = 0;
    window window_;
};

struct run_times {
    seconds warm_up{0.005};
    seconds measure{0.05};
    seconds drain{3}; ///< how long workers may take to end after `stop` before the run is aborted
};

class crew {
  public:
    struct member {
        int cpu;
        std::function<void()> prepare; ///< on the pinned thread, before the start; may be empty
        std::function<void(worker&)> work;
    };

    crew(run_times times, bool oversubscribed, urgency priority)
        : times_(times), oversubscribed_(oversubscribed), priority_(priority) {
        // First in, first out without preemption would let one of two producers on a CPU starve the other.
        if (oversubscribed_ && priority_ == urgency::realtime) priority_ = urgency::high;
    }

    /// Runs all members, in step, to the end. @return each one's window
    std::vector<window> run(const std::vector<member>& members);
    /// Empty when all went well.
    const std::string& error() const { return error_; }
    /// Not empty when a worker was still waiting long after the stop and the run was aborted. Whether that is an
    /// error depends on who waits for what: see judge() in verdict.hpp.
    const std::string& stuck() const { return stuck_; }

  private:
    friend class worker;
    void pause_for(seconds duration) const;

    run_times times_;
    bool oversubscribed_;
    urgency priority_;
    std::string error_;
    std::string stuck_;
    std::atomic<bool> failed_{false};
    alignas(128) std::atomic<phase> phase_{phase::prepare};
    alignas(128) std::atomic<int> ready_{0};
    std::atomic<int> finished_{0};
};

inline phase worker::now() const { return crew_.phase_.load(std::memory_order_relaxed); }

} // namespace ringproof::bench
