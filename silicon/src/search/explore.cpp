// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"
#include <ringproof/silicon/explore.hpp>

#include <algorithm>
#include <stdexcept>

namespace ringproof::silicon {
namespace {

class exploration {
  public:
    exploration(machine& program, const model& m, sink& to, way& by, found_totals& totals)
        : program_(program), model_(m), consistency_(m), sink_(to), way_(by), totals_(totals),
          known_(program.threads()) {}

    void all() {
        do {
            part_of_execution nothing;
            nothing.threads.resize(program_.threads());
            visit(std::move(nothing));
        } while (way_.again());
    }

  private:
    using thread_index = std::size_t;

    void visit(part_of_execution part) {
        sink_.working();
        if (!run_threads(part)) return;
        if (!may_stay_stuck(part)) return blocked();
        for (thread_index t = 0; t < part.threads.size(); ++t)
            if (part.threads[t].part->ran->how == run::end::asks) return choose(part, t);
        for (thread_index t = 0; t < part.threads.size(); ++t)
            if (const std::optional<std::size_t> w = first_unplaced(part, t)) return place(part, t, *w);
        if (!can_end(part)) return blocked();
        if (const std::optional<event_id> r = next_read(part)) return give_write(part, *r);
        complete(part);
    }
    void blocked() { ++totals_.blocked; }
    bool allowed(const part_of_execution& part, event_id changed) {
        ++totals_.parts;
        return consistency_.allows(part, changed);
    }
    /// Goes into those of the alternatives that the way takes: `go` with their numbers.
    template <class Go>
    void branch(const choice_place& at, std::size_t alternatives, const Go& go) {
        if (alternatives < 2) {
            if (alternatives == 1) go(0);
            return;
        }
        const auto count = static_cast<std::uint32_t>(alternatives);
        const auto [first, end] = way_.take(at, count);
        if (first >= end) return;
        way_.enter(first, end, count);
        do go(way_.taken());
        while (way_.next());
    }

    // ---- threads

    /// What a thread does when it is told this. Kept, because many parts of executions tell it the same.
    std::shared_ptr<const thread_part> part_of(thread_index thread, const history& past) {
        auto& known = known_[thread];
        const auto at = known.find(past);
        if (at != known.end()) return at->second;
        ++totals_.thread_runs;
        auto fresh = std::make_shared<thread_part>();
        fresh->ran = program_.run_thread(thread, past);
        fresh->order = model_.local_order(fresh->ran->events);
        constexpr std::size_t most_kept = 200'000;
        if (known.size() >= most_kept) known.clear();
        known.emplace(past, fresh);
        return fresh;
    }

    /// Until nobody learns a value any more. False if some thread cannot go on in this way.
    bool run_threads(part_of_execution& part) {
        for (bool more = true; more;) {
            more = false;
            for (thread_index t = 0; t < part.threads.size(); ++t) learn(part, t);
            for (thread_index t = 0; t < part.threads.size(); ++t) {
                if (!part.threads[t].told_more) continue;
                more = true;
                if (!run_thread(part, t)) return false;
            }
        }
        return true;
    }
    bool run_thread(part_of_execution& part, thread_index t) {
        auto& thread = part.threads[t];
        thread.told_more = false;
        thread.part = part_of(t, thread.past);
        const run::end how = thread.part->ran->how;
        totals_.cut = totals_.cut || how == run::end::cut;
        if (how == run::end::impossible || how == run::end::cut) {
            blocked();
            return false;
        }
        thread.reads.resize(thread.part->ran->events.size());
        thread.past.loaded.resize(thread.reads.size());
        return true;
    }
    /// The values of reads whose writes are known.
    void learn(part_of_execution& part, thread_index t) {
        auto& thread = part.threads[t];
        for (std::size_t i = 0; i < thread.reads.size(); ++i) {
            if (!thread.reads[i].from || thread.past.loaded[i]) continue;
            const std::optional<word> v = stored(part, *thread.reads[i].from, part.events(t)[i].address);
            if (!v) continue;
            thread.past.loaded[i] = v;
            thread.told_more = true;
        }
    }
    std::optional<word> stored(const part_of_execution& part, event_id write, std::uint64_t address) const {
        if (write.is_initial()) return program_.initial(address);
        return part.threads[static_cast<std::size_t>(write.thread)]
            .part->ran->stored[static_cast<std::size_t>(write.index)];
    }

    // ---- choices

    void choose(const part_of_execution& part, thread_index t) {
        const run& asks = *part.threads[t].part->ran;
        const choice_place at{choice_place::kind::of_thread, static_cast<std::uint32_t>(t), asks.asks_at};
        branch(at, asks.alternatives, [&](std::size_t k) {
            part_of_execution next = part;
            next.threads[t].past.chosen.emplace_back(asks.asks_at, static_cast<std::uint32_t>(k));
            next.threads[t].told_more = true;
            visit(std::move(next));
        });
    }

    /// Skips what is no write. The index of the first write that has no place yet.
    std::optional<std::size_t> first_unplaced(part_of_execution& part, thread_index t) const {
        auto& thread = part.threads[t];
        const thread_events& events = part.events(t);
        while (thread.placed < events.size() && !events[thread.placed].is_write) ++thread.placed;
        if (thread.placed == events.size()) return std::nullopt;
        return thread.placed;
    }
    void place(part_of_execution& part, thread_index t, std::size_t write) {
        const event_id id{static_cast<std::int32_t>(t), static_cast<std::int32_t>(write)};
        auto& writes = part.order[part.events(t)[write].address];
        writes.insert(writes.begin(), {id, part.time++});
        ++part.threads[t].placed;
        std::vector<std::size_t> places;
        std::size_t at = 0;
        const auto move_to = [&](std::size_t k) {
            for (; at < k; ++at) std::swap(writes[at], writes[at + 1]);
            for (; at > k; --at) std::swap(writes[at], writes[at - 1]);
        };
        for (std::size_t k = 0; k < writes.size(); ++k) {
            move_to(k);
            if (allowed(part, id)) places.push_back(k);
        }
        const choice_place choice{choice_place::kind::place_of_write, static_cast<std::uint32_t>(t),
                                  static_cast<std::uint32_t>(write)};
        branch(choice, places.size(), [&](std::size_t n) {
            move_to(places[n]);
            visit(part);
        });
    }

    void give_write(part_of_execution& part, event_id read) {
        auto& state =
            part.threads[static_cast<std::size_t>(read.thread)].reads[static_cast<std::size_t>(read.index)];
        std::vector<event_id> writes;
        for (const event_id write : candidates(part, read)) {
            state.from = write;
            if (allowed(part, read)) writes.push_back(write);
        }
        state.from.reset();
        const bool may_wait = may_put_off(part, read);
        const choice_place choice{choice_place::kind::write_of_read, static_cast<std::uint32_t>(read.thread),
                                  static_cast<std::uint32_t>(read.index)};
        branch(choice, writes.size() + may_wait, [&](std::size_t n) {
            if (n < writes.size()) {
                state.from = writes[n];
                return visit(part);
            }
            state.from.reset();
            state.off = part.time;
            visit(std::move(part));
        });
    }

    // ---- whole executions

    void complete(const part_of_execution& part) {
        bool hangs = false;
        for (thread_index t = 0; t < part.threads.size(); ++t) {
            const run::end how = part.threads[t].part->ran->how;
            bool known = how == run::end::finished || how == run::end::stuck;
            hangs = hangs || how == run::end::stuck;
            for (std::size_t i = 0; i < part.threads[t].reads.size(); ++i)
                known = known && (!part.events(t)[i].is_read || part.threads[t].past.loaded[i]);
            if (!known) throw std::logic_error("the model allows values that only justify each other");
        }
        if (hangs && !sink_.hung(part)) return blocked();
        ++totals_.executions;
        if (!hangs) sink_.found(part);
    }

    machine& program_;
    const model& model_;
    consistency consistency_;
    sink& sink_;
    way& way_;
    found_totals& totals_;
    std::vector<std::map<history, std::shared_ptr<const thread_part>>> known_;
};

} // namespace

found_totals explore(machine& program, const model& m, sink& to) {
    way all;
    return explore(program, m, to, all);
}
found_totals explore(machine& program, const model& m, sink& to, way& by) {
    found_totals totals;
    explore(program, m, to, by, totals);
    return totals;
}
void explore(machine& program, const model& m, sink& to, way& by, found_totals& totals) {
    exploration(program, m, to, by, totals).all();
}

} // namespace ringproof::silicon
