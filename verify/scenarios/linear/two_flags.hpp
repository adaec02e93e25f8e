// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace linear_scenarios {

/// Two flags. A thread that raises one and looks at the other does not miss one that does so the other way round.
template <std::memory_order Store, std::memory_order Load>
class two_flags {
  public:
    void raise_left() { left_.store(true, Store); }
    void raise_right() { right_.store(true, Store); }
    bool left() const { return left_.load(Load); }
    bool right() const { return right_.load(Load); }

  private:
    std::atomic<bool> left_{false}, right_{false};
};
using strong_flags = two_flags<std::memory_order::seq_cst, std::memory_order::seq_cst>;
using weak_flags = two_flags<std::memory_order::release, std::memory_order::acquire>;

} // namespace linear_scenarios
