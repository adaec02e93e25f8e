// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many threads and few bytes: threads that start and join each other, and in between access pieces of 16 bytes of
// plain memory. Nothing else orders anything, so that happens-before is reachability among the steps, and whether
// two accesses race is a question about each pair of them. No table of the judge has a size.

#include "../oracle/program.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify::fork_join {

enum class step_kind : std::uint8_t {
    read,
    write,
    atomic_read, ///< relaxed, of the program's one atomic word
    atomic_write,
    start,
    join
};

struct step {
    step_kind what = step_kind::read;
    int first = 0, size = 1; ///< bytes of the window
    int thread = 0;          ///< start, join
};

struct program {
    std::vector<std::vector<step>> threads{}; ///< the first is main
    oracle::storage memory = oracle::storage::stack;
};

enum class kind : std::uint8_t {
    readers, ///< nine threads and more read the same bytes one by one; who is not joined before main writes?
    trees,   ///< threads start threads; pieces of all sizes
    atomics, ///< some accesses are of an atomic word, which plain accesses write as a whole or not at all
    reused,  ///< the same, but of a part of the word too
    mapped   ///< readers and trees, in memory from mmap
};
inline constexpr std::array kind_names =
    std::to_array<std::string_view>({"readers", "trees", "atomics", "reused", "mapped"});
static_assert(kind_names.size() == static_cast<std::size_t>(kind::mapped) + 1);

program generate(kind what, std::uint64_t seed);

struct judgement {
    std::string race{}; ///< two accesses that race; empty: none do
    /// What each access of each thread reads (digest()), 0 for writes; of no meaning where there are races or atomics.
    std::vector<std::vector<int>> values{};
    bool atomics = false;
};
judgement judge(const program& what);

std::string to_string(const program& what);

} // namespace ringproof::verify::fork_join
