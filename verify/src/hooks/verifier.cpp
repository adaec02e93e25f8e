// SPDX-License-Identifier: Apache-2.0
// The functions of <ringproof/verify/verifier.h>. Outside of an exploration they do what they can.

#include "hook.hpp"

#include <ringproof/verify/verifier.h>

#include <cstdlib>

namespace rv = ringproof::verify;
using namespace rv::hook;

namespace {

/// How many numbers stand for all; 0: not said.
unsigned said_bound() {
    const char* said = std::getenv("RINGPROOF_NONDET_BOUND");
    const unsigned long n = said ? std::strtoul(said, nullptr, 10) : 0;
    return n >= 2 && n <= 1024 ? static_cast<unsigned>(n) : 0;
}

// Not within a function: its initialisation would be taken for the program's.
const unsigned said = said_bound();

unsigned nondet(std::uintptr_t site) {
    if (!running()) return 0;
    if (said == 0)
        engine().bound("__VERIFIER_nondet_int is 0, 1 or 2 (RINGPROOF_NONDET_BOUND says otherwise)");
    return engine().choose(said ? said : 3, site);
}

[[noreturn]] void broken(const char* message, std::uintptr_t site) {
    if (running()) engine().fail_here(rv::failure_kind::assertion, message, site, 0);
    std::abort();
}

} // namespace

RINGPROOF_HOOK void __VERIFIER_assume(int condition) {
    if (condition || !running()) return;
    rv::request r;
    r.act = rv::action::block;
    r.site = RINGPROOF_SITE;
    engine().visible(r);
    std::abort(); // a blocked thread is never resumed
}
RINGPROOF_HOOK void __VERIFIER_assert(int condition) {
    rv::evaluated();
    if (!condition) broken("__VERIFIER_assert failed", RINGPROOF_SITE);
}
RINGPROOF_HOOK void __VERIFIER_error() { broken("__VERIFIER_error is reached", RINGPROOF_SITE); }
RINGPROOF_HOOK void reach_error() { broken("reach_error is reached", RINGPROOF_SITE); }
RINGPROOF_HOOK int __VERIFIER_nondet_int() { return static_cast<int>(nondet(RINGPROOF_SITE)); }
RINGPROOF_HOOK unsigned __VERIFIER_nondet_uint() { return nondet(RINGPROOF_SITE); }
RINGPROOF_HOOK bool __VERIFIER_nondet_bool() { return running() && engine().choose(2, RINGPROOF_SITE) != 0; }
RINGPROOF_HOOK void __VERIFIER_spin_start() {}
RINGPROOF_HOOK void __VERIFIER_spin_end(int) {}
RINGPROOF_HOOK void __VERIFIER_loop_begin() {}
RINGPROOF_HOOK void __VERIFIER_loop_bound(int) {}
