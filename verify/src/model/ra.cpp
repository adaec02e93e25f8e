// SPDX-License-Identifier: Apache-2.0
// Release/acquire (Lahav, Giannarakis, Vafeiadis, "Taming release-acquire consistency", POPL 2016; the plain RA, not
// their SRA): hb = (po ∪ rf)+, irreflexive(hb;eco?), atomicity. Every store releases and every load acquires, whatever
// order it asks for, and seq_cst is no more than that: there is no psc. Fences add nothing to it, as everything
// synchronises already. Only rf between atomics counts into hb: plain accesses race, as under sc and tso.

#include "model.hpp"

namespace ringproof::verify {
namespace {

class ra final : public model {
  public:
    std::string_view name() const override { return "ra"; }

    void advance(const graph& g, thread_clocks& thread, event& e) const override {
        advance_synchronising(g, thread, e);
    }

    bool may_commute(order) const override { return false; } // an order of three may be forbidden

    /// hb-coherence, which the caller has seen to, and atomicity, which holds in each graph that it makes, are all.
    bool consistent(const graph&, event_id) const override { return true; }
};

} // namespace

std::unique_ptr<model> make_ra() { return std::make_unique<ra>(); }

} // namespace ringproof::verify
