// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify::oracle {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). The standard's distributions differ between libraries.
class random_numbers {
  public:
    explicit random_numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15U);
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31);
    }
    int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
    bool percent(int chance) { return below(100) < chance; }

  private:
    std::uint64_t state_;
};

} // namespace ringproof::verify::oracle
