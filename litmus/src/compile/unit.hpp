// SPDX-License-Identifier: Apache-2.0
#pragma once
// A C test as text that a compiler takes: each thread is a function, each location a variable of its own outside of the
// text, and each register that final states show is stored to such a variable at the thread's end. Many tests lie in one
// text, since starting a compiler takes longer than compiling a test.

#include "../parse/test.hpp"

#include <string>
#include <vector>

namespace ringproof::litmus::compiled {

/// A test that has no such text. The message says why.
class not_compilable : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A variable of the compiled text, as the machine's test names it.
struct shared_variable {
    std::string name;   ///< "x", or "P0_r1" for register r1 of thread 0
    std::string type;   ///< in the machine's test: "int64_t", "int", …
    location from;      ///< of the C test
    bool shown = false; ///< by final states
};

struct unit {
    std::string text;                       ///< declarations and functions of this test
    std::vector<shared_variable> variables; ///< locations, then registers
    std::size_t threads = 0;
    bool loops = false; ///< the test itself has loops
};

/// The name of a function or variable of the compiled text: "rp7_P0", "rp7_x".
std::string symbol(std::size_t test, const std::string& name);

/// @param number sets the names of this test apart from those of others in the same text
/// @throws not_compilable or syntax_error
unit make_unit(const test& t, std::size_t number);

/// What stands before the units of C11 tests, or of tests in the kernel's words.
std::string words(bool linux_kernel);

} // namespace ringproof::litmus::compiled
