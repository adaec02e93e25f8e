// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ring's barriers A to D (core/include/ringproof/barriers.hpp) in the words of each machine, from
// nothing to the strongest, and the litmus tests that they make.
//
//   MP    P0: data=1  [B] head=1        P1: head [C]  data       bad: new head, old data
//   LB    P0: tail [A]  data=1          P1: data  [D] tail=1     bad: the consumer reads the next lap
//   full  a ring of one slot that holds item 1; both of the above, one after the other:
//         P0: tail [A]  data=2  [B] head=2
//         P1: head [C]  data  [D] tail=1  head [C]  data         bad: either

#include <string>
#include <string_view>
#include <vector>

namespace ringproof::litmus::ring {

enum class dialect { x86, aarch64, riscv, linux_kernel, c11 };

/// One way to write a barrier: how head or tail is accessed, and what stands between that access and
/// the one to the data.
struct option {
    std::string name;   ///< as test names have it: "dmb.st"
    int cost;           ///< what makes one option less than another, see cost_*
    std::string access; ///< of head or tail; empty: the plain one of the dialect
    std::string fence;  ///< empty: none
    bool branch;        ///< A, C: the access to the data depends on a branch that the load decides
};
inline constexpr int cost_nothing = 0;
inline constexpr int cost_branch = 1;   ///< no instruction of its own: the program has that branch anyway
inline constexpr int cost_compiler = 2; ///< no instruction either, but the compiler is told
inline constexpr int cost_one_way = 3;  ///< orders one direction: acquire, release, fences of reads or writes
inline constexpr int cost_full = 4;     ///< a full fence, or an access that takes part in the order of all

struct machine {
    std::string id;    ///< "lkmm-plain"
    std::string title; ///< for people
    dialect language;
    std::string model; ///< of the simulator
    bool plain;        ///< the data is plain, so that a data race makes it wrong whatever is read
    std::vector<option> letters[4];
    /// What kernel/events/ring_buffer.c and its reader do, and load-acquire with store-release; the
    /// options' names, A to D.
    std::vector<std::string> documented, acquire_release;

    /// @throws std::logic_error if there is no such option
    const option& find(char letter, std::string_view name) const;
};

const std::vector<machine>& machines();

/// The option in the machine's own words: "DMB ISHLD", "smp_load_acquire", "acquire fence".
std::string in_words(const machine& m, const option& o);

struct program {
    std::string name; ///< "ring-MP+dmb.st+ldapr"
    std::string file; ///< below litmus/tests/perf-ring: "aarch64/ring-MP+dmb.st+ldapr.litmus"
    std::string text; ///< without the condition
    std::string asks; ///< the bad outcome, without its quantifier
};

program publish(const machine& m, const option& b, const option& c);
program reuse(const machine& m, const option& a, const option& d);
program whole(const machine& m, const option& a, const option& b, const option& c, const option& d);

} // namespace ringproof::litmus::ring
