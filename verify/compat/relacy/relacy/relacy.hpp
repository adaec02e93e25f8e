// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words of Relacy's test programs, for ringproof: such a program is compiled unchanged, and explored to the end
// under C++'s memory model. `ringproof check --dialect relacy FILE.cpp` finds this header.

#include "atomic.hpp"
#include "mutex.hpp"
#include "pch.hpp"
#include "posix.hpp"
#include "test.hpp"
#include "threads.hpp"
#include "var.hpp"
#include "waitable.hpp"
#include "win32.hpp"
#include "words.hpp"

#undef assert
#define assert RL_ASSERT
