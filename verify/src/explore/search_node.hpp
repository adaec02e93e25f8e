// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the search keeps of where it can go another way, and of what a revisit takes away.

#include "../graph/graph.hpp"
#include "../runtime/images.hpp"

namespace ringproof::verify {

enum class node_kind : std::uint8_t { read, write, place, choice, interrupt };
/// Of an option or a revisit: the read is of a weak compare-exchange that fails although it sees what it expects.
inline constexpr event_id fails_spuriously = 0x8000'0000;
/// A point of the search with more than one way on.
struct search_node {
    node_kind kind = node_kind::read;
    thread_id thread = 0;
    std::uint32_t graph_size = 0, stamp = 0;
    std::uint32_t options_begin = 0, options_end = 0, option = 0;
    std::uint32_t revisits_begin = 0, revisits_end = 0, revisit = 0;
    std::uint32_t frame = none; ///< explorer's frames_: of the revisit that is being explored
    std::uint32_t given = 0;    ///< ways, the last ones, that another process has
    // place: the read that is to read from the write.
    thread_id reader = 0;
    bool reader_fails = false; ///< it is a weak compare-exchange that fails spuriously
    std::uint32_t reader_stamp = 0, reader_node = none;
    std::size_t log = 0, pool = 0;
    saved_state state;
};
/// What a revisit took off the graph.
struct taken_off {
    std::uint32_t base = 0; ///< size of the graph that stayed
    std::size_t states = 0; ///< kept_states before it
    std::size_t events = 0, changes = 0, base_log = 0;
};
/// The program's state before an event that a revisit has kept, which has no node.
struct kept_state {
    saved_state state;
    std::size_t log = 0;
};
/// Of an event's node: it is a kept_state.
inline constexpr std::uint32_t kept_bit = 0x8000'0000;

/// An event that a revisit keeps.
struct kept_event {
    event_id old;
    event_id now = none;   ///< its id once it is back
    event_id rf = none;    ///< read: the old id of the write
    event_id after = none; ///< write: the old id of its nearest co-predecessor that is there before it
    event_kind kind = event_kind::init;
    bool spurious = false;
    thread_id thread = 0;
    std::uint32_t index = 0;
    std::uint32_t stamp = 0;
    std::uintptr_t address = 0; ///< of an access
    value_t value = 0;
};

} // namespace ringproof::verify
