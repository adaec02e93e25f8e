// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small program with atomic accesses of mixed sizes, as a value. It is run by machines and axioms of the judge, and by
// real threads under the checker.
//
// There are two words of four units each. An access is of one, two or four units of a word, aligned. Under the checker a
// unit is one or two bytes, so that a word has up to eight. Values of a unit stay below 256.

#include <array>
#include <atomic> // std::memory_order
#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::verify::mixed_test {

inline constexpr int words = 2, units = 4, most_operations = 10;

enum class kind : std::uint8_t {
    load,
    store,
    exchange,
    add,
    compare,
    fence,
    await ///< loads again and again until it reads what is expected
};

struct operation {
    kind what = kind::load;
    std::memory_order order = std::memory_order_relaxed, failure = std::memory_order_relaxed;
    int word = 0, first = 0, count = 1; ///< its units
    int value = 0;                      ///< of each unit that is written, or what is added to each
    int expected = 0;                   ///< compare, await: of each unit
    bool writes() const { return what != kind::load && what != kind::fence && what != kind::await; }
    bool reads() const { return what != kind::store && what != kind::fence; }
    bool updates() const { return writes() && reads(); }
};

struct program {
    std::vector<std::vector<operation>> threads;
    int unit_bytes = 1;
};

/// What each operation has read, thread by thread, a byte for each unit; and the words at the end.
struct outcome {
    std::array<std::uint32_t, most_operations> read{};
    std::array<std::uint32_t, words> memory{};
    auto operator<=>(const outcome&) const = default;
};

enum class model { sc, tso, rc11, ra };

/// Random programs, the same everywhere for the same seed.
program generate(std::uint64_t seed, bool seq_cst);
std::string to_string(const program& p);
std::string to_string(const outcome& o, const program& p);

} // namespace ringproof::verify::mixed_test
