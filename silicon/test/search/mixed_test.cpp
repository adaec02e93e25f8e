// SPDX-License-Identifier: Apache-2.0
// Accesses of several sizes: a wide access is two events, of the halves of a word. The judge tries all combinations of
// reads-from and coherence, and asks the model as the architecture's text has it (its Single-Copy-Atomic classes).
#include "../toy/toy_machine.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {

using values = std::vector<std::uint64_t>;
using code = std::vector<std::vector<step>>;
constexpr std::uint64_t low = 1, high = 2;

/// One access of both halves; its events are the next two of the thread.
void add_wide(std::vector<step>& thread, step first, step second) {
    const std::size_t index = thread.size();
    first.more.single = second.more.single = static_cast<std::uint32_t>(index) + 1;
    second.more.beside.insert(index);
    thread.push_back(first);
    thread.push_back(second);
}
std::vector<step> wide_write(std::uint64_t value) {
    std::vector<step> t;
    add_wide(t, write(low, value), write(high, value));
    return t;
}
std::vector<step> wide_read() {
    std::vector<step> t;
    add_wide(t, read(low), read(high));
    return t;
}

/// All there is of an execution, for the judge.
class judged {
  public:
    explicit judged(const code& threads) {
        for (std::size_t t = 0; t < threads.size(); ++t)
            for (std::size_t i = 0; i < threads[t].size(); ++i) events_.push_back({t, i, threads[t][i]});
    }

    /// What reads return in each execution that is allowed.
    std::multiset<values> all() {
        orders_.clear();
        for (const std::uint64_t where : {low, high}) {
            std::vector<int> writes;
            for (std::size_t e = 0; e < events_.size(); ++e)
                if (is_write(e) && events_[e].does.address == where) writes.push_back(static_cast<int>(e));
            orders_.push_back(writes);
        }
        std::multiset<values> found;
        do {
            do {
                from_.assign(events_.size(), -1);
                each_source(0, found);
            } while (std::next_permutation(orders_[1].begin(), orders_[1].end()));
        } while (std::next_permutation(orders_[0].begin(), orders_[0].end()));
        return found;
    }

  private:
    struct one {
        std::size_t thread, index;
        step does;
    };
    bool is_write(std::size_t e) const { return events_[e].does.what == step::kind::write; }
    bool is_read(std::size_t e) const { return events_[e].does.what == step::kind::read; }
    bool same_access(std::size_t a, std::size_t b) const {
        return events_[a].thread == events_[b].thread && events_[a].does.more.single != 0 &&
               events_[a].does.more.single == events_[b].does.more.single;
    }
    bool before(std::size_t a, std::size_t b) const {
        return events_[a].thread == events_[b].thread && events_[a].index < events_[b].index &&
               !same_access(a, b);
    }
    bool same_place(std::size_t a, std::size_t b) const {
        return (is_read(a) || is_write(a)) && (is_read(b) || is_write(b)) &&
               events_[a].does.address == events_[b].does.address;
    }
    int place(int write, std::uint64_t where) const {
        if (write < 0) return -1;
        const auto& order = orders_[where - low];
        return static_cast<int>(std::find(order.begin(), order.end(), write) - order.begin());
    }

    void each_source(std::size_t e, std::multiset<values>& found) {
        if (e == events_.size()) {
            if (allowed()) found.insert(values_read());
            return;
        }
        if (!is_read(e)) return each_source(e + 1, found);
        for (int w = -1; w < static_cast<int>(events_.size()); ++w) {
            if (w >= 0 &&
                !(is_write(static_cast<std::size_t>(w)) && same_place(static_cast<std::size_t>(w), e)))
                continue;
            from_[e] = w;
            each_source(e + 1, found);
        }
    }
    values values_read() const {
        values v;
        for (std::size_t e = 0; e < events_.size(); ++e)
            if (is_read(e))
                v.push_back(from_[e] < 0 ? 0 : events_[static_cast<std::size_t>(from_[e])].does.value);
        return v;
    }

    using pairs = std::vector<std::uint32_t>; ///< by event, a bit for each that comes behind it
    bool communicates(std::size_t a, std::size_t b) const {
        if (!same_place(a, b) || a == b) return false;
        const std::uint64_t where = events_[a].does.address;
        const auto number = [](std::size_t e) { return static_cast<int>(e); };
        if (is_write(a) && is_write(b)) return place(number(a), where) < place(number(b), where);
        if (is_write(a) && is_read(b)) return from_[b] == number(a);
        return is_read(a) && is_write(b) && place(from_[a], where) < place(number(b), where);
    }
    static bool has_cycle(pairs r) {
        for (std::size_t m = 0; m < r.size(); ++m)
            for (std::uint32_t& row : r)
                if (row >> m & 1) row |= r[m];
        for (std::size_t a = 0; a < r.size(); ++a)
            if (r[a] >> a & 1) return true;
        return false;
    }
    bool locally(std::size_t a, std::size_t b) const {
        if (!before(a, b)) return false;
        const event &x = events_[a].does.more, &y = events_[b].does.more;
        if (same_place(a, b) && is_write(b)) return true;
        if ((is_read(a) && x.acquire) || (is_write(b) && y.release)) return true;
        if (is_write(a) && x.release && is_read(b) && y.acquire) return true;
        for (std::size_t f = 0; f < events_.size(); ++f)
            if (events_[f].does.what == step::kind::barrier && before(a, f) && before(f, b)) return true;
        return false;
    }
    bool allowed() const {
        const std::size_t n = events_.size();
        pairs internal(n), external(n);
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) {
                const std::uint32_t bit = 1u << b;
                const bool communicate = communicates(a, b);
                const bool one_place = same_place(a, b) && before(a, b);
                if (communicate || one_place) internal[a] |= bit;
                const bool observed = communicate && events_[a].thread != events_[b].thread;
                if (observed || locally(a, b)) external[a] |= bit;
                if (!observed && !(one_place && is_write(b))) continue;
                for (std::size_t c = 0; c < n; ++c) // "obs; sca-class" and "lws; sca-class"
                    if (same_access(b, c)) external[a] |= 1u << c;
            }
        return !has_cycle(internal) && !has_cycle(external);
    }

    std::vector<one> events_;
    std::vector<std::vector<int>> orders_;
    std::vector<int> from_;
};

code random_code(std::mt19937& dice) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(dice()) % n; };
    code threads(2 + below(4) / 3);
    std::uint64_t value = 0;
    for (auto& thread : threads)
        while (thread.size() < (threads.size() == 2 ? 4u : 2u)) {
            step one, two;
            const bool writes = below(2) == 0;
            if (writes) ++value;
            one = writes ? write(low, value) : read(low);
            two = writes ? write(high, value) : read(high);
            one.more.release = two.more.release = writes && below(4) == 0;
            one.more.acquire = two.more.acquire = !writes && below(4) == 0;
            const unsigned kind = below(8);
            if (kind < 4)
                add_wide(thread, one, two);
            else if (kind == 7)
                thread.push_back(full_barrier());
            else
                thread.push_back(kind < 6 ? one : two);
        }
    return threads;
}

} // namespace

TEST_CASE("a wide access is one: it is not seen in halves, and sees none") {
    const outcomes o = explored({wide_write(1), wide_read()});
    CHECK(o.all == std::multiset<values>{{0, 0}, {1, 1}});
    // Narrow reads of a wide write, and a wide read of narrow writes, are not ordered.
    CHECK(explored({wide_write(1), {read(low), read(high)}}).has({1, 0}));
    CHECK(explored({{write(low, 1), write(high, 1)}, wide_read()}).has({0, 1}));
}

TEST_CASE("a wide read may get one half from its own thread's write, and the other before others' writes") {
    std::vector<step> own{write(low, 5)};
    add_wide(own, read(low), read(high));
    own[1].more.single = own[2].more.single = 9;
    own[2].more.beside = {};
    own[2].more.beside.insert(1);
    CHECK(explored({own, wide_write(7)}).has({5, 0}));
}

TEST_CASE("wide writes of several threads stand in one order for both halves") {
    const auto order = [](bool wide) {
        std::vector<step> reader{read(low), full_barrier(), read(high)};
        code c{wide_write(1), wide_write(2), reader, reader};
        if (!wide)
            for (std::size_t t : {0, 1})
                for (step& s : c[t]) s.more.single = 0;
        return explored(c);
    };
    // One reader sees that 2 is before 1, the other that 1 is before 2.
    CHECK_FALSE(order(true).has({2, 1, 1, 2}));
    CHECK(order(true).has({2, 1, 2, 1}));
    CHECK(order(false).has({2, 1, 1, 2}));
}

TEST_CASE(
    "random programs of wide and narrow accesses have the executions that the architecture's text allows") {
    std::mt19937 dice(7);
    constexpr int programs = 400;
    std::size_t executions = 0;
    for (int k = 0; k < programs; ++k) {
        const code c = random_code(dice);
        const outcomes o = explored(c);
        CAPTURE(k);
        REQUIRE(o.all == judged(c).all());
        executions += o.all.size();
    }
    CHECK(executions > 2'000);
}
