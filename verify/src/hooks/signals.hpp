// SPDX-License-Identifier: Apache-2.0
#pragma once
// A wild access of the program under test is a finding, not the end of the checker.

#include <csignal>

namespace ringproof::verify {

/// While it lives, SIGSEGV, SIGBUS, SIGFPE and SIGILL of the program under test become failures of its
/// thread. Those of anyone else go where they went before.
/// Computing that does not end is stopped when the search is to stop.
class fault_handlers {
  public:
    fault_handlers();
    ~fault_handlers();
    fault_handlers(const fault_handlers&) = delete;
    fault_handlers& operator=(const fault_handlers&) = delete;
    /// Starts the clock that interrupts endless computing, which a process does not inherit.
    static void start_ticking();

  private:
    struct sigaction before_[4], tick_before_;
    stack_t stack_before_{};
};

} // namespace ringproof::verify
