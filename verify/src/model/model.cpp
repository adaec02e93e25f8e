// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

namespace ringproof::verify {

std::uint32_t model::first_coherent(const graph& g, location_id l, const vector_clock& hb) {
    const auto& co = g.loc(l).co;
    for (auto i = static_cast<std::uint32_t>(co.size()); --i > 0;) {
        const event& w = g.at(co[i]);
        if (hb.includes(w.thread, w.index)) return i;
        for (event_id r = w.first_reader; r != none; r = g.at(r).next_reader)
            if (hb.includes(g.at(r).thread, g.at(r).index)) return i;
    }
    return 0;
}

void model::advance_synchronising(const graph& g, thread_clocks& thread, event& e) {
    if (e.is_read()) {
        thread.porf.join(g.at(e.rf).porf);
        if (e.mo != order::plain) thread.hb.join(g.at(e.rf).release);
    } else if (e.peer != none) {
        thread.porf.join(g.at(e.peer).porf);
        thread.hb.join(g.at(e.peer).hb);
    }
    thread.porf[e.thread] = thread.hb[e.thread] = static_cast<std::int16_t>(e.index);
    e.porf = thread.porf;
    e.hb = thread.hb;
    if (e.kind == event_kind::write && e.mo != order::plain) e.release = thread.hb;
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
