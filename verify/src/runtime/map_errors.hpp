// SPDX-License-Identifier: Apache-2.0
#pragma once
// How errors with mapped memory are told.

#include "runtime.hpp"

namespace ringproof::verify {

[[noreturn]] inline void no_room_for_layers(runtime& e, std::uintptr_t site) {
    e.fail_here(failure_kind::limit,
                "the program changes its mappings too often for the checker, or in too many places "
                "(vm.max_map_count bounds them)",
                site, 0);
}

inline failure failure_at(const thread_state& t, failure_kind kind, std::string message,
                          std::uintptr_t address, std::uintptr_t site) {
    failure f;
    f.kind = kind;
    f.message = std::move(message);
    f.thread = t.id;
    f.site = site;
    f.address = address;
    return f;
}

inline std::string access_text(const memory_range& part, bool write) {
    return std::string(write ? "write" : "read") + " of " + std::to_string(part.size()) + " bytes";
}

inline void name_other(failure& f, std::uint16_t thread, std::uint16_t index, std::uintptr_t site) {
    if (thread == mapped::nobody) return;
    f.races = true;
    f.other_thread = thread;
    f.other_index = index;
    f.other_site = site;
}

} // namespace ringproof::verify
