// SPDX-License-Identifier: Apache-2.0
// Threads that are stopped for ever, for LINEARIZABLE's promises of progress. To the engine this is program text: behind each
// write of such a thread there is a choice, and one way of it ends the thread where it stands. Its stack is not unwound, its
// locks stay taken. So whatever is sound for programs with choices is sound here.
//
// Why behind writes alone. Let a thread be stopped somewhere else, in an execution in which another one waits for ever.
// Take away what the stopped thread did behind its latest write. Nothing of it is read by others, and an execution without
// it is consistent if the whole one is: models are closed under prefixes of threads. What the others read, and what is newest
// of each location, stays as it is; so they wait for ever there, too. Before its first write the thread might not
// be there at all: another client. A read-modify-write that leaves the value as it was is such a read. A plain write can be
// seen by others, without a race, only behind a later write of the same thread that they acquire.
//
// A thread that may not be stopped makes a choice of one. So a loop that changes memory and takes the change back is never
// taken for one without effect, in no thread: two threads that hinder each other for ever are an execution without end,
// which bounds end, and the verdict is inconclusive. Without that the reductions of such loops would leave it out.

#include "call_steps.hpp"
#include "runtime.hpp"

namespace ringproof::verify {
namespace {

unsigned most_steps = 0; // of the search that this process makes
std::function<std::string()> about_steps;
const char mark = 0; // its address is where calls begin

std::uintptr_t mark_site() { return reinterpret_cast<std::uintptr_t>(&mark); }

/// Requests of `t` since its call began, without the choices behind writes, which are no steps of the program's. The write of a
/// read-modify-write is an event of its own, and no step.
unsigned steps_since_mark(const graph& g, const thread_state& t) {
    unsigned steps = 0;
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = g.at(g.in_thread(t.id, i));
        if (e.kind == event_kind::choice && e.site == mark_site()) break;
        const bool second_half = e.kind == event_kind::write && e.rmw;
        steps += e.kind != event_kind::choice && e.mo != order::plain && !second_half;
    }
    return steps;
}

/// Whether a read-modify-write of what holds `old` leaves it there.
bool leaves(rmw_op op, value_t old, value_t operand) {
    switch (op) {
    case rmw_op::exchange:
        return operand == old;
    case rmw_op::add:
    case rmw_op::sub:
    case rmw_op::bit_xor:
        return operand == 0;
    case rmw_op::bit_and:
        return (old & operand) == old;
    case rmw_op::bit_or:
        return (old | operand) == old;
    case rmw_op::bit_nand:
        return false;
    }
    return false;
}

bool takes(const request& what, value_t seen) {
    value_t next = seen;
    return what.rule ? what.rule(seen, what.operand, next) != going::wait : seen == 0;
}

/// Whether others can tell that `t` has done `what`. Told by the request, for a trial adds no event.
bool changes_memory(const thread_state& t, const request& what) {
    switch (what.act) {
    case action::store:
    case action::unlock:
    case action::wake:
    case action::create:
    case action::lock:
        return true;
    case action::try_lock:
        return takes(what, t.result);
    case action::compare:
        return !t.failed_spuriously && t.result == what.expected && what.operand != what.expected;
    case action::modify: // what a commuting update has seen is not known
        return what.rule || t.what.act == action::update || !leaves(what.op, t.result, what.operand);
    default:
        return false;
    }
}

} // namespace

void bound_calls(unsigned most, std::function<std::string()> about) {
    most_steps = most;
    about_steps = std::move(about);
}
unsigned steps_of_a_call() { return most_steps; }

void mark_call() {
    request begin;
    begin.act = action::choose;
    begin.operand = 1;
    begin.word = stop_or_go;
    begin.site = mark_site();
    runtime::active()->visible(begin);
}

void runtime::let_stop(stopping how, unsigned writes) {
    thread_state& t = program_.self();
    tells_apart(t); // from threads that may do other things
    t.stops = how;
    t.writes_left = static_cast<std::uint16_t>(writes);
}

/// Behind `what` of the running thread.
void runtime::stop_behind(const request& what) {
    thread_state& t = program_.self();
    if (most_steps != 0 && what.act != action::choose && steps_since_mark(graph_, t) > most_steps) {
        std::string message;
        {
            const inside engine;
            message = about_steps();
        }
        fail_here(failure_kind::assertion, message + "one step too many", what.site, what.address);
    }
    if (!changes_memory(t, what)) return;
    const value_t result = t.result;
    const bool failed_spuriously = t.failed_spuriously;
    const bool last = t.stops == stopping::possible && t.writes_left != 0 && --t.writes_left == 0;
    request stop;
    stop.act = action::choose;
    stop.operand = t.stops == stopping::possible && !last ? 2 : 1;
    stop.word = stop_or_go;
    stop.site = what.site;
    if (visible(stop) != 0 || last) {
        request end;
        end.act = action::end;
        end.word = stopped_for_ever;
        end.site = what.site;
        visible(end);
        std::terminate(); // never resumed
    }
    t.result = result;
    t.failed_spuriously = failed_spuriously;
}

} // namespace ringproof::verify
