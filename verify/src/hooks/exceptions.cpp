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

/// An exception is about to leave a function.
static void note_thrown() {
    ++rv::thrown::count;
    // Also where none was expected yet: another process may do so, which searches a part.
    if (!running() || rv::thrown::any) return;
    rv::thrown::any = true;
    if (engine().facts().limits.reduce.dead_state) engine().begin_anew_from_here();
}

RINGPROOF_HOOK void __cxa_throw(void* object, type_information* type, void (*destroy)(void*)) {
    note_thrown();
    RINGPROOF_NEXT(__cxa_throw)(object, type, destroy);
    __builtin_unreachable();
}

/// std::rethrow_exception(), of what may never have been thrown: std::make_exception_ptr() makes it, and a promise that is
/// given up. @param exception the address of the std::exception_ptr
RINGPROOF_HOOK void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void* exception) {
    note_thrown(); // it does not call __cxa_throw()
    RINGPROOF_NEXT(_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE)(exception);
    __builtin_unreachable();
}
