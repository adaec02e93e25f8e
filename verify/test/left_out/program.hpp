// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::verify::left_out {

enum class statement_kind : std::uint8_t {
    store,   ///< to a word
    if_seen, ///< where a word is set: accesses
    wait,    ///< accesses, until a word is set
    retry,   ///< a compare-exchange of a word from 1, with accesses where it fails
    poll,    ///< under a mutex, until `open` is set, with reads where it is not
    open,    ///< sets that
    access,
    fence
};

struct access {
    enum class of : std::uint8_t { plain, local, word, freed } what = of::plain;
    std::uint8_t number = 0;
    bool write = false;
};

struct statement {
    statement_kind kind = statement_kind::store;
    std::uint8_t word = 0;
    std::memory_order order = std::memory_order_relaxed;
    std::uint8_t count = 0; ///< of accesses
    std::array<access, 2> accesses{};
};

struct program {
    std::vector<std::vector<statement>> threads;
};

program generate(std::uint64_t seed);
std::string to_string(const program& p);

/// Runs as the program that was chosen last.
void run_chosen();
void choose(const program& p);

inline constexpr unsigned words = 3, variables = 2, most_threads = 3;

} // namespace ringproof::verify::left_out
