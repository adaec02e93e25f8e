// SPDX-License-Identifier: Apache-2.0
// What a program that is written for the checker calls: <ringproof/verify/verify.hpp>, and what adapters do.

#include "../runtime/runtime.hpp"

#include <ringproof/verify/check.hpp>

#include <cstdio>
#include <cstdlib>

namespace ringproof::verify {

void pause() {
    if (runtime::running()) runtime::active()->yield();
}

void assume(bool condition) {
    if (condition || !runtime::running()) return;
    request r;
    r.act = action::block;
    runtime::active()->visible(r);
    std::abort(); // a blocked thread is never resumed
}

void cover(const char* situation) {
    if (runtime::running()) runtime::active()->cover(situation);
}

void evaluated() noexcept {
    if (runtime::running()) runtime::active()->note_evaluated();
}

void fail(const char* expression, const char* file, int line) {
    if (runtime::running())
        runtime::active()->fail_here(failure_kind::assertion,
                                     std::string("VERIFY_THAT failed: ") + expression,
                                     reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), 0);
    std::fprintf(stderr, "%s:%d: VERIFY_THAT failed: %s\n", file, line, expression);
    std::abort();
}

unsigned choose(unsigned n) {
    if (!runtime::running()) return 0;
    return runtime::active()->choose(n, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void refuse(const char* message) {
    if (runtime::running())
        runtime::active()->fail_here(failure_kind::unsupported, message,
                                     reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), 0);
    std::fprintf(stderr, "%s\n", message);
    std::abort();
}

void refute(const char* message) {
    if (runtime::running())
        runtime::active()->fail_here(failure_kind::assertion, message,
                                     reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), 0);
    std::fprintf(stderr, "%s\n", message);
    std::abort();
}

} // namespace ringproof::verify
