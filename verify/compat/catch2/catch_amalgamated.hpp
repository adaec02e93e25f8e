// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// Version 3 as two files, catch_amalgamated.hpp and .cpp. `ringproof check --dialect catch2 TEST.cpp catch_amalgamated.cpp` compiles
// the second one as it is, without instrumentation: it is the framework. Where a copy of the header beside the test is
// found before this file, one more source includes it, which check makes.
#if !__has_include_next(<catch_amalgamated.hpp>)
#error "catch_amalgamated.hpp is a part of Catch2 version 3. Give its folder: -- -I…"
#endif
#include_next <catch_amalgamated.hpp>

#include <ringproof_catch2/version3.hpp>
