// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// Catch2's own header (version 2), and each TEST_CASE as a scenario of its own. `ringproof check --dialect catch2 FILE.cpp` finds
// this file before the framework's.
//
// The framework's implementation is that of libCatch2WithMain, which nothing instruments: CATCH_CONFIG_MAIN and
// CATCH_CONFIG_RUNNER do not compile it here. Its session runs no test. A test case is invoked by the runner in
// runner.hpp, which answers its assertions (assertions.hpp) and decides which SECTION it enters (branches.hpp).

#if !__has_include_next(<catch2/catch.hpp>)
#error                                                                                                       \
    "<catch2/catch.hpp> is Catch2 version 2's (Debian 12: catch2). Give its folder: -- -I…, or include version 3's <catch2/catch_test_macros.hpp>"
#endif
#ifdef CATCH_CONFIG_ENABLE_BENCHMARKING
#error "benchmarks cannot be checked: leave CATCH_CONFIG_ENABLE_BENCHMARKING undefined"
#endif
#if defined(CATCH_CONFIG_MAIN) || defined(CATCH_CONFIG_RUNNER)
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#undef CATCH_CONFIG_MAIN
#ifdef CATCH_CONFIG_RUNNER
#undef CATCH_CONFIG_RUNNER
#define RINGPROOF_CATCH2_OWN_MAIN
#endif

#include_next <catch2/catch.hpp>

#include <ringproof_catch2/assertions.hpp>
#include <ringproof_catch2/runner.hpp>

namespace ringproof::verify::catch2 {
/// Before main().
inline const bool tests_are_named = (names_scenarios_by(&name_tests), true);
} // namespace ringproof::verify::catch2

#ifdef RINGPROOF_CATCH2_OWN_MAIN
#include <ringproof_catch2/session.hpp>
#endif
