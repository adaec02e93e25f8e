// SPDX-License-Identifier: Apache-2.0
#pragma once
// Machines for the tests, as hwloc would tell of them.

#include "../../src/topology/machine.hpp"

namespace ringproof::bench::test {

/// 2 packages of 2 L3s of 2 L2s of 2 cores of 2 threads: every distance class exists from CPU 0.
inline machine two_sockets() {
    machine m;
    for (int i = 0; i < 32; ++i) m.cpus.push_back({i, i / 2, i / 4, i / 8, i / 16, i / 16});
    return m;
}

/// Two cores under one L3.
inline machine small_virtual_machine() {
    machine m;
    for (int i = 0; i < 2; ++i) m.cpus.push_back({i, i, i, 0, 0, 0});
    return m;
}

} // namespace ringproof::bench::test
