// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/mixed.hpp"

#include <cstdint>
#include <unordered_map>

namespace ringproof::verify {

/// Iterations by what they look like: places, and numbers of events. Trying out whether one had an effect costs as much as
/// a few steps of the search; a kind that always had one is no longer tried.
class iteration_kinds {
  public:
    struct kind {
        std::uintptr_t first, again, now; ///< sites
        unsigned round, behind;           ///< events
        std::uint64_t hash() const {
            std::uint64_t h = 0;
            for (const std::uint64_t word : {std::uint64_t{first}, std::uint64_t{again}, std::uint64_t{now},
                                             std::uint64_t{round} << 32 | behind})
                h = mixed(h, word);
            return h;
        }
    };
    bool hopeless(const kind& k) const {
        const auto found = failures_.find(k.hash());
        return found != failures_.end() && found->second == most;
    }
    void note(const kind& k, bool wasted) {
        unsigned& count = failures_[k.hash()];
        if (wasted)
            count = ever;
        else if (count < most)
            ++count;
    }

  private:
    static constexpr unsigned most = 100, ever = most + 1;
    std::unordered_map<std::uint64_t, unsigned> failures_;
};

} // namespace ringproof::verify
