// SPDX-License-Identifier: Apache-2.0
// Searches for many ranks: of known sizes, one that learns something late, one that is refuted, one that ends its process.
#include "../programs/scaling.hpp"

#include <ringproof/verify/verify.hpp>

#include <csignal>
#include <cstdlib>
#include <thread>

namespace {

template <std::size_t Count>
void alike_but_for_their_turns() {
    std::thread threads[Count];
    int turns[Count];
    for (std::size_t i = 0; i < Count; ++i)
        threads[i] =
            std::thread([turn = &turns[i]] { *turn = programs::x.fetch_add(1, std::memory_order_relaxed); });
    for (std::thread& t : threads) t.join();
}

VERIFY("seven: 5,040 orders of seven threads") { alike_but_for_their_turns<7>(); }
VERIFY("eight: 40,320 orders of eight threads") { alike_but_for_their_turns<8>(); }
VERIFY("nine: 362,880 orders of nine threads") { alike_but_for_their_turns<9>(); }
/// Half a minute of one process, to measure with.
VERIFY("ten: 3,628,800 orders of ten threads") { alike_but_for_their_turns<10>(); }

VERIFY("wrong: one order of seven threads") {
    if (programs::in_turn(7) == 0x5274316) std::abort();
}

/// A part that learns something makes the whole search begin anew.
VERIFY("late: one order of seven threads frees memory and takes some again") {
    if (programs::in_turn(7) == 0x5274316) programs::frees_and_takes_again();
}

/// Each searcher that comes there ends.
VERIFY("killed: the process of who searches, in one order of six threads") {
    if (programs::in_turn(6) == 0x654321) raise(SIGKILL);
}

} // namespace
