// SPDX-License-Identifier: Apache-2.0
#pragma once
// Locations to which rounds without effect store: nodes that nobody else can read yet, as it seems. What a
// round stored there and a later round overwrote is left out with the round, as long as no other thread could
// still have read it. Whether one can is known only once it reads; so each search notes it, and begins anew
// when what it has left out turns out to matter.

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace ringproof::verify {

class own_stores {
  public:
    /// Whether other threads' reads are told of. Until a round stores to something, nobody asks.
    bool watched() const { return watched_; }
    void watch() { watched_ = true; }

    /// A thread can read what others did not write last. @return whether the search relied on the contrary
    bool tell_apart(std::uintptr_t address) {
        told_apart_.insert(address);
        return left_out_.erase(address) != 0;
    }
    bool told_apart(std::uintptr_t address) const { return told_apart_.count(address) != 0; }
    void leave_out(std::uintptr_t address) { left_out_.insert(address); }

  private:
    bool watched_ = false;
    std::unordered_set<std::uintptr_t> told_apart_, left_out_;
};

/// Rounds by what they look like: places, and numbers of events. Trying out whether one had an effect costs as much as
/// a few steps of the search; a kind that always had one is no longer tried.
class round_kinds {
  public:
    struct kind {
        std::uintptr_t first, again, now; ///< sites
        unsigned round, behind;           ///< events
        std::uint64_t hash() const {
            std::uint64_t h = 0;
            for (const std::uint64_t word : {std::uint64_t{first}, std::uint64_t{again}, std::uint64_t{now},
                                             std::uint64_t{round} << 32 | behind})
                h = (h ^ word) * 0x9e37'79b9'7f4a'7c15u, h ^= h >> 29;
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
