// SPDX-License-Identifier: Apache-2.0
#pragma once
// A relation between the events of one thread, as a matrix of bits.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringproof::silicon {

class relation {
  public:
    explicit relation(std::size_t size = 0)
        : size_(size), words_((size + 63) / 64), bits_(size * words_, 0) {}

    std::size_t size() const { return size_; }
    void add(std::size_t from, std::size_t to) { row(from)[to / 64] |= std::uint64_t{1} << (to % 64); }
    bool has(std::size_t from, std::size_t to) const { return ((row(from)[to / 64] >> (to % 64)) & 1) != 0; }

    relation& operator|=(const relation& other) {
        for (std::size_t k = 0; k < bits_.size(); ++k) bits_[k] |= other.bits_[k];
        return *this;
    }
    friend relation operator|(relation a, const relation& b) { return a |= b; }

    /// The pairs (a, c) for which some b has (a, b) here and (b, c) in `next`.
    relation then(const relation& next) const {
        relation result(size_);
        for (std::size_t a = 0; a < size_; ++a)
            each_after(a, [&](std::size_t b) {
                for (std::size_t w = 0; w < words_; ++w) result.row(a)[w] |= next.row(b)[w];
            });
        return result;
    }
    /// The pairs whose members satisfy these predicates of an index.
    template <class From, class To>
    relation between(const From& from, const To& to) const {
        relation result(size_);
        for (std::size_t a = 0; a < size_; ++a)
            if (from(a))
                each_after(a, [&](std::size_t b) {
                    if (to(b)) result.add(a, b);
                });
        return result;
    }
    relation closed() const {
        relation result = *this;
        for (std::size_t middle = 0; middle < size_; ++middle)
            for (std::size_t a = 0; a < size_; ++a)
                if (result.has(a, middle))
                    for (std::size_t w = 0; w < words_; ++w) result.row(a)[w] |= result.row(middle)[w];
        return result;
    }

    template <class Tell>
    void each_after(std::size_t from, const Tell& tell) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t left = row(from)[w]; left != 0; left &= left - 1)
                tell(64 * w + static_cast<std::size_t>(__builtin_ctzll(left)));
    }

  private:
    std::uint64_t* row(std::size_t r) { return bits_.data() + r * words_; }
    const std::uint64_t* row(std::size_t r) const { return bits_.data() + r * words_; }

    std::size_t size_, words_;
    std::vector<std::uint64_t> bits_;
};

} // namespace ringproof::silicon
