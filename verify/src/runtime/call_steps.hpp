// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps of a call, for LINEARIZABLE's promise of wait-freedom. A thread that may be stopped (stops.cpp) marks where its calls begin,
// and each of its requests is counted from there.

#include <functional>
#include <string>

namespace ringproof::verify {

/// From here on, in this search, a call takes at most `most` steps, or refutes with what `about` says. 0: as many as it likes.
void bound_calls(unsigned most, std::function<std::string()> about);
unsigned steps_of_a_call();
/// The running thread begins a call.
void mark_call();

} // namespace ringproof::verify
