// SPDX-License-Identifier: Apache-2.0
#include "missing.hpp"

#include "results.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ringproof::silicon::a64 {
namespace {

using how = added_order::kind;
using clock = std::chrono::steady_clock;

/// An instruction, and how it would order more.
struct stronger {
    std::uint64_t code = 0;
    how does = how::acquire;
    friend auto operator<=>(const stronger&, const stronger&) = default;
};
using changes = std::vector<stronger>;

changes with(changes all, const changes& more) {
    for (const stronger& s : more)
        if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
    return all;
}
changes without(changes all, std::size_t one) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(one));
    return all;
}

const traced_run& run_of(const part_of_execution& x, std::size_t thread) {
    return static_cast<const traced_run&>(*x.threads[thread].part->ran);
}
template <class Tell>
void each_event(const part_of_execution& x, const Tell& tell) {
    for (std::size_t t = 0; t < x.threads.size(); ++t)
        for (std::size_t i = 0; i < x.events(t).size(); ++i) tell(t, i);
}

/// The program with these changes, as long as this lives.
class changed {
  public:
    changed(program& p, const changes& all) : program_(p), all_(all) {
        for (const stronger& s : all_) p.strengthen(s.code, s.does);
    }
    ~changed() {
        for (const stronger& s : all_) program_.weaken(s.code, {});
    }
    changed(const changed&) = delete;
    changed& operator=(const changed&) = delete;

  private:
    program& program_;
    const changes& all_;
};

class search_for_orders {
  public:
    search_for_orders(program& p, const search_order& order, double seconds)
        : program_(p), order_(order),
          end_(clock::now() +
               std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds))) {}

    bool over() const { return interrupted || clock::now() > end_; }

    /// @param kinds that may be added
    /// @return alternatives; none if no orders of these kinds forbid the execution
    std::vector<missing_orders> find(const part_of_execution& failing, const std::vector<how>& kinds) {
        part_of_execution witness = failing;
        changes chosen;
        while (true) {
            const std::vector<changes> ways = ways_to_forbid(witness, kinds);
            if (ways.empty() && chosen.empty()) return {};
            if (ways.empty()) return {shown(chosen, over() ? "" : "refuted")};
            std::vector<missing_orders> enough;
            std::optional<part_of_execution> next;
            for (const changes& way : ways) {
                findings found = searched(with(chosen, way));
                if (found.failing_execution && !next) next = *found.failing_execution;
                if (!found.failure.empty() || found.stopped) continue;
                const changes all = fewest(with(chosen, way), found);
                enough.push_back(shown(all, verdict_of(found), found.executions));
            }
            if (!enough.empty()) return enough;
            chosen = with(chosen, ways.front());
            if (!next || over()) return {shown(chosen, "")};
            if (is_interleaving(armv8(), *next)) return {shown(chosen, "refuted")};
            witness = *next;
        }
    }

  private:
    /// Each of them forbids the execution; a few.
    std::vector<changes> ways_to_forbid(const part_of_execution& x, const std::vector<how>& kinds) {
        constexpr std::size_t most = 6;
        const changes all = possible(x, kinds);
        std::vector<changes> ways;
        if (all.empty() || !forbid(x, all)) return ways;
        for (const stronger& s : all) {
            const bool by_less = std::any_of(ways.begin(), ways.end(),
                                             [&](const changes& w) { return w.front().code == s.code; });
            if (!by_less && ways.size() < most && !over() && forbid(x, {s})) ways.push_back({s});
        }
        if (!ways.empty()) return ways;
        changes least = least_of(x, all);
        if (!over()) ways.push_back(std::move(least));
        return ways;
    }
    /// Drops what is not needed; the strongest kinds first, which are at the end.
    changes least_of(const part_of_execution& x, changes all) const {
        for (std::size_t k = all.size(); k-- > 0 && !over();)
            if (forbid(x, without(all, k))) all = without(all, k);
        return all;
    }
    /// By kind, in program order.
    changes possible(const part_of_execution& x, const std::vector<how>& kinds) {
        changes all;
        std::set<stronger> known;
        for (const how kind : kinds)
            each_event(x, [&](std::size_t t, std::size_t i) {
                const traced_run& ran = run_of(x, t);
                const stronger s{ran.code[i], kind};
                if (program_.stronger_name(s.code, kind).empty() || !known.insert(s).second) return;
                all.push_back(s);
                places_.try_emplace(s.code, program_.place(ran, i), program_.place_text(ran, i));
            });
        return all;
    }
    static bool forbid(const part_of_execution& x, const changes& all) {
        std::vector<added_order> more;
        each_event(x, [&](std::size_t t, std::size_t i) {
            const bool first = i == 0 || x.events(t)[i - 1].instruction != x.events(t)[i].instruction;
            for (const stronger& s : all) {
                const bool barrier = s.does >= how::barrier_of_reads;
                if (s.code == run_of(x, t).code[i] && (first || !barrier))
                    more.push_back({s.does, {static_cast<std::int32_t>(t), static_cast<std::int32_t>(i)}});
            }
        });
        return !allows_with(armv8(), x, more);
    }

    findings searched(const changes& all) const {
        const changed now(program_, all);
        try {
            return search(program_, order_, [&](const search_state&) { return !over(); });
        } catch (const std::invalid_argument&) { // such an access is refused, as one that is not aligned is
            findings nothing;
            nothing.stopped = true;
            return nothing;
        }
    }
    /// Drops orders without which no execution fails, and puts weaker barriers where they are enough.
    [[nodiscard]] changes fewest(changes all, findings& found) const {
        const auto try_instead = [&](const changes& less) {
            if (over()) return false;
            findings then = searched(less);
            if (!then.failure.empty() || then.stopped) return false;
            found = std::move(then);
            all = less;
            return true;
        };
        for (std::size_t k = all.size(); all.size() > 1 && k-- > 0;) try_instead(without(all, k));
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (all[k].does != how::barrier) continue;
            for (const how weaker : {how::barrier_of_reads, how::barrier_for_writes}) {
                changes less = all;
                less[k].does = weaker;
                if (try_instead(less)) break;
            }
        }
        return all;
    }

    missing_orders shown(const changes& all, const std::string& verdict, std::uint64_t executions = 0) const {
        missing_orders m;
        m.verdict = verdict;
        m.executions = executions;
        for (const stronger& s : all) {
            shown_order o;
            std::tie(o.source, o.place) = places_.at(s.code);
            o.instruction = program_.instruction_text(s.code);
            // An acquire of C++ is LDAPR or LDAR, as the processor has them.
            o.becomes = program_.stronger_name(s.code, s.does == how::acquire_pc ? how::acquire : s.does);
            o.cxx = words_of_cxx(s, all);
            o.is_barrier = s.does >= how::barrier_of_reads;
            m.orders.push_back(std::move(o));
        }
        return m;
    }
    /// Where LDAPR is not enough, the load and the stores that it is ordered with are sequentially consistent.
    std::string words_of_cxx(const stronger& s, const changes& all) const {
        const bool total = std::any_of(all.begin(), all.end(), [&](const stronger& other) {
            return other.does == how::acquire && !program_.stronger_name(other.code, how::acquire_pc).empty();
        });
        switch (s.does) {
        case how::barrier_of_reads:
            return "atomic_thread_fence(memory_order_acquire)";
        case how::barrier_for_writes:
            return "atomic_thread_fence(memory_order_release)";
        case how::barrier:
            return "atomic_thread_fence(memory_order_seq_cst)";
        case how::release:
            return total ? "memory_order_seq_cst" : "memory_order_release";
        default:
            return total ? "memory_order_seq_cst" : "memory_order_acquire";
        }
    }

    program& program_;
    const search_order& order_;
    clock::time_point end_;
    std::map<std::uint64_t, std::pair<source_place, std::string>> places_; ///< by instruction
};

} // namespace

void find_missing_orders(program& p, const search_order& order, findings& f, double seconds) {
    if (!f.failing_execution) return;
    f.interleaving = is_interleaving(armv8(), *f.failing_execution);
    if (f.interleaving) return;
    search_for_orders some(p, order, seconds);
    f.missing = some.find(*f.failing_execution, {how::release, how::acquire_pc, how::acquire});
    for (missing_orders& barriers : some.find(*f.failing_execution, {how::barrier})) {
        const bool fewer = f.missing.empty() || barriers.orders.size() < f.missing.front().orders.size();
        if (fewer) f.missing.push_back(std::move(barriers)); // one place for a barrier is enough
    }
    f.more_missing = some.over();
}

} // namespace ringproof::silicon::a64
