// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a one-line ping-pong says about the distance of two CPUs at this moment. On a virtual machine the
// hypervisor moves the virtual CPUs, and every queue changes by 3-10 times while the topology shown stays
// the same; so each measurement is bracketed by two probes, and compared only within one regime.

#include <string_view>

namespace ringproof::bench {

enum class regime { near, far, none }; ///< none: there was nothing to probe (all threads on one CPU)

std::string_view to_string(regime r);

/// Two CPUs under one last-level cache make a round trip in 40-150 ns, across sockets or chiplets it takes
/// 200 ns and more, on all hardware seen.
constexpr double far_from_ns = 200;
/// Probes that differ more than this belong to different states of the machine.
constexpr double probe_tolerance = 1.6;

/// Probe results in ns per round trip; 0 or less means that there was no probe.
struct probe_pair {
    double before = 0;
    double after = 0;

    bool present() const { return before > 0 && after > 0; }
    bool agree() const;
    /// Of the geometric mean of the two.
    regime classify() const;
    double mean() const;
};

} // namespace ringproof::bench
