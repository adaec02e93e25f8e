// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// Each test case of a program in Catch2 version 3 as a scenario of its own.
//
// main(), the program's or that of libCatch2Main, runs once and outside of the search. Its Session::run() comes here instead of
// to the framework (the linker's --wrap), and names the tests. libCatch2, which nothing instruments, is the user's.

#include "assertions3.hpp"
#include "runner.hpp"

extern "C" {
__attribute__((weak)) int __wrap__ZN5Catch7Session3runEv(void*) {
    ringproof::verify::catch2::name_tests();
    return 0;
}
/// main() leaves its Session: this would free the test cases.
__attribute__((weak)) void __wrap__ZN5Catch7SessionD1Ev(void*) {}
}

namespace ringproof::verify::catch2 {
/// Before main(): its tests are explored, not main() itself.
inline const bool tests_are_named = (main_names_scenarios(), true);
} // namespace ringproof::verify::catch2
