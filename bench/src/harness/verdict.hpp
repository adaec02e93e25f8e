// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../workload/catalogue.hpp"

namespace ringproof::bench {

/// Whose fault it is that a run came to nothing.
///
/// A lock, or a tail that is published in the order of reservation, may stop all threads while its holder does not
/// run. Where threads share CPUs that can last until every one of them has had its time slice, for every single
/// item: the peer has collapsed, which is a result about the peer. For one of ours it is an error, and so is
/// anybody's thread that still waits with a CPU to itself, where an item must have been lost. A peer's thread that other
/// programs held up by more than a tenth of the time did not have one: that is no result.
run_result judge(const entry& what, const placement& where, run_result raw);

/// One of our own, or a limit.
bool is_ours(const entry& e);

} // namespace ringproof::bench
