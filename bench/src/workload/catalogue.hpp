// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything that can be measured: a workload (what is done) with a peer (the queue it is done with).

#include "../run/crew.hpp"
#include "../run/histogram.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
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
    std::string stuck;            ///< a thread still waited long after the stop: an error or not, see judge()
    std::string collapsed;        ///< the peer made no progress where threads share CPUs: a result, no error
    std::string skipped;          ///< why this cannot be measured here (a permission, say); no error
    /// Where operations were timed one by one, in ns: then its median is the result, not the time divided by
    /// the operations.
    std::shared_ptr<const histogram> latency;
    std::vector<std::pair<std::string, double>> more; ///< further counters of this workload

    /// Threads that did not get to run while it was to be measured: no result, but no fault of the queue.
    bool starved() const { return !decided() && operations == 0; }
    bool usable() const { return !decided() && operations > 0; }
    /// There is an answer that no repetition would change: broken, collapsed or not possible here.
    bool decided() const { return !error.empty() || !collapsed.empty() || !skipped.empty(); }
    /// What is compared: the median latency, or the time of one operation.
    double nanoseconds() const {
        if (latency) return latency->quantile(0.5);
        return operations > 0 ? seconds * 1e9 / static_cast<double>(operations) : 0;
    }
};

/// What limits a workload physically: the limit benchmark whose result it is a fraction of.
enum class limit_kind { none, stream, two_line_round_trip, copy, wake_futex, wake_eventfd };

/// The shortest kind of run that has it; a filter reaches all.
enum class tier { quick, usual, full };

/// What a peer gives up, or does not: speed alone is no reason to choose one.
struct semantics {
    std::string peer;
    std::string payload;   ///< "one type", "bytes, any size" …
    std::string order;     ///< "total", "per producer"
    std::string full;      ///< what a producer meets when there is no room
    std::string lost;      ///< how a refusal becomes known
    std::string overwrite; ///< whether it can keep the newest instead
    std::string processes; ///< whether two processes can share it
    std::string death;     ///< what a producer leaves that dies while it writes
};

struct entry {
    std::string workload; ///< "spsc/items:8/throughput"
    std::string peer;     ///< "ringproof"; empty for limits
    std::size_t producers = 1;
    std::size_t bytes = 0; ///< moved per operation, 0 where that says nothing
    bool probed = true;    ///< false for one-thread benchmarks, which distance does not touch
    limit_kind limit = limit_kind::none;
    tier from = tier::usual;
    std::function<run_result(const placement&, const run_settings&)> run;
};

struct catalogue : std::vector<entry> {
    std::vector<semantics> peers; ///< of every peer that has an entry
};

/// ping-pong round trips, cross-core stream, memcpy, compare-exchange with and without lock.
void add_limits(catalogue& out);

} // namespace ringproof::bench
