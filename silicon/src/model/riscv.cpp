// SPDX-License-Identifier: Apache-2.0
// RVWMO as the RISC-V instruction set manual defines it: what a hart preserves of its program order. The rules have
// the names of litmus/models/riscv.cat, whose interpretation is this file's judge.
#include <ringproof/silicon/model.hpp>

namespace ringproof::silicon {
namespace {

class hart {
  public:
    explicit hart(const thread_events& events) : events_(events) {}

    bool ordered(std::size_t a, std::size_t b) const {
        if (!po(a, b)) return false;
        const event &first = events_[a], &second = events_[b];
        return (access(a) && second.is_write && same_location(events_, a, b)) || fenced(a, b) ||
               (acquires(first) && access(b)) || (access(a) && releases(second)) ||
               (consistent(first) && consistent(second)) || second.rmw_read == static_cast<int>(a) ||
               depends(a, b);
    }
    /// Two reads of a location with no write between: if they read different writes, they are ordered.
    bool next_read(std::size_t a, std::size_t b) const {
        if (!events_[a].is_read || !events_[b].is_read || !po(a, b) || !same_location(events_, a, b))
            return false;
        for (std::size_t between = a; between < b; ++between)
            if (events_[between].is_write && same_location(events_, between, b)) return false;
        return true;
    }
    bool flows_into(std::size_t a, std::size_t write) const {
        return dependency(&event::address_from, a, write) || dependency(&event::data_from, a, write);
    }
    /// An atomic operation, or the store of a pair.
    bool is_atomic_write(std::size_t w) const {
        const event& e = events_[w];
        return e.is_write && e.atomic;
    }

  private:
    bool po(std::size_t a, std::size_t b) const { return in_program_order(events_, a, b); }
    bool access(std::size_t i) const { return events_[i].is_read || events_[i].is_write; }
    static bool acquires(const event& e) { return (e.is_read || e.is_write) && e.acquire; }
    static bool releases(const event& e) { return (e.is_read || e.is_write) && e.release; }
    static bool consistent(const event& e) { return e.atomic && (e.acquire || e.release); }

    bool dependency(index_set event::*from, std::size_t a, std::size_t b) const {
        return (events_[b].*from).contains(a) && events_[a].instruction != events_[b].instruction;
    }
    bool depends(std::size_t a, std::size_t b) const {
        const event& to = events_[b];
        if (access(b) && dependency(&event::address_from, a, b)) return true;
        if (!to.is_write) return false;
        if (dependency(&event::data_from, a, b) || dependency(&event::control_from, a, b)) return true;
        for (std::size_t m = a + 1; m < b; ++m)
            if (access(m) && dependency(&event::address_from, a, m) && po(m, b)) return true;
        return false;
    }
    bool orders(const barrier& f, std::size_t a, std::size_t b) const {
        const event &first = events_[a], &second = events_[b];
        return (first.is_read && ((f.read_read && second.is_read) || (f.read_write && second.is_write))) ||
               (first.is_write && ((f.write_read && second.is_read) || (f.write_write && second.is_write)));
    }
    bool fenced(std::size_t a, std::size_t b) const {
        for (std::size_t f = a + 1; f < b; ++f)
            if (po(a, f) && po(f, b) && orders(events_[f].fence, a, b)) return true;
        return false;
    }

    const thread_events& events_;
};

class riscv_model final : public model {
  public:
    std::string_view name() const override { return "riscv"; }

    relation local_order(const thread_events& events) const override {
        const hart h(events);
        relation r(events.size());
        for (std::size_t a = 0; a < events.size(); ++a)
            for (std::size_t b = a + 1; b < events.size(); ++b)
                if (h.ordered(a, b)) r.add(a, b);
        return r;
    }

    bool orders_by_reads() const override { return true; }
    std::vector<std::pair<std::size_t, std::size_t>>
    order_by_reads(const thread_events& events, std::int32_t thread,
                   const std::vector<std::optional<event_id>>& from) const override {
        const hart h(events);
        std::vector<std::pair<std::size_t, std::size_t>> order;
        for (std::size_t r = 0; r < events.size(); ++r) {
            if (!from[r]) continue;
            for (std::size_t a = 0; a < r; ++a)
                if (from[a] && *from[a] != *from[r] && h.next_read(a, r)) order.emplace_back(a, r);
            if (from[r]->thread != thread) continue;
            const auto write = static_cast<std::size_t>(from[r]->index);
            if (h.is_atomic_write(write)) order.emplace_back(write, r);
            for (std::size_t a = 0; a < write; ++a)
                if (h.flows_into(a, write)) order.emplace_back(a, r);
        }
        return order;
    }
};

} // namespace

const model& riscv() {
    static const riscv_model one;
    return one;
}

} // namespace ringproof::silicon
