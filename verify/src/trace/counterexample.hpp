// SPDX-License-Identifier: Apache-2.0
#pragma once
// A refuting execution in words: what happened in which order, where in the source, and what went wrong.

#include "symbols.hpp"

#include <ringproof/verify/explore.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringproof::verify {

struct shown_event {
    static constexpr std::size_t nowhere = ~std::size_t{0};
    recorded_event::what kind = recorded_event::what::read;
    std::uint16_t thread = 0;
    std::uint8_t depth = 0; ///< within so many handlers
    std::string order;      ///< empty: has none
    std::string location;   ///< empty: has none
    std::string value;      ///< empty: has none, or never had
    std::string label;      ///< the event for people: "store ready := 1, release"
    source_position source;
    std::vector<source_position> callers; ///< of a culprit: from where `source` was called, innermost first
    std::size_t rf = nowhere;             ///< read: id of the write it reads from
    bool from_initial = false;
    std::size_t misses =
        nowhere;          ///< read: id of the newest write that came before it and that it does not see
    std::uint32_t co = 0; ///< write: its place in the coherence order of its location
    bool culprit = false;
};

struct counterexample {
    std::string kind; ///< "race", "assertion", "deadlock" …
    std::string message;
    std::vector<shown_event> events; ///< an event's id is its place, from 1
    using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    pairs po, rf, co, fr, sw; ///< of ids; po, co and fr are immediate
    std::string replay;       ///< token
};

/// "race" for a data race, and so on.
std::string_view kind_name(failure_kind kind);
/// "read", "rmw", "fence" …
std::string_view kind_name(recorded_event::what kind);
/// "main", "T1" …
std::string thread_name(std::uint16_t thread);

counterexample explain(const exploration_result& result, memory_model model, const symbols& names);

/// The path as people write it: relative to the working folder when it lies below.
std::string short_path(const std::string& path);
/// "ring.hpp:57", or empty
std::string short_position(const source_position& position);
/// "called from ring.hpp:57, main.cpp:5"
std::string called_from(const std::vector<source_position>& callers);

/// What each stale read sees and misses, a line each; empty where no read is stale.
std::string stale_text(const counterexample& example);

/// The events in one column per thread, in execution order.
/// @param all every event, however many
std::string columns(const counterexample& example, bool all);

} // namespace ringproof::verify
