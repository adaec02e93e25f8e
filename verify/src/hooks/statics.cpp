// SPDX-License-Identifier: Apache-2.0
// Initialisation of function-local statics: the compiled code looks at the first byte of the guard, which is 1
// when the object is there; the second is 1 while a thread initialises it and 2 afterwards.

#include "hook.hpp"

#include <cxxabi.h>

namespace rv = ringproof::verify;
using namespace rv::hook;

namespace {

rv::request store(char* byte, rv::value_t value, std::uintptr_t site) {
    return request_for(rv::action::store, {address_of(byte), site, rv::order::release, false, 1}, nullptr,
                       value);
}

rv::going begin(rv::value_t seen, rv::value_t, rv::value_t& next) {
    if (seen == 1) return rv::going::wait;
    if (seen == 2) return rv::going::leave;
    next = 1;
    return rv::going::change;
}

template <class Result>
Result (*next(const char* name))(void*) {
    return reinterpret_cast<Result (*)(void*)>(dlsym(RTLD_NEXT, name));
}

} // namespace

RINGPROOF_HOOK int __cxa_guard_acquire(__cxxabiv1::__guard* word) {
    char* const guard = reinterpret_cast<char*>(word);
    if (!running() || engine().is_private(address_of(guard))) return next<int>("__cxa_guard_acquire")(guard);
    if (*guard != 0 && engine().execution().find(address_of(guard + 1)) == rv::none)
        return 0; // before it ran
    const std::uintptr_t site = RINGPROOF_SITE;
    if (take({address_of(guard + 1), site, rv::order::acquire, false, 1}, begin, 0,
             "deadlock: a thread waits for the initialisation of a static object that does not end") != 2)
        return 1;
    // The compiled code saw the byte unset; it is the same execution when it sees it set.
    rv::request same;
    same.act = rv::action::block;
    same.other = 1;
    same.site = site;
    engine().visible(same);
    return 0;
}
RINGPROOF_HOOK void __cxa_guard_release(__cxxabiv1::__guard* word) noexcept {
    char* const guard = reinterpret_cast<char*>(word);
    if (!running() || engine().is_private(address_of(guard))) {
        next<void>("__cxa_guard_release")(guard);
        return;
    }
    engine().visible(store(guard, 1, RINGPROOF_SITE));
    engine().visible(store(guard + 1, 2, RINGPROOF_SITE));
}
RINGPROOF_HOOK void __cxa_guard_abort(__cxxabiv1::__guard* word) noexcept {
    char* const guard = reinterpret_cast<char*>(word);
    if (!running() || engine().is_private(address_of(guard))) {
        next<void>("__cxa_guard_abort")(guard);
        return;
    }
    engine().visible(store(guard + 1, 0, RINGPROOF_SITE));
}
