// SPDX-License-Identifier: Apache-2.0
#include "locations.hpp"

#include "counterexample.hpp"
#include "objects.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace ringproof::verify {
namespace {

using region = recorded_event::region;
using what = recorded_event::what;

bool is_allocated(const recorded_event& e) { return e.where == region::heap || e.where == region::mapped; }

/// Bytes that the event accesses; 0 where that says nothing, as of a lock.
std::uint64_t accessed(const recorded_event& e) {
    switch (e.kind) {
    case what::read:
    case what::write:
    case what::rmw:
    case what::plain_read:
    case what::plain_write:
        return e.word.empty() ? std::max<std::uint64_t>(e.whole, e.size) : 0;
    default:
        return 0;
    }
}

} // namespace

locations::locations(const std::vector<recorded_event>& history, const symbols& names) : names_(names) {
    for (const recorded_event& e : history)
        if (is_allocated(e)) made_[object(e)].insert(e.allocation);
}

/// Without a number; empty when the place is unknown.
std::string locations::object(const recorded_event& e) const {
    const made_object* const made = names_.object(e.allocated_at, e.allocated);
    if (made && !made->variable.empty()) return made->variable;
    const std::string at = short_position(names_.position(e.allocated_at));
    if (at.empty()) return "";
    if (made && !symbols::type_name(*made).empty()) return symbols::type_name(*made) + "@" + at;
    return (e.where == region::mapped ? "mmap@" : "new@") + at;
}

std::string locations::in_object(const recorded_event& e, std::uint64_t size) const {
    std::string name = object(e);
    if (name.empty()) return "";
    const auto all = made_.find(name);
    if (all != made_.end() && all->second.size() > 1)
        name += fmt::format("#{}", std::distance(all->second.begin(), all->second.find(e.allocation)) + 1);
    const made_object* const made = names_.object(e.allocated_at, e.allocated);
    return made ? made->member(name, {e.offset, size}) : fmt::format("{}+{:#x}", name, e.offset);
}

std::string locations::name(const recorded_event& e) const {
    if (e.where == region::nowhere) return "";
    const std::uint64_t size = accessed(e);
    if (std::string name = names_.variable(e.address, size); !name.empty()) return name;
    if (is_allocated(e))
        if (std::string name = in_object(e, size); !name.empty()) return name;
    switch (e.where) {
    case region::heap:
        return fmt::format("{}heap+{:#x}", e.other == 0 ? "" : thread_name(e.other) + ".", e.offset);
    case region::mapped:
        return fmt::format("mapped {:#x}", e.address);
    case region::stack:
        if (e.frame_site != 0)
            if (std::string name = names_.local(e.frame_site, e.frame_below, e.frame_above, size);
                !name.empty())
                return name;
        return fmt::format("{}.stack-{:#x}", thread_name(e.other), e.offset);
    case region::thread_storage:
        return fmt::format("{}.{}", thread_name(e.other), names_.variable(e.offset, size));
    default:
        return fmt::format("{:#x}", e.address);
    }
}

std::string copying_call(const source_position& at) {
    if (!at.known()) return "";
    const std::string statement = statement_at(at.file, at.line);
    for (const char* const call : {"memcpy", "memmove", "memset", "memcmp"})
        if (statement.find(call) != std::string::npos) return call;
    return "";
}

} // namespace ringproof::verify
