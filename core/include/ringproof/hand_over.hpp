// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace ringproof {

/// How a single producer hands over what it has written: a choice between the latency of one and the cost of many.
/// What each costs on one machine stands in docs/speed.md; measure on yours, since `each` and `in_band` change places
/// with the distance between the CPUs.
///
///  | policy       | the consumer learns of a record or item        | lines that travel per hand-over           |
///  |--------------|------------------------------------------------|-------------------------------------------|
///  | `each`       | at once, by the position head                  | head's and the data's                     |
///  | `in_band`    | at once, by the data's own first word          | the data's                                |
///  | `batched<N>` | when N bytes (or items) have gathered, when    | the data's, and head's once in N          |
///  |              | the ring is full, or at `flush()`              |                                           |
struct each {
    static constexpr bool commits_in_band = false;
    static constexpr bool batches = false;
};

struct in_band {
    static constexpr bool commits_in_band = true;
    static constexpr bool batches = false;
};

/// @tparam Most bytes of records, or items, that gather before they are handed over
template <std::size_t Most>
struct batched {
    static_assert(Most > 0, "batched<0> hands nothing over: the size of a batch must be at least 1");
    static constexpr bool commits_in_band = false;
    static constexpr bool batches = true;
    static constexpr std::size_t most = Most;
};

/// Enough that a longer batch is hardly cheaper.
using batched_records = batched<2048>;
using batched_items = batched<64>;

} // namespace ringproof
