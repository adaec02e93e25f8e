// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a generated test: workers pinned to CPUs run its threads on many instances, batch by batch.
//
//   batch:  touch │ meet │ run group, meet, run group, … │ meet │ gather and reset │ meet │ next
//
// A worker is one CPU's share of the work. With at least as many CPUs as threads each worker runs
// one thread of the test. With fewer, a worker takes turns between several: it runs one thread, or
// one instruction of it, on a few instances, then, after an MFENCE as a context switch has one, the next. No CPU ever waits for
// a thread that has none, so nothing crawls.

#include "abi.hpp"
#include "topology.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <stdexcept>

namespace ringproof::litmus {

enum class synchronisation {
    none,     ///< the threads start a batch together, then run free
    user,     ///< they meet before each group of instances
    fence,    ///< the same, and their stores are out of the way before they start
    timebase, ///< they meet and then start each group at one value of the time stamp counter
};

std::optional<synchronisation> synchronisation_from(std::string_view name);
std::string_view to_string(synchronisation s);

struct run_options {
    std::uint64_t size = 5000; ///< instances of a batch
    std::uint64_t runs = 200;  ///< batches
    double seconds = 0;        ///< if positive: run that long instead
    std::uint64_t seed = 1;    ///< of the order of instances
    std::uint64_t group = 0;   ///< instances between meetings; 0 chooses
    std::uint64_t stride = 1;  ///< every how many-th place an instance lies
    bool shuffle = true;       ///< run the instances in random order
    bool flush = false;        ///< flush beforehand what the threads will store to
    bool touch = true;         ///< load beforehand what the threads will load
    synchronisation sync = synchronisation::none;
    affinity pinning = affinity::incr;
};

/// The values of the shown locations, in their order, and how often they came out.
using histogram = std::map<std::vector<std::int64_t>, std::uint64_t>;

struct run_result {
    histogram states;
    std::uint64_t iterations = 0;
    double seconds = 0;
    std::size_t workers = 0;
    std::vector<unsigned> cpus; ///< the workers', empty if not pinned
    bool interrupted = false;
};

/// Not an error of the test: this machine cannot do what was asked for.
class not_on_this_machine : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// @param shown number of values of a state
/// @param interrupt asks for an early end; what was counted until then is returned
/// @param progress called now and then with the fraction done
/// @throws not_on_this_machine if the affinity cannot be had
run_result run_on_hardware(const generated_test& test, std::size_t shown, const run_options& options,
                           const std::atomic<bool>& interrupt, const std::function<void(double)>& progress);

} // namespace ringproof::litmus
