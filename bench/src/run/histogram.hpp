// SPDX-License-Identifier: Apache-2.0
#pragma once
// A histogram of times for the tail: log-linear buckets, as HdrHistogram has them (G. Tene). Each power of two is
// divided into 128 buckets of equal width, so that a value is known to better than 0.8 % from 1 ns to 584 years,
// and counting one is a few instructions without a branch that depends on it.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ringproof::bench {

class histogram {
  public:
    histogram() : counts_(buckets, 0) {}

    void add(std::uint64_t value) {
        ++counts_[bucket_of(value)];
        ++total_;
        if (value > max_) max_ = value;
    }
    void merge(const histogram& other) {
        for (std::size_t i = 0; i < buckets; ++i) counts_[i] += other.counts_[i];
        total_ += other.total_;
        if (other.max_ > max_) max_ = other.max_;
    }

    std::uint64_t count() const { return total_; }
    std::uint64_t max() const { return max_; }

    /// The value that a share `q` (0 < q <= 1) of all values does not exceed: the middle of its bucket, 0 when
    /// empty. In the unit that was added.
    double quantile(double q) const;
    /// Can this quantile be told from so few values? Ten must lie beyond it: 1,000 for the 99th percentile.
    static bool enough(double q, std::uint64_t count) {
        return static_cast<double>(count) * (1 - q) >= 10 - 1e-6;
    }
    bool enough(double q) const { return enough(q, total_); }

    static constexpr unsigned sub_bits = 7;
    static constexpr std::size_t buckets = (64 - sub_bits + 1) << sub_bits;
    static constexpr std::size_t bucket_of(std::uint64_t value) {
        if (value < (std::uint64_t{1} << sub_bits)) return static_cast<std::size_t>(value);
        const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - sub_bits;
        return ((static_cast<std::size_t>(shift) + 1) << sub_bits) +
               static_cast<std::size_t>((value >> shift) - (std::uint64_t{1} << sub_bits));
    }
    /// The middle of a bucket.
    static double value_of(std::size_t bucket);

  private:
    std::vector<std::uint64_t> counts_;
    std::uint64_t total_ = 0;
    std::uint64_t max_ = 0;
};

} // namespace ringproof::bench
