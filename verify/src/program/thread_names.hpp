// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names of threads that do not depend on the exploration: a thread is the n-th child of its parent, and has one number
// in every execution.

#include "../graph/clock.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ringproof::verify {

class thread_names {
  public:
    using list = std::vector<std::pair<std::uint16_t, std::uint16_t>>; ///< parent, and which of its children
    /// Adds to the names known what others have named, and the child. @return its number; the bound when there are too many
    using elsewhere = std::function<std::size_t(thread_id parent, std::uint16_t nth, list& known)>;

    void begin() { known_.assign(1, {0, 0}); }
    /// From now on others, who search as well, give the numbers.
    void ask(elsewhere others) { others_ = std::move(others); }

    /// The number of the `nth` child of `parent`; max_threads when there are too many.
    std::size_t number(thread_id parent, std::uint16_t nth) {
        if (const thread_id child = find(parent, nth); child != 0) return child;
        if (others_) return others_(parent, nth, known_);
        if (known_.size() == max_threads) return max_threads;
        known_.emplace_back(parent, nth);
        return known_.size() - 1;
    }
    /// The same of one that is known, or 0.
    thread_id find(thread_id parent, std::uint16_t nth) const {
        for (std::size_t t = 1; t < known_.size(); ++t)
            if (known_[t].first == parent && known_[t].second == nth) return static_cast<thread_id>(t);
        return 0;
    }
    const list& all() const { return known_; }
    void set(const list& all) { known_ = all; }

  private:
    list known_;
    elsewhere others_;
};

} // namespace ringproof::verify
