// SPDX-License-Identifier: Apache-2.0
#include "../toy/toy_machine.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {
constexpr std::uint64_t x = 1, y = 2, z = 3;
using values = std::vector<std::uint64_t>;
} // namespace

TEST_CASE("store buffering: four outcomes, three with barriers, each once") {
    const outcomes weak = explored({{write(x, 1), read(y)}, {write(y, 1), read(x)}});
    CHECK(weak.all == std::multiset<values>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    const outcomes strong =
        explored({{write(x, 1), full_barrier(), read(y)}, {write(y, 1), full_barrier(), read(x)}});
    CHECK(strong.all == std::multiset<values>{{0, 1}, {1, 0}, {1, 1}});
}

TEST_CASE("load buffering: both reads read writes that come after the other read in program order") {
    CHECK(explored({{read(x), write(y, 1)}, {read(y), write(x, 1)}}).has({1, 1}));
    CHECK_FALSE(explored({{read(x), write(y, 1, 0)}, {read(y), write(x, 1, 0)}}).has({2, 1}));
    const outcomes one_side = explored({{read(x), write(y, 1)}, {read(y), write(x, 0, 0)}});
    CHECK(one_side.has({1, 1})); // the value goes round the cycle
}

TEST_CASE("values that only justify each other do not come about") {
    const outcomes o = explored({{read(x), write(y, 0, 0)}, {read(y), write(x, 0, 0)}});
    CHECK(o.all.size() == 3);
    for (const values& v : o.all) CHECK(v == values{0, 0});
}

TEST_CASE("load buffering through branches is forbidden, of one branch allowed") {
    const auto branching = [](bool first, bool second) {
        std::vector<step> a{read(x)}, b{read(y)};
        if (first) a.push_back(end_if(0, 0));
        if (second) b.push_back(end_if(0, 0));
        a.push_back(write(y, 1));
        b.push_back(write(x, 1));
        return explored({a, b});
    };
    CHECK_FALSE(branching(true, true).has({1, 1}));
    CHECK(branching(true, false).has({1, 1}));
    CHECK(branching(false, true).has({1, 1}));
    CHECK(branching(true, true).all == std::multiset<values>{{0, 0}});
}

TEST_CASE(
    "a read that a thread waits for can read what another thread writes only after it has waited itself") {
    // x is written only if y was, y only if z was.
    found_totals totals;
    const outcomes o = explored({{read(x), end_if(0, 0), write(x, 2)},
                                 {read(y), end_if(0, 0), write(x, 1)},
                                 {read(z), write(y, 1)},
                                 {write(z, 1)}},
                                &totals);
    CHECK(o.has({1, 1, 0}));
    CHECK(o.has({1, 1, 1}));
    CHECK(o.has({0, 1, 1}));
    CHECK(o.has({0, 0, 1}));
    CHECK_FALSE(o.has({1, 0, 1}));
    CHECK(totals.executions == o.all.size());
    CHECK_FALSE(totals.cut);
}

TEST_CASE("coherence: each order of the writes of a location is an execution of its own") {
    found_totals totals;
    explored({{write(x, 1)}, {write(x, 2)}, {write(x, 3)}}, &totals);
    CHECK(totals.executions == 6);
    CHECK(totals.blocked == 0);
    const outcomes o = explored({{write(x, 1), write(x, 2)}, {read(x), read(x)}});
    CHECK(o.has({1, 2}));
    CHECK_FALSE(o.has({2, 1}));
}

TEST_CASE("two increments by read-modify-writes never read the same") {
    step half = write(x, 1, 0);
    half.more.rmw_read = 0;
    const outcomes o = explored({{read(x), half}, {read(x), half}});
    CHECK(o.all == std::multiset<values>{{0, 1}, {1, 0}});
}

TEST_CASE("choices are made both ways") {
    found_totals totals;
    explored({{end_or_not(), write(x, 1)}, {read(x)}}, &totals);
    CHECK(totals.executions == 3);
}

namespace {

/// Thread 0 polls x until it is not 0, then writes z; the others do what the toy says.
class polls final : public ringproof::silicon::machine {
  public:
    explicit polls(std::vector<std::vector<step>> others) : others_(std::move(others)), toy_(others_) {}
    std::size_t threads() const override { return 1 + others_.size(); }
    word initial(std::uint64_t) const override { return {}; }
    std::shared_ptr<const run> run_thread(std::size_t thread, const history& past) override {
        if (thread > 0) return toy_.run_thread(thread - 1, past);
        auto r = std::make_shared<run>();
        event e;
        e.is_read = true;
        e.address = x;
        r->events.push_back(e);
        r->stored.emplace_back();
        r->waits_for.insert(0);
        r->how = past.loaded.empty() || !past.loaded[0]     ? run::end::waits
                 : past.loaded[0].value_or(word{}).low == 0 ? run::end::stuck
                                                            : run::end::finished;
        return r;
    }

  private:
    std::vector<std::vector<step>> others_;
    toy::machine toy_;
};

struct counts final : sink {
    int whole = 0, hanging = 0;
    void found(const part_of_execution&) override { ++whole; }
    bool hung(const part_of_execution&) override { return ++hanging, false; }
};

counts counted(std::vector<std::vector<step>> others) {
    polls m(std::move(others));
    counts c;
    explore(m, armv8(), c);
    return c;
}

} // namespace

TEST_CASE(
    "a thread that waits for a write that comes does not hang, and one whose write may be overwritten does") {
    const counts comes = counted({{write(x, 1)}});
    CHECK(comes.whole == 1);
    CHECK(comes.hanging == 0);
    const counts overwritten = counted({{write(x, 1)}, {write(x, 0)}});
    CHECK(overwritten.whole == 2);
    CHECK(overwritten.hanging == 1); // 1 before 0, and it reads the 0
    CHECK(counted({{write(y, 1)}}).hanging == 1);
    // A write that comes late: its thread waits for another one first.
    const counts late = counted({{read(y), end_if(0, 0), write(x, 1)}, {write(y, 1)}});
    CHECK(late.whole == 1);
    CHECK(late.hanging == 1);
}
