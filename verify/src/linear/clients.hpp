// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every client of a structure, up to a bound.

#include <compare>
#include <cstdint>
#include <vector>

namespace ringproof::verify::linear {

/// Before call `to_call` of thread `to` that thread waits until call `from_call` of thread `from` has returned.
struct wait {
    std::uint8_t from = 0, from_call = 0, to = 0, to_call = 0;
    friend auto operator<=>(const wait&, const wait&) = default;
};

struct client {
    std::vector<std::vector<std::uint32_t>> threads; ///< kinds of calls
    std::vector<wait> waits;
    friend bool operator==(const client&, const client&) = default;
};

struct client_bounds {
    unsigned kinds = 0; ///< of calls
    unsigned threads = 0, calls = 0, waits = 0;
};

/// All clients within the bounds, small ones first. Of those that differ in the order of their threads there is one; none
/// waits for what it has waited for already, nor for itself.
std::vector<client> clients_within(const client_bounds& b);

/// The clients of 1 to `most` calls in which each call has a thread of its own, those of fewer calls first.
/// @param owner of each kind of call: 0, or a number; all calls of one number are made by one thread, in each order
std::vector<client> clients_of_calls(const std::vector<unsigned>& owner, unsigned most);

} // namespace ringproof::verify::linear
