// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs a client of the test of this name in programs.cpp, whose code is instrumented.
void explore_client(const char* name);
/// The same of one client, whose number is asked for outside of a search before.
void explore_client(const char* name, unsigned client);
