// SPDX-License-Identifier: Apache-2.0
#pragma once
// From what a user calls an event to what the kernel calls it.
#include <string>
#include <string_view>
#include <vector>

#include <linux/perf_event.h>

namespace ringproof::record_command {

/// What is written of a perf_event_attr, to the kernel and to a file; larger ones are refused by older readers.
inline constexpr unsigned attribute_size = PERF_ATTR_SIZE_VER7;

/// An event as asked for: type, config and what is excluded are set in `attr`, nothing else.
struct named_event {
    std::string name;
    perf_event_attr attr{};
};

/// "page-faults", "cpu-clock:u", "sched:sched_switch". @throws std::invalid_argument with what could be meant;
/// std::system_error when a tracepoint may not be looked up
[[nodiscard]] named_event parse_event(std::string_view text);

/// Several, with commas between them.
[[nodiscard]] std::vector<named_event> parse_events(std::string_view text);

/// What `--list` shows.
[[nodiscard]] std::vector<std::string_view> known_events();

} // namespace ringproof::record_command
