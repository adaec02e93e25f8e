// SPDX-License-Identifier: Apache-2.0
#pragma once
// Processes that search one program together. A process that has work for two forks: what is in its
// memory, the saved states above all, is the other's at once, and nothing has to be run again. They
// share a board with their figures and the names of threads, and each leaves its result when it ends.

#include <ringproof/verify/explore.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace ringproof::verify {

class worker_pool {
  public:
    static constexpr unsigned most = 256; ///< processes at work at a time

    /// @throws std::runtime_error when the system refuses memory
    worker_pool(unsigned jobs, double share_after);
    ~worker_pool();
    worker_pool(const worker_pool&) = delete;
    worker_pool& operator=(const worker_pool&) = delete;

    /// Why all are to stop.
    enum class reason : unsigned { nothing, interrupt, time, memory, executions, error, anew };

    /// Whether there is room for one more at work. Cheap.
    bool has_room() const;
    /// Forks into that room, unless somebody else was faster.
    enum class side : std::uint8_t { alone, parent, child };
    side fork_worker();
    bool is_worker() const { return worker_; }

    /// This process's figures for the others: `left` is the part of the whole search that it has to do.
    void show(const exploration_result& mine, double left);
    /// Adds up what all have shown.
    void sum_up(exploration_result& all) const;
    /// One more complete execution. @return how many there are now
    std::uint64_t count_execution();

    void stop(reason why);
    reason stopped() const;
    /// Whether the process that started it all is there.
    bool led() const;

    /// The number of thread (parent, nth), which is the same in all processes, and `names` what is known.
    /// @return `names.size()` when there are too many
    using thread_names = std::vector<std::pair<std::uint16_t, std::uint16_t>>;
    void name_threads(const thread_names& names);
    std::size_t name(std::uint16_t parent, std::uint16_t nth, thread_names& names, std::size_t limit);

    /// Ends a worker.
    [[noreturn]] void leave(const exploration_result& mine);
    /// Waits for all workers, and adds what they found. `waiting` is called now and then.
    /// @return false when a worker was lost
    bool gather(exploration_result& all, const std::function<void()>& waiting);

  private:
    struct board;
    void give_up_slot();

    unsigned jobs_;
    board* board_;
    int results_;       ///< a file in memory that everyone appends to
    int alive_[2] = {}; ///< a pipe whose writing end is open while anyone is at work
    unsigned slot_ = 0;
    bool worker_ = false;
    pid_t leader_;
    std::chrono::steady_clock::time_point rests_until_;
};

} // namespace ringproof::verify
