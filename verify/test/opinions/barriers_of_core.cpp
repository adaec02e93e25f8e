// SPDX-License-Identifier: Apache-2.0
// The letters of core, and those that scenarios relax. Compiled so that accesses call hooks.
#include "barriers_called.h"

#include "../../scenarios/ring/mutants.hpp"

namespace {

using namespace ringproof;
using namespace ringproof::scenarios;

// As in verify/scenarios/ring/recorder.cpp.
struct without_i : acquire_release {
    static void intend(std::atomic<position>& intent, position value) noexcept { set_own(intent, value); }
};
struct without_j : acquire_release {
    static position load_intent(const std::atomic<position>& intent) noexcept { return stat(intent); }
};

template <class Barriers>
void call(char letter, std::uint64_t* word) {
    auto& at = *reinterpret_cast<std::atomic<std::uint64_t>*>(word);
    switch (letter) {
    case 'A':
        (void)Barriers::load_tail(at);
        break;
    case 'B':
        Barriers::publish_head(at, 1);
        break;
    case 'C':
        (void)Barriers::load_head(at);
        break;
    case 'D':
        Barriers::release_tail(at, 1);
        break;
    case 'a':
        (void)Barriers::load_vacancy(*word);
        break;
    case 'b':
        Barriers::commit(*word, 1);
        break;
    case 'c':
        (void)Barriers::load_commit(*word);
        break;
    case 'd':
        Barriers::vacate(*word, 1);
        break;
    case 'n':
        (void)Barriers::claimed(at);
        break;
    case 'x': {
        std::uint64_t expected = 0;
        (void)Barriers::claim(at, expected, 1);
        break;
    }
    case '+':
        Barriers::count_shared(at, std::uint64_t{1});
        break;
    case 'I':
        Barriers::intend(at, 1);
        break;
    case 'J':
        (void)Barriers::load_intent(at);
        break;
    case 'p':
        Barriers::put_word(*word, 1);
        break;
    case 'g':
        (void)Barriers::get_word(*word);
        break;
    case 'o':
        (void)Barriers::own(at);
        break;
    default:
        break;
    }
}

} // namespace

extern "C" void call_in_core(int fenced, char without, char letter, std::uint64_t* word) {
    switch (without) {
    case 'A':
        fenced ? call<fences_without_a>(letter, word) : call<without_a>(letter, word);
        break;
    case 'B':
        fenced ? call<fences_without_b>(letter, word) : call<without_b>(letter, word);
        break;
    case 'C':
        fenced ? call<fences_without_c>(letter, word) : call<without_c>(letter, word);
        break;
    case 'D':
        fenced ? call<fences_without_d>(letter, word) : call<without_d>(letter, word);
        break;
    case 'I':
        call<without_i>(letter, word);
        break;
    case 'J':
        call<without_j>(letter, word);
        break;
    default:
        fenced ? call<fences>(letter, word) : call<acquire_release>(letter, word);
        break;
    }
}
