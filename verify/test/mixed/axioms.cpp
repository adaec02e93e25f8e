// SPDX-License-Identifier: Apache-2.0
// rc11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017) over accesses of several units, with reads-from and coherence for
// each unit, as published models with mixed sizes have it (Flur et al., POPL 2017; Marmanis, Kokologiannakis, Vafeiadis,
// POPL 2025). An access is one event of po, hb and psc. Beside coherence and atomicity, for each unit: two writes have one
// order in all units that they share, and a read that takes a unit from a write takes none from before it.

#include "machine.hpp"

#include <algorithm>

namespace ringproof::verify::mixed_test {
namespace {

constexpr int initial = -1, places = words * units;
using bits = std::uint32_t;

struct event {
    int thread = 0, index = 0; ///< an update is two events of one index
    bool write = false, update = false, fence = false;
    std::memory_order order = std::memory_order_relaxed;
    int first = 0, count = 0; ///< over the units of all words
    std::array<int, places> rf{};
    std::array<std::uint8_t, places> value{};
    bool has(int u) const { return u >= first && u < first + count; }
    bool overlaps(const event& o) const {
        return count > 0 && o.count > 0 && first < o.first + o.count && o.first < first + count;
    }
};

bool acquires(std::memory_order o) {
    return o == std::memory_order_acquire || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}
bool releases(std::memory_order o) {
    return o == std::memory_order_release || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}

struct execution {
    std::vector<event> events;
    std::array<std::vector<int>, places> co{};
    std::vector<std::size_t> at;
    outcome so_far;

    int place(int w, int u) const {
        if (w == initial) return -1;
        const auto& order = co[static_cast<std::size_t>(u)];
        return static_cast<int>(std::find(order.begin(), order.end(), w) - order.begin());
    }
    const event& of(int e) const { return events[static_cast<std::size_t>(e)]; }
    int size() const { return static_cast<int>(events.size()); }

    std::string key() const {
        std::string text;
        const auto name = [&](int e) {
            if (e == initial) return std::string("-");
            return std::to_string(of(e).thread) + "." + std::to_string(of(e).index) +
                   (of(e).write ? "w" : "r");
        };
        std::vector<std::string> all;
        for (int e = 0; e < size(); ++e) {
            std::string one = name(e);
            if (!of(e).write && !of(e).fence)
                for (int u = of(e).first; u < of(e).first + of(e).count; ++u)
                    one += "," + name(of(e).rf[static_cast<std::size_t>(u)]);
            all.push_back(one);
        }
        std::sort(all.begin(), all.end());
        for (const std::string& one : all) text += one + ";";
        for (const auto& order : co) {
            for (const int w : order) text += name(w) + "<";
            text += "|";
        }
        return text;
    }
};

/// A relation as, for each event, those it leads to.
class relation {
  public:
    explicit relation(int n) : rows_(static_cast<std::size_t>(n)) {}
    void add(int a, int b) { rows_[static_cast<std::size_t>(a)] |= bits{1} << b; }
    bool has(int a, int b) const { return (rows_[static_cast<std::size_t>(a)] >> b & 1) != 0; }
    int size() const { return static_cast<int>(rows_.size()); }
    relation operator|(const relation& o) const {
        relation r = *this;
        for (std::size_t i = 0; i < rows_.size(); ++i) r.rows_[i] |= o.rows_[i];
        return r;
    }
    relation then(const relation& o) const {
        relation r(size());
        for (int a = 0; a < size(); ++a)
            for (int b = 0; b < size(); ++b)
                if (has(a, b)) r.rows_[static_cast<std::size_t>(a)] |= o.rows_[static_cast<std::size_t>(b)];
        return r;
    }
    relation maybe() const {
        relation r = *this;
        for (int a = 0; a < size(); ++a) r.add(a, a);
        return r;
    }
    relation closure() const {
        relation r = *this;
        for (int k = 0; k < size(); ++k)
            for (int a = 0; a < size(); ++a)
                if (r.has(a, k)) r.rows_[static_cast<std::size_t>(a)] |= r.rows_[static_cast<std::size_t>(k)];
        return r;
    }
    template <class From, class To>
    relation only(From from, To to) const {
        relation r(size());
        for (int a = 0; a < size(); ++a)
            for (int b = 0; b < size(); ++b)
                if (has(a, b) && from(a) && to(b)) r.add(a, b);
        return r;
    }
    bool is_acyclic() const {
        const relation all = closure();
        for (int a = 0; a < size(); ++a)
            if (all.has(a, a)) return false;
        return true;
    }

  private:
    std::vector<bits> rows_;
};

class axioms {
  public:
    axioms(const execution& x, model m)
        : x_(x), ra_(m == model::ra), n_(x.size()), po_(n_), rf_(n_), co_(n_), fr_(n_), hb_(n_) {
        for (int a = 0; a < n_; ++a)
            for (int b = 0; b < n_; ++b)
                if (x.of(a).thread == x.of(b).thread && a < b) po_.add(a, b);
        for (int r = 0; r < n_; ++r)
            if (is_read(r)) read_edges(r);
        for (const auto& order : x.co)
            for (std::size_t i = 0; i < order.size(); ++i)
                for (std::size_t j = i + 1; j < order.size(); ++j) co_.add(order[i], order[j]);
        hb_ = (po_ | synchronises()).closure();
    }

    bool hold() const {
        return (po_ | rf_).is_acyclic() && hb_.is_acyclic() && coherent() && atomic() && whole() &&
               (ra_ || psc_acyclic());
    }

  private:
    bool is_read(int e) const { return !x_.of(e).write && !x_.of(e).fence; }
    bool is_sc(int e) const { return x_.of(e).order == std::memory_order_seq_cst; }
    bool acquiring(int e) const { return ra_ || acquires(x_.of(e).order); }
    bool releasing(int e) const { return ra_ || releases(x_.of(e).order); }

    void read_edges(int r) {
        const event& e = x_.of(r);
        for (int u = e.first; u < e.first + e.count; ++u) {
            const int w = e.rf[static_cast<std::size_t>(u)];
            if (w != initial) rf_.add(w, r);
            const auto& order = x_.co[static_cast<std::size_t>(u)];
            for (int i = x_.place(w, u) + 1; i < static_cast<int>(order.size()); ++i)
                fr_.add(r, order[static_cast<std::size_t>(i)]);
        }
    }

    relation synchronises() const {
        relation updates(n_);
        for (int a = 0; a + 1 < n_; ++a)
            if (is_read(a) && x_.of(a).update) updates.add(a, a + 1);
        const relation read = rf_.then(updates).closure().maybe().then(rf_);
        relation sw(n_);
        for (int w = 0; w < n_; ++w)
            for (int r = 0; r < n_; ++r)
                if (x_.of(w).write && is_read(r) && read.has(w, r)) add_between(w, r, sw);
        return sw;
    }

    /// Adds what synchronises where `r` reads from the release sequence of `w`: these two, or fences beside them.
    void add_between(int w, int r, relation& sw) const {
        const auto may_release = [&](int e) {
            return releasing(e) && (e == w || (x_.of(e).fence && po_.has(e, w)));
        };
        const auto may_acquire = [&](int e) {
            return acquiring(e) && (e == r || (x_.of(e).fence && po_.has(r, e)));
        };
        for (int from = 0; from < n_; ++from)
            for (int to = 0; to < n_; ++to)
                if (may_release(from) && may_acquire(to)) sw.add(from, to);
    }

    /// irreflexive(hb ; eco), unit by unit.
    bool coherent() const {
        for (int u = 0; u < places; ++u)
            for (int a = 0; a < n_; ++a)
                for (int b = 0; b < n_; ++b) {
                    if (!hb_.has(a, b) || !x_.of(a).has(u) || !x_.of(b).has(u)) continue;
                    const auto place = [&](int e) {
                        return x_.place(is_read(e) ? x_.of(e).rf[static_cast<std::size_t>(u)] : e, u);
                    };
                    if (x_.of(b).write ? place(a) >= place(b) : place(a) > place(b)) return false;
                }
        return true;
    }

    bool atomic() const {
        for (int w = 1; w < n_; ++w) {
            const event &e = x_.of(w), &r = x_.of(w - 1);
            if (!e.write || !e.update) continue;
            for (int u = e.first; u < e.first + e.count; ++u)
                if (x_.place(w, u) != x_.place(r.rf[static_cast<std::size_t>(u)], u) + 1) return false;
        }
        return true;
    }

    bool whole() const {
        for (int a = 0; a < n_; ++a)
            for (int b = 0; b < n_; ++b)
                if (a != b && x_.of(b).write && !x_.of(a).fence && !is_whole(a, b)) return false;
        return true;
    }

    /// Whether `a` is on one side of the write `b` in all units that they share.
    bool is_whole(int a, int b) const {
        bool before = false, behind = false, from = false;
        for (int u = 0; u < places; ++u) {
            if (!x_.of(a).has(u) || !x_.of(b).has(u)) continue;
            const int source = is_read(a) ? x_.of(a).rf[static_cast<std::size_t>(u)] : a;
            from = from || source == b;
            (x_.place(source, u) < x_.place(b, u) ? before : behind) = true;
        }
        return x_.of(a).write ? !(before && behind) : !(from && before);
    }

    bool psc_acyclic() const {
        bool any = false;
        for (int e = 0; e < n_; ++e) any = any || is_sc(e);
        if (!any) return true;
        const auto all = [](int) { return true; };
        const auto access = [&](int e) { return is_sc(e) && !x_.of(e).fence; };
        const auto fence = [&](int e) { return is_sc(e) && x_.of(e).fence; };
        relation other(n_), same(n_), eco(n_);
        for (int a = 0; a < n_; ++a)
            for (int b = 0; b < n_; ++b)
                if (x_.of(a).overlaps(x_.of(b))) {
                    if (hb_.has(a, b)) same.add(a, b);
                } else if (po_.has(a, b)) {
                    other.add(a, b);
                }
        for (int u = 0; u < places; ++u) eco = eco | eco_of(u);
        const relation scb = po_ | other.then(hb_).then(other) | same | co_ | fr_;
        const relation left = scb | hb_.only(fence, all).then(scb);
        const relation base = left | left.then(hb_.only(all, fence));
        const auto either = [&](int e) { return access(e) || fence(e); };
        // [Esc] ∪ [Fsc];hb? on the left: what begins at a fence may begin with hb, and so on the right.
        const relation psc_base = base.only(either, either);
        const relation psc_f = (hb_ | hb_.then(eco).then(hb_)).only(fence, fence);
        return (psc_base | psc_f).is_acyclic();
    }

    relation eco_of(int u) const {
        relation one(n_);
        for (int a = 0; a < n_; ++a)
            for (int b = 0; b < n_; ++b) {
                if (!x_.of(a).has(u) || !x_.of(b).has(u)) continue;
                const auto source = [&](int r) { return x_.of(r).rf[static_cast<std::size_t>(u)]; };
                if (x_.of(a).write && x_.of(b).write && x_.place(a, u) < x_.place(b, u)) one.add(a, b);
                if (x_.of(a).write && is_read(b) && source(b) == a) one.add(a, b);
                if (is_read(a) && x_.of(b).write && x_.place(source(a), u) < x_.place(b, u)) one.add(a, b);
            }
        return one.closure();
    }

    const execution& x_;
    bool ra_;
    int n_;
    relation po_, rf_, co_, fr_, hb_;
};

class enumeration {
  public:
    enumeration(const program& p, model m) : p_(p), m_(m) {}

    std::set<outcome> run(bool& cut) {
        execution first;
        first.at.resize(p_.threads.size());
        visit(first);
        cut = seen_.size() > most;
        return found_;
    }

  private:
    static constexpr std::size_t most = 20'000;

    void visit(const execution& x) {
        if (seen_.size() > most || !seen_.insert(x.key()).second) return;
        bool over = true;
        for (std::size_t t = 0; t < p_.threads.size(); ++t)
            if (x.at[t] != p_.threads[t].size()) {
                over = false;
                step(x, t);
            }
        if (!over) return;
        outcome done = x.so_far;
        for (int u = 0; u < places; ++u)
            if (const auto& order = x.co[static_cast<std::size_t>(u)]; !order.empty())
                done.memory[static_cast<std::size_t>(u / units)] |=
                    std::uint32_t{x.of(order.back()).value[static_cast<std::size_t>(u)]} << 8 * (u % units);
        found_.insert(done);
    }

    void step(const execution& x, std::size_t t) {
        const operation& o = p_.threads[t][x.at[t]];
        execution next = x;
        event e;
        e.thread = static_cast<int>(t);
        e.index = static_cast<int>(next.at[t]++);
        e.order = o.order;
        e.first = o.word * units + o.first;
        e.count = o.count;
        if (o.what == kind::fence) {
            e.fence = true;
            e.count = 0;
            next.events.push_back(e);
            return go_on(next);
        }
        if (o.what == kind::store) {
            e.write = true;
            e.value.fill(static_cast<std::uint8_t>(o.value));
            return place(next, e, e.first);
        }
        read(next, o, e, e.first);
    }

    void go_on(const execution& x) {
        if (axioms(x, m_).hold()) visit(x);
    }

    /// Lets the read `e` read its units from `u` on, each from each write.
    void read(const execution& x, const operation& o, event& e, int u) {
        if (u == e.first + e.count) return finish_read(x, o, e);
        e.rf[static_cast<std::size_t>(u)] = initial;
        read(x, o, e, u + 1);
        for (const int w : x.co[static_cast<std::size_t>(u)]) {
            e.rf[static_cast<std::size_t>(u)] = w;
            read(x, o, e, u + 1);
        }
    }

    void finish_read(execution x, const operation& o, event e) {
        bool same = true;
        std::size_t reg = static_cast<std::size_t>(e.index);
        for (int t = 0; t < e.thread; ++t) reg += p_.threads[static_cast<std::size_t>(t)].size();
        for (int u = e.first; u < e.first + e.count; ++u) {
            const int w = e.rf[static_cast<std::size_t>(u)];
            e.value[static_cast<std::size_t>(u)] =
                w == initial ? 0 : x.of(w).value[static_cast<std::size_t>(u)];
            same = same && e.value[static_cast<std::size_t>(u)] == o.expected;
            x.so_far.read[reg] |= std::uint32_t{e.value[static_cast<std::size_t>(u)]} << 8 * (u - e.first);
        }
        if (o.what == kind::await && !same) return; // rounds that read anything else are no part of it
        const bool writes = o.writes() && (o.what != kind::compare || same);
        e.update = writes;
        if (o.what == kind::compare && !same) e.order = o.failure;
        x.events.push_back(e);
        if (!writes) return go_on(x);
        if (!axioms(x, m_).hold()) return; // a write adds no way for its read
        event w = e;
        w.write = true;
        for (int u = e.first; u < e.first + e.count; ++u) {
            auto& value = w.value[static_cast<std::size_t>(u)];
            value = static_cast<std::uint8_t>(o.what == kind::add ? value + o.value : o.value);
            const auto behind = x.place(e.rf[static_cast<std::size_t>(u)], u) + 1;
            auto& order = x.co[static_cast<std::size_t>(u)];
            order.insert(order.begin() + behind, x.size());
        }
        x.events.push_back(w);
        go_on(x);
    }

    /// Gives the write `e` each place among the writes of its units from `u` on.
    void place(const execution& x, const event& e, int u) {
        if (u == e.first + e.count) {
            execution next = x;
            next.events.push_back(e);
            return go_on(next);
        }
        for (std::size_t i = 0; i <= x.co[static_cast<std::size_t>(u)].size(); ++i) {
            execution next = x;
            auto& order = next.co[static_cast<std::size_t>(u)];
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(i), x.size());
            place(next, e, u + 1);
        }
    }

    const program& p_;
    model m_;
    std::set<std::string> seen_;
    std::set<outcome> found_;
};

} // namespace

std::set<outcome> by_axioms(const program& p, model m, bool& cut) { return enumeration(p, m).run(cut); }

} // namespace ringproof::verify::mixed_test
