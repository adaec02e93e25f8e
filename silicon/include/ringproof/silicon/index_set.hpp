// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets of the events of one thread, by their index in program order.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringproof::silicon {

class index_set {
  public:
    index_set() = default;
    explicit index_set(std::uint64_t lowest) : words_(lowest == 0 ? 0 : 1, lowest) {}

    void insert(std::size_t i) {
        if (words_.size() <= i / 64) words_.resize(i / 64 + 1, 0);
        words_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    bool contains(std::size_t i) const {
        return i / 64 < words_.size() && ((words_[i / 64] >> (i % 64)) & 1);
    }
    index_set& operator|=(const index_set& other) {
        if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
        for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
        return *this;
    }
    friend index_set operator|(index_set a, const index_set& b) { return a |= b; }

    /// Calls `tell` with each member, smallest first.
    template <class Tell>
    void each(const Tell& tell) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
                tell(64 * w + static_cast<std::size_t>(__builtin_ctzll(left)));
    }

  private:
    std::vector<std::uint64_t> words_;
};

} // namespace ringproof::silicon
