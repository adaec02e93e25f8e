// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs a client of the test of this name in programs.cpp, whose code is instrumented.
void explore_client(const char* name);
