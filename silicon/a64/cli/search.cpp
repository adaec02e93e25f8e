// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include "passes.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::silicon::a64 {
namespace {

// Ends of a search before its end.
struct limited {};
struct refuted {};

const traced_run& run_of(const part_of_execution& x, std::size_t thread) {
    return static_cast<const traced_run&>(*x.threads[thread].part->ran);
}

/// "0x2a", of an access that has a value of a register's size.
std::string value_text(const event& e, const std::vector<std::optional<word>>& loaded,
                       const std::vector<std::optional<word>>& stored, std::size_t index) {
    const auto& all = e.is_read ? loaded : stored;
    if (e.bytes > 8 || index >= all.size() || !all[index].has_value()) return "";
    return fmt::format("{:#x}", all[index].value_or(word{}).low);
}

class looks final : public sink {
  public:
    looks(program& p, const search_order& order, findings& into, const part_search& how)
        : program_(p), order_(order), into_(into), how_(how) {}

    void found(const part_of_execution& x) override {
        count(x);
        look_for_failure(x);
    }
    /// When main() ends, the program does, whatever other threads wait for.
    bool hung(const part_of_execution& x) override {
        look_for_failure(x);
        if (run_of(x, 0).how == run::end::finished) return count(x), true;
        const std::vector<shown_wait> waits = waits_of(x);
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            if (run_of(x, t).bounded) return into_.bounded = true, false; // it is woken by its time
        if (!order_.hangs_fail) {
            if (into_.hang.empty()) into_.hang = waits.front().place;
            return false;
        }
        refute(x, hang_text(x), waits);
        return false;
    }
    void working() override { how_.working(); }

  private:
    void count(const part_of_execution& x) {
        const std::uint64_t now = how_.one_execution();
        if (order_.most_executions != 0 && now > order_.most_executions) throw limited{};
        ++into_.executions;
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            into_.early_left_out = into_.early_left_out || run_of(x, t).early_left_out;
        if (into_.complete.size() < order_.shown) into_.complete.push_back(shown(x));
    }
    void look_for_failure(const part_of_execution& x) {
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            if (!run_of(x, t).failure.empty()) return refute(x, run_of(x, t).failure, {});
    }
    /// Ends the search, unless a shorter execution is looked for.
    void refute(const part_of_execution& x, const std::string& why, const std::vector<shown_wait>& waits) {
        ++into_.failing;
        std::vector<shown_access> all = shown(x);
        if (into_.failure.empty() || all.size() < into_.accesses) {
            into_.failure = why;
            into_.waits = waits;
            into_.accesses = all.size();
            into_.shown = std::move(all);
            into_.failing_execution = std::make_shared<part_of_execution>(x);
            into_.token = encode({program_.fingerprint(), program_.learnt_so_far(), how_.by.path()});
        }
        if (!order_.shortest) throw refuted{};
    }
    /// The first cause: who waits for the end of a thread waits for what that thread waits for.
    static std::string hang_text(const part_of_execution& x) {
        const auto any = [&](waiting what) {
            for (std::size_t t = 0; t < x.threads.size(); ++t)
                if (run_of(x, t).how == run::end::stuck && run_of(x, t).waits == what) return true;
            return false;
        };
        if (any(waiting::condition))
            return "lost wake-up: a thread waits for ever on a condition variable that no thread will signal";
        if (any(waiting::read_write_lock))
            return "deadlock: a thread waits for a read-write lock that no one will unlock";
        if (any(waiting::mutex)) return "deadlock: a thread waits for a mutex that no one will unlock";
        if (any(waiting::loop)) return "a loop never ends: no thread will write what it waits for";
        return "deadlock: a thread waits for the end of a thread that does not end";
    }
    std::vector<shown_wait> waits_of(const part_of_execution& x) const {
        std::vector<shown_wait> all;
        for (std::size_t t = 0; t < x.threads.size(); ++t) {
            const traced_run& ran = run_of(x, t);
            if (ran.how != run::end::stuck || ran.waits == waiting::nothing) continue;
            std::string what, place;
            ran.waits_for.each([&](std::size_t read) {
                if (place.empty()) place = program_.place_text(ran, read);
                const std::string where = program_.location_text(ran.events[read].address);
                if (what.find(where) == std::string::npos) what += (what.empty() ? "" : ", ") + where;
            });
            all.push_back({t, place.empty() ? "a loop without accesses of shared memory" : place, what});
        }
        return all;
    }
    std::vector<shown_access> shown(const part_of_execution& x) const {
        std::vector<shown_access> all;
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            for (std::size_t i = 0; i < x.events(t).size(); ++i) all.push_back(shown(x, t, i));
        return all;
    }
    shown_access shown(const part_of_execution& x, std::size_t t, std::size_t i) const {
        const traced_run& ran = run_of(x, t);
        const event& e = ran.events[i];
        shown_access a;
        a.thread = t;
        a.index = i;
        a.source = program_.place(ran, i);
        a.place = program_.place_text(ran, i);
        a.instruction = program_.instruction_text(ran.code[i]);
        if (!e.is_read && !e.is_write) {
            a.what = "barrier";
            return a;
        }
        a.location = program_.location_text(e.address);
        a.value = value_text(e, x.threads[t].past.loaded, ran.stored, i);
        a.what = fmt::format("{} {}{}{}", e.is_read ? "reads" : "writes", a.location,
                             a.value.empty() ? "" : " = ", a.value);
        if (!e.is_read) return a;
        if (const auto& from = x.read_at(t, i).from; from && !from->is_initial())
            a.from = {static_cast<std::size_t>(from->thread), static_cast<std::size_t>(from->index)};
        else
            a.from_start = true;
        return a;
    }

    program& program_;
    const search_order& order_;
    findings& into_;
    const part_search& how_;
};

class counted_walks final : public random_way {
  public:
    counted_walks(std::uint64_t count, std::uint64_t seed) : random_way(seed), left_(count) {}

  private:
    /// It does not ask whether the walk met an execution: all are to be met alike.
    std::pair<double, bool> walked(double) override { return {1, --left_ > 0}; }
    std::uint64_t left_;
};

} // namespace

bool search_part(program& p, const search_order& order, const part_search& how, findings& f) {
    looks to(p, order, f, how);
    found_totals totals;
    bool whole = false;
    const std::uint64_t choices = how.by.choices();
    try {
        explore(p, armv8(), to, how.by, totals);
        whole = true;
    } catch (const refuted&) { // the failure is noted
    } catch (const stop_search&) {
        f.stopped = true;
    } catch (const limited&) {
        f.limited = true;
    }
    f.blocked += totals.blocked;
    f.cut = f.cut || totals.cut;
    f.threads = p.threads();
    f.choices += how.by.choices() - choices;
    return whole;
}

void search_along(program& p, const search_order& order, way& by, const go_on& more, findings& f,
                  unsigned begun) {
    f = {};
    const std::function<void()> working = [&] {
        if (!more({f.executions, by.done(), begun})) throw stop_search{};
    };
    const std::function<std::uint64_t()> one_execution = [&] { return f.executions + 1; };
    search_part(p, order, {by, working, one_execution}, f);
}

findings search_randomly(program& p, const search_order& order, std::uint64_t count, std::uint64_t seed,
                         const go_on& more) {
    return until_all_is_known([&](findings& f, unsigned begun) {
        counted_walks some(count, seed);
        search_along(p, order, some, more, f, begun);
        f.random = true;
    });
}

findings replay(program& p, const search_order& order, const replay_token& token) {
    if (token.program != p.fingerprint())
        throw std::invalid_argument(
            "the replay token is of another program: the sources, the flags, the compiler "
            "or the options differ from those of the search");
    p.begin_with(token.learnt);
    known_way one(token.path);
    try {
        findings f;
        search_along(
            p, order, one, [](const search_state&) { return true; }, f);
        if (!one.at_its_end())
            throw std::invalid_argument("the replay token goes on behind the end of its execution");
        return f;
    } catch (const learnt&) {
        throw std::invalid_argument("the replay token does not fit this program: other memory is shared");
    }
}

} // namespace ringproof::silicon::a64
