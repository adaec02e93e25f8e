// SPDX-License-Identifier: Apache-2.0
#pragma once
// The code of the ring's shapes in each dialect. Loaded values are r0, r1, … of their thread in C.

#include "machine.hpp"

namespace ringproof::litmus::ring {

std::string publish_in_c(const machine& m, const option& b, const option& c);
std::string reuse_in_c(const machine& m, const option& a, const option& d);
std::string whole_in_c(const machine& m, const option& a, const option& b, const option& c, const option& d);

/// Initial state and code of an assembly dialect.
struct assembly_text {
    std::string init;
    std::string code;
};
assembly_text publish_in_assembly(const machine& m, const option& b, const option& c);
assembly_text reuse_in_assembly(const machine& m, const option& a, const option& d);
assembly_text whole_in_assembly(const machine& m, const option& a, const option& b, const option& c,
                                const option& d);
/// The register of an assembly dialect that holds the value loaded as rN.
std::string value_register(dialect d, int n);

} // namespace ringproof::litmus::ring
