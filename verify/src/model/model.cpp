// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include "searched.hpp"

namespace ringproof::verify {
namespace {
std::string_view searched;
} // namespace

void note_searched_model(std::string_view name) { searched = name; }
std::string_view searched_model() { return searched; }

template <class Clock>
std::uint32_t model::first_coherent(const graph& g, location_id l, Clock hb) {
    const auto& co = g.loc(l).co;
    for (auto i = static_cast<std::uint32_t>(co.size()); --i > 0;) {
        const event& w = g.at(co[i]);
        if (hb.includes(w.thread, w.index)) return i;
        for (event_id r = w.first_reader; r != none; r = g.at(r).next_reader)
            if (hb.includes(g.at(r).thread, g.at(r).index)) return i;
    }
    return 0;
}

template std::uint32_t model::first_coherent(const graph&, location_id, thread_clock);
template std::uint32_t model::first_coherent(const graph&, location_id, event_clock);

void model::advance_synchronising(const graph& g, thread_clocks& thread, event& e) {
    const bool releases = e.kind == event_kind::write && e.mo != order::plain;
    const event_id from = e.is_read() ? e.rf : e.peer;
    if (from == none) {
        thread.reach<event_clock, event_clock>(e, nullptr, nullptr, releases);
    } else {
        const event_clock porf = g.at(from).porf();
        const event_clock hb = e.is_read() ? g.at(from).release() : g.at(from).hb();
        thread.reach(e, &porf, e.is_read() && e.mo == order::plain ? nullptr : &hb, releases);
    }
    if (e.kind == event_kind::write && !releases) e.release().clear();
    if (e.update) continue_release(g, e);
}

void model::join_whole(thread_clocks& thread, event& e, const event& last) const {
    thread.porf().join(last.porf());
    if (e.mo != order::plain) thread.hb().join(last.release());
    e.porf().copy(thread.porf());
    e.hb().copy(thread.hb());
}

std::unique_ptr<model> make_model(memory_model which) {
    switch (which) {
    case memory_model::sc:
        return make_sc();
    case memory_model::tso:
        return make_tso();
    case memory_model::ra:
        return make_ra();
    case memory_model::rc11:
        break;
    }
    return make_rc11();
}

} // namespace ringproof::verify
