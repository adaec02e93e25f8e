// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads of a few steps, written in a test: a machine without instructions.

#include <ringproof/silicon/explore.hpp>
#include <ringproof/silicon/machine.hpp>

#include <set>

namespace ringproof::silicon::toy {

struct step {
    enum class kind { read, write, branch, barrier, choice } what = kind::read;
    std::uint64_t address = 0;
    std::uint64_t value = 0; ///< written; of a branch: the value with which the thread ends here
    int from = -1;           ///< the read, by its place among the steps, whose value is added, or decides
    event more;              ///< acquire, release, fence, rmw_read
};

inline step read(std::uint64_t address) { return {step::kind::read, address, 0, -1, {}}; }
inline step write(std::uint64_t address, std::uint64_t value, int from = -1) {
    return {step::kind::write, address, value, from, {}};
}
/// The thread ends here if the read's value is `value`.
inline step end_if(int from, std::uint64_t value) { return {step::kind::branch, 0, value, from, {}}; }
inline step full_barrier() {
    step s{step::kind::barrier, 0, 0, -1, {}};
    s.more.fence = {true, true, true, true, false};
    return s;
}
/// The thread ends here, or not.
inline step end_or_not() { return {step::kind::choice, 0, 0, -1, {}}; }

class machine final : public silicon::machine {
  public:
    explicit machine(std::vector<std::vector<step>> code) : code_(std::move(code)) {}
    std::size_t threads() const override { return code_.size(); }
    word initial(std::uint64_t) const override { return {}; }

    std::shared_ptr<const run> run_thread(std::size_t thread, const history& past) override {
        auto r = std::make_shared<run>();
        std::vector<std::size_t> event_of(code_[thread].size());
        index_set control;
        std::uint32_t place = 0;
        for (std::size_t k = 0; k < code_[thread].size(); ++k) {
            const step& s = code_[thread][k];
            const std::size_t source = s.from < 0 ? 0 : event_of[static_cast<std::size_t>(s.from)];
            const auto loaded = [&]() -> std::optional<word> {
                if (s.from < 0) return word{};
                return source < past.loaded.size() ? past.loaded[source] : std::nullopt;
            }();
            if (s.what == step::kind::branch) {
                control.insert(source);
                if (!loaded) {
                    r->how = run::end::waits;
                    r->waits_for.insert(source);
                    return r;
                }
                if (loaded->low == s.value) return r;
                continue;
            }
            if (s.what == step::kind::choice) {
                if (past.chosen.size() <= place) {
                    r->how = run::end::asks;
                    r->asks_at = place;
                    r->alternatives = 2;
                    return r;
                }
                if (past.chosen[place++].second == 0) return r;
                continue;
            }
            event e = s.more;
            e.is_read = s.what == step::kind::read;
            e.is_write = s.what == step::kind::write;
            e.address = s.address;
            e.instruction = static_cast<std::uint32_t>(k + 1);
            e.control_from = control;
            e.picked_control = control;
            if (s.from >= 0) e.data_from.insert(source);
            e.picked_data = e.data_from;
            event_of[k] = r->events.size();
            r->events.push_back(e);
            r->stored.push_back(e.is_write && loaded ? std::optional<word>({loaded->low + s.value, 0})
                                                     : std::nullopt);
        }
        return r;
    }

  private:
    std::vector<std::vector<step>> code_;
};

/// Its threads have run as far as they can; nothing has been chosen.
inline part_of_execution started(std::vector<std::vector<step>> code) {
    machine m(std::move(code));
    part_of_execution part;
    part.threads.resize(m.threads());
    for (std::size_t t = 0; t < m.threads(); ++t) {
        auto of = std::make_shared<thread_part>();
        of->ran = m.run_thread(t, {});
        of->order = armv8().local_order(of->ran->events);
        part.threads[t].part = of;
        part.threads[t].reads.resize(of->ran->events.size());
        part.threads[t].past.loaded.resize(of->ran->events.size());
    }
    return part;
}

/// What the reads of each execution return, thread after thread; how many executions have it.
class outcomes final : public sink {
  public:
    void found(const part_of_execution& x) override {
        std::vector<std::uint64_t> values;
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            for (std::size_t i = 0; i < x.threads[t].reads.size(); ++i)
                if (x.events(t)[i].is_read) values.push_back(x.threads[t].past.loaded[i]->low);
        all.insert(values);
    }
    bool has(const std::vector<std::uint64_t>& values) const { return all.count(values) != 0; }
    std::multiset<std::vector<std::uint64_t>> all;
};

inline outcomes explored(std::vector<std::vector<step>> code, found_totals* totals = nullptr) {
    machine m(std::move(code));
    outcomes o;
    const found_totals t = explore(m, armv8(), o);
    if (totals) *totals = t;
    return o;
}

} // namespace ringproof::silicon::toy
