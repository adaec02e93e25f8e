// SPDX-License-Identifier: Apache-2.0
// Libraries that the program loads while it is explored. Their data has to be put back between executions like that of
// the executable, so the search begins anew with the library loaded: then it stays. Its constructors run outside of
// executions, once. What a constructor loads before main() (oneTBB 2022 loads its allocator so) is there from the
// beginning, but nothing that the executable was linked with names it: it is noted as a part of the program.
//
// oneTBB's allocator is left out, as if it were not installed: oneTBB then calls malloc(). Its addresses depend on which
// thread allocates first, and no event of an execution tells that, so that the same decisions led to other addresses.

#include "../program/callers.hpp"
#include "../program/libraries.hpp"
#include "hook.hpp"

#include <string_view>

namespace rv = ringproof::verify;
using namespace rv::hook;

static bool is_left_out(const char* file) {
    const std::string_view path = file ? file : "";
    return path.substr(path.rfind('/') + 1).starts_with("libtbbmalloc");
}
/// What dlopen() does with a file that is not there, dlerror() included.
static void* finds_no_file() {
    const rv::runtime::inside engine_asks;
    return RINGPROOF_NEXT(dlopen)("the allocator of oneTBB, which the checker leaves out", RTLD_LAZY);
}

RINGPROOF_HOOK void* dlopen(const char* file, int mode) {
    const std::uintptr_t site = RINGPROOF_SITE;
    const bool before_main = rv::callers::is_programs_before_main(site);
    if (!before_main && (!rv::callers::for_program(site) || rv::callers::is_engine(site)))
        return RINGPROOF_NEXT(dlopen)(file, mode);
    if (is_left_out(file)) return finds_no_file();
    // With this flag the library would use libc's malloc() and pthread functions instead of these hooks, and their
    // state would not be put back.
    mode &= ~RTLD_DEEPBIND;
    if (before_main) return rv::load_before_main(file, mode);
    bool there = !file;
    {
        const rv::runtime::inside engine_asks;
        there =
            there || RINGPROOF_NEXT(dlopen)(file, RTLD_NOLOAD | RTLD_LAZY) || rv::was_asked_for(file, mode);
    }
    if (!there && !(mode & RTLD_NOLOAD)) engine().begin_anew_from_here();
    if (file && rv::brought_thread_locals(file))
        unsupported(
            "dlopen() of a library with thread_local variables, with which the program is not linked,", site);
    const rv::runtime::inside engine_asks;
    return RINGPROOF_NEXT(dlopen)(file, mode);
}
RINGPROOF_HOOK int dlclose(void* handle) noexcept {
    if (!running()) return RINGPROOF_NEXT(dlclose)(handle);
    return 0; // another execution may be about to use it
}
