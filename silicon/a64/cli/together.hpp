// SPDX-License-Identifier: Apache-2.0
#pragma once
// Processes that search one program together. A process that has work for another forks, and gives it a part of the tree;
// what it knows of the program is the other's, too. They share a board with a few figures, and each leaves what it has
// found in a file in memory when it ends.

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ringproof::silicon::a64 {

class together {
  public:
    enum class reason : std::uint32_t {
        nothing,
        over,       ///< the time is, or there was an interrupt
        failed,     ///< an execution fails
        executions, ///< there are as many as were asked for
        anew        ///< more is known of the memory
    };

    /// @throws std::runtime_error when the system refuses memory
    explicit together(unsigned jobs);
    ~together();
    together(const together&) = delete;
    together& operator=(const together&) = delete;

    /// Whether one more process may be at work. Cheap.
    bool has_room() const;
    enum class side : std::uint8_t { alone, parent, child }; ///< alone: the system has refused a process
    side fork_worker();
    bool is_worker() const { return worker_; }

    void stop(reason why);
    reason stopped() const;
    /// False if the process that began is gone: the others end.
    bool led() const;

    /// One more complete execution. @return how many there are now
    std::uint64_t count_execution();
    std::uint64_t executions() const;
    unsigned processes() const; ///< that there were, one after the other included
    /// The share of the tree that processes have searched which are at their end.
    void add_done(double share);
    double done() const;

    /// Ends a worker. @param found what it leaves, in one line
    [[noreturn]] void leave(const std::string& found);
    /// Waits for the workers. `waiting` is called now and then.
    /// @return what they have left @throws std::runtime_error if one was lost
    std::vector<std::string> gather(const std::function<void()>& waiting);

  private:
    struct board;

    unsigned jobs_;
    board* board_ = nullptr;
    int results_ = -1;
    int alive_[2] = {-1, -1}; ///< a pipe whose writing end is open while a worker is at work
    bool worker_ = false;
    pid_t leader_;
    double begun_ = 0; ///< seconds: when it last shared, or began
};

} // namespace ringproof::silicon::a64
