// SPDX-License-Identifier: Apache-2.0
#include "request_kinds.hpp"

#include <iterator>

namespace ringproof::verify {
namespace {

using kind = event_kind;
using what = recorded_event::what;
constexpr bool no = false, yes = true;

} // namespace

// Begin and end of a thread have no handler attached; what a read-modify-write writes belongs to what it reads.
// clang-format off
constexpr request_kind request_kinds[] = {
    //                    name                        event         reads writes access repeat place at once orders              shown
    {action::nothing,     "nothing",                  kind::fence,     no,  no,  no,  no,  no,  no,  ordering::all,      what::failure},
    {action::load,        "an atomic load",           kind::read,      yes, no,  yes, yes, yes, no,  ordering::of_read,  what::read},
    {action::store,       "an atomic store",          kind::write,     no,  yes, yes, yes, yes, no,  ordering::of_write, what::write},
    {action::modify,      "a read-modify-write",      kind::read,      yes, no,  yes, yes, yes, no,  ordering::of_both,  what::rmw},
    {action::compare,     "a compare-exchange",       kind::read,      yes, no,  yes, yes, yes, no,  ordering::of_both,  what::rmw},
    {action::write_part,  "a read-modify-write",      kind::write,     no,  yes, no,  no,  no,  no,  ordering::all,      what::failure},
    {action::update,      "a read-modify-write",      kind::write,     no,  yes, yes, no,  no,  no,  ordering::of_both,  what::rmw},
    {action::fence,       "a fence",                  kind::fence,     no,  no,  no,  no,  yes, yes, ordering::of_both,  what::failure},
    {action::plain_write, "a write",                  kind::write,     no,  no,  no,  no,  no,  no,  ordering::free,     what::failure},
    {action::create,      "a new thread",             kind::create,    no,  no,  no,  no,  yes, yes, ordering::all,      what::failure},
    {action::begin,       "its beginning",            kind::begin,     no,  no,  no,  no,  no,  no,  ordering::all,      what::failure},
    {action::join,        "a thread's end",           kind::join,      no,  no,  no,  no,  yes, yes, ordering::all,      what::failure},
    {action::end,         "its end",                  kind::end,       no,  no,  no,  no,  no,  no,  ordering::all,      what::failure},
    {action::lock,        "a lock",                   kind::read,      yes, no,  yes, yes, yes, no,  ordering::all,      what::lock_busy},
    {action::try_lock,    "a lock, if it is free",    kind::read,      yes, no,  yes, yes, yes, no,  ordering::all,      what::failure},
    {action::unlock,      "to unlock",                kind::write,     no,  yes, yes, no,  yes, no,  ordering::all,      what::failure},
    {action::choose,      "a choice",                 kind::choice,    no,  no,  no,  no,  no,  no,  ordering::free,     what::failure},
    {action::sleep,       "to sleep",                 kind::wake,      no,  no,  no,  no,  no,  no,  ordering::all,      what::failure},
    {action::wake,        "to wake others",           kind::wake,      no,  no,  no,  no,  yes, no,  ordering::all,      what::failure},
    {action::point,       "a place for a handler",    kind::interrupt, no,  no,  no,  no,  yes, no,  ordering::free,     what::failure},
    {action::block,       "to be blocked",            kind::fence,     no,  no,  no,  no,  no,  no,  ordering::all,      what::failure},
    {action::fail,        "to fail",                  kind::fence,     no,  no,  no,  no,  no,  no,  ordering::all,      what::failure},
};
// clang-format on

namespace {

constexpr bool rows_are_in_order() {
    for (std::size_t i = 0; i < std::size(request_kinds); ++i)
        if (static_cast<std::size_t>(request_kinds[i].act) != i) return false;
    return true;
}
static_assert(rows_are_in_order() && std::size(request_kinds) == static_cast<std::size_t>(action::fail) + 1);

} // namespace

} // namespace ringproof::verify
