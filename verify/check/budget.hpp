// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>

namespace ringproof::verify {

/// The time that all programs of a project have together.
class budget {
  public:
    /// @param seconds 0: no limit
    explicit budget(double seconds) : seconds_(seconds), start_(clock::now()) {}
    /// Whether no time is left.
    bool used_up() const { return seconds_ > 0 && remaining() <= 0; }
    /// The time for each search of the next program; 0: no limit.
    /// @param left how many programs are left, the next one among them
    /// @param searches how many models the next one is checked under
    /// @param own the program's own limit for each of them; 0: none
    double for_each_search(std::size_t left, std::size_t searches, double own) const;
    double seconds() const { return seconds_; }

  private:
    using clock = std::chrono::steady_clock;
    double remaining() const;
    double seconds_;
    clock::time_point start_;
};

/// What of `remaining` seconds each search of the next program may take, so that every program left has the same share.
/// What one does not use goes to those behind it. Above 0, as 0 would be no limit.
double share_of(double remaining, std::size_t left, std::size_t searches, double own);

} // namespace ringproof::verify
