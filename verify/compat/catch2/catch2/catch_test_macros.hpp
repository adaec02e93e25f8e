// SPDX-License-Identifier: Apache-2.0
#pragma once
// Version 3's name for the macros of test cases and assertions, which are version 2's.
#include <catch2/catch.hpp>
