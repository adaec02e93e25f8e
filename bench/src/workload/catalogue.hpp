// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything that can be measured: a workload (what is done) with a peer (the queue it is done with).

#include "../harness/crew.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::bench {

struct run_settings {
    run_times times;
    urgency priority = urgency::high;
};

/// One measurement, unjudged.
struct run_result {
    std::uint64_t operations = 0; ///< items received, round trips made, blocks copied, …
    double seconds = 0;           ///< in this time
    double cpu_seconds = 0;       ///< of all threads
    double off_cpu = 0;           ///< the worst thread's share of time in which others had its CPU
    std::string error;            ///< empty: everything arrived, whole and in order

    /// Threads that did not get to run while it was to be measured: no result, but no fault of the queue.
    bool starved() const { return error.empty() && operations == 0; }
};

/// What limits a workload physically: the limit benchmark whose result it is a fraction of.
enum class limit_kind { none, stream, two_line_round_trip };

struct entry {
    std::string workload; ///< "spsc/items:8/throughput"
    std::string peer;     ///< "ringproof"; empty for limits
    std::size_t producers = 1;
    std::size_t bytes = 0; ///< moved per operation, 0 where that says nothing
    bool probed = true;    ///< false for one-thread benchmarks, which distance does not touch
    limit_kind limit = limit_kind::none;
    std::function<run_result(const placement&, const run_settings&)> run;
};

using catalogue = std::vector<entry>;

/// ping-pong round trips, cross-core stream, memcpy, compare-exchange with and without lock.
void add_limits(catalogue& out);

} // namespace ringproof::bench
