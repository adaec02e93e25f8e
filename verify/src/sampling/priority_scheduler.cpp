// SPDX-License-Identifier: Apache-2.0
#include "priority_scheduler.hpp"

namespace ringproof::verify {

void priority_scheduler::add_write(thread_id t, location_id l) {
    if (program_.thread(t).what.act != action::write_part && order_.change_here()) return demote(t);
    explorer_.races().check_races(t, true);
    explorer_.add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), execution_.next_stamp());
}

void priority_scheduler::add_read(thread_id t, location_id l) {
    if (order_.change_here() && change_read(t, l)) return;
    explorer_.add_read(t, graph_.loc(l).co.back(), true, execution_.next_stamp(), none);
}

/// Lets the pending read of `t` fail, or be of an older write, or `t` wait. @return whether that is done
bool priority_scheduler::change_read(thread_id t, location_id l) {
    thread_state& th = program_.thread(t);
    const action act = th.what.act;
    const std::vector<event_id>& co = graph_.loc(l).co;
    if (act == action::compare && execution_.may_fail(th, graph_.at(co.back()).value) &&
        order_.below(2) == 0) {
        explorer_.add_read(t, co.back(), true, execution_.next_stamp(), none, true);
        return true;
    }
    const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
    if ((act != action::load && act != action::compare) || first + 1 >= co.size()) {
        demote(t);
        return true;
    }
    const event_id older = co[first + order_.below(co.size() - 1 - first)];
    if (exclusive(th.what, graph_.at(older).value)) return false;
    const thread_state before = th;
    if (explorer_.add_read(t, older, false, execution_.next_stamp(), none)) return true;
    graph_.pop();
    th = before;
    return false;
}

} // namespace ringproof::verify
