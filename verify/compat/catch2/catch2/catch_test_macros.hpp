// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// Version 3's name for the macros of test cases and assertions. All its headers that have such macros include this one. Where
// there is no version 3, the macros are version 2's.
#if __has_include_next(<catch2/catch_test_macros.hpp>)
#include_next <catch2/catch_test_macros.hpp>

#include <ringproof_catch2/version3.hpp>
#else
#include <catch2/catch.hpp>
#endif
