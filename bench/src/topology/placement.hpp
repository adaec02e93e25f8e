// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which CPU each thread of a benchmark is pinned to.

#include "machine.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::bench {

struct placement {
    distance kind = distance::same_l3; ///< of producer 0 and the consumer, or oversubscribed
    std::vector<int> producers;        ///< CPU of each producer
    int consumer = 0;

    bool oversubscribed() const { return kind == distance::oversubscribed; }
};

/// What `--placement` asked for.
struct placement_request {
    bool automatic = true;
    std::vector<distance> classes; ///< one class by name
    std::vector<int> producers;    ///< or these CPUs …
    int consumer = -1;             ///< … and this one
};

/// "auto", a class name, or "0,2:1" (producers' CPUs, a colon, the consumer's CPU).
/// @throws std::invalid_argument saying what was expected
placement_request parse_placement(std::string_view text);

/// The placements of `producers` producers and one consumer that `request` asks for on `m`: one for
/// each distance class that exists, or a single oversubscribed one when there are more threads than CPUs.
/// Empty when the class asked for does not exist here or has no room for that many producers.
/// @throws std::invalid_argument when a CPU named is not there or not allowed
std::vector<placement> place(const machine& m, const placement_request& request, std::size_t producers);

} // namespace ringproof::bench
