// SPDX-License-Identifier: Apache-2.0
#pragma once
// A wild access of the program under test is a finding, not the end of the checker.

#include <csignal>

namespace ringproof::verify {

/// While it lives, SIGSEGV, SIGBUS, SIGFPE and SIGILL of the program under test become failures of its
/// thread. Those of anyone else go where they went before.
class fault_handlers {
  public:
    fault_handlers();
    ~fault_handlers();
    fault_handlers(const fault_handlers&) = delete;
    fault_handlers& operator=(const fault_handlers&) = delete;

  private:
    struct sigaction before_[4];
    stack_t stack_before_{};
};

} // namespace ringproof::verify
