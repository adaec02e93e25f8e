// SPDX-License-Identifier: Apache-2.0
// Exceptions that the program throws. Reductions look up what the program reads on its ways on, and cannot follow one that
// an exception takes: the first that is thrown begins the search anew, which then does not take exceptions for absent.

#include "../program/thrown.hpp"
#include "hook.hpp"

#include <typeinfo>

namespace rv = ringproof::verify;
using namespace rv::hook;

#ifdef __clang__
using type_information = std::type_info;
#else
using type_information = void; // as g++ declares the function itself
#endif

RINGPROOF_HOOK void __cxa_throw(void* object, type_information* type, void (*destroy)(void*)) {
    ++rv::thrown::count;
    // Also where none was expected yet: another process may do so, which searches a part.
    if (running() && !rv::thrown::any) {
        rv::thrown::any = true;
        if (engine().facts().limits.reduce.dead_state) engine().begin_anew_from_here();
    }
    RINGPROOF_NEXT(__cxa_throw)(object, type, destroy);
    __builtin_unreachable();
}
