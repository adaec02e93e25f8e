// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of a C test's threads, as a C compiler needs it, and the kernel's words as macros over compiler builtins.

#include "../parse/test.hpp"

namespace ringproof::litmus {

/// READ_ONCE, smp_mb, spin_lock, … as C text.
const char* kernel_words();

/// Whether values of this type have 64 bits ("long", "uint64_t", "intptr_t").
bool is_wide(const std::string& type);
/// The name in a declaration: "x" of "atomic_int *x".
std::string last_word(const std::string& s);

struct thread_text {
    std::vector<std::string> parameters; ///< "atomic_int *x"
    std::string body;                    ///< without its braces
};

/// @throws syntax_error where there are no parameters or no body
thread_text read_thread(const test& t, std::size_t index);

} // namespace ringproof::litmus
