// SPDX-License-Identifier: Apache-2.0
#pragma once
// A second opinion on accesses of several sizes to the same bytes: small random programs of AArch64, and all their
// executions byte by byte. It shares nothing with the simulator: neither front end nor pieces, relations or search.
// Every byte of an access is an event, and the rules of the Arm Architecture Reference Manual (B2.3, single-copy
// atomicity in B2.2) are written once more, over rows of bits.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ringproof::litmus::bytewise {

struct access {
    enum class kind { load, store, swap, barrier };
    kind what = kind::load;
    int base = 0, offset = 0, bytes = 4; ///< x is location 0, of 4 bytes, y location 1
    std::uint32_t stored = 0;
    bool acquire = false, release = false; ///< of a swap, both are possible
    bool address_dependent = false;        ///< on the load before
    /// Dependent, and what is added to the offset: the lowest bits of what is loaded, as many as are set here.
    int index = 0;
    bool data_dependent = false; ///< likewise; what is stored does not change
    int loads_before = 0,
        stores_before = 0; ///< of a barrier, which accesses it orders: bits 1 loads, 2 stores
    int loads_after = 0;   ///< likewise, with those that come after it
};

struct threads {
    std::vector<std::vector<access>> code;
};

/// Two threads of two or three instructions. Some have too many executions for this file: see count_of.
threads random_threads(std::mt19937& random);
/// With addresses that are computed from what is loaded, where they only depend on it.
threads with_indices(threads t, std::mt19937& random);
/// As a test that shows what every load and swap reads, and x and y in the end.
std::string litmus_text(const threads& t);

/// By the values that the test shows, in its order: how many executions the architecture allows.
using result = std::map<std::vector<std::uint32_t>, std::uint64_t>;
/// How many choices would be tried.
std::uint64_t count_of(const threads& t);
result executions(const threads& t);

} // namespace ringproof::litmus::bytewise
