// SPDX-License-Identifier: Apache-2.0
// A search in parts finds what it finds at once.
#include "../toy/toy_machine.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <stdexcept>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {

using program = std::vector<std::vector<step>>;
using dice = std::mt19937_64;

std::uint64_t below(dice& d, std::uint64_t n) { return d() % n; }

step random_step(dice& d, std::vector<int>& reads, int at) {
    const std::uint64_t address = 1 + below(d, 2);
    const int earlier = reads.empty() ? -1 : reads[below(d, reads.size())];
    switch (below(d, 8)) {
    case 0:
        return full_barrier();
    case 1:
        return end_or_not();
    case 2:
        if (earlier >= 0) return end_if(earlier, below(d, 2));
        [[fallthrough]];
    case 3:
    case 4: {
        step s = write(address, 1 + below(d, 2), below(d, 3) == 0 ? earlier : -1);
        s.more.release = below(d, 4) == 0;
        return s;
    }
    default: {
        reads.push_back(at);
        step s = read(address);
        s.more.acquire = below(d, 4) == 0;
        return s;
    }
    }
}
program random_program(dice& d) {
    program p(2 + below(d, 2));
    const std::uint64_t most = p.size() == 2 ? 6 : 4;
    for (auto& thread : p) {
        std::vector<int> reads;
        const std::uint64_t steps = 2 + below(d, most - 1);
        for (std::uint64_t k = 0; k < steps; ++k)
            thread.push_back(random_step(d, reads, static_cast<int>(k)));
    }
    return p;
}

struct stop {};

/// Gives parts of the search away, and stops, now and then.
class restless final : public sink {
  public:
    restless(dice& d, std::uint64_t often) : dice_(d), often_(often) {}
    void found(const part_of_execution& whole) override { all.found(whole); }
    void working() override {
        if (below(dice_, often_) == 0)
            if (auto part = now->give()) parts.push_back(std::move(*part));
        if (below(dice_, often_) == 0) throw stop{};
    }
    outcomes all;
    std::vector<tree_part> parts{{}}; ///< that are left
    way* now = nullptr;

  private:
    dice& dice_;
    std::uint64_t often_;
};

/// @return how many parts there were
std::size_t search_in_parts(const program& code, restless& to, found_totals& totals) {
    std::size_t count = 0;
    for (; !to.parts.empty(); ++count) {
        const tree_part part = to.parts.back();
        to.parts.pop_back();
        toy::machine m(code); // another process would not have this one, either
        way_through_part by(part);
        to.now = &by;
        try {
            explore(m, armv8(), to, by, totals);
        } catch (const stop&) {
            to.parts.push_back(by.rest());
        }
    }
    return count;
}

} // namespace

TEST_CASE("1,000 programs, searched in parts and stopped now and then, have the executions that they have at "
          "once") {
    dice d(22);
    std::size_t parts = 0;
    std::uint64_t executions = 0;
    for (int k = 0; k < 1000; ++k) {
        const program code = random_program(d);
        found_totals at_once, in_parts;
        const outcomes wanted = explored(code, &at_once);
        restless to(d, 8 + below(d, 60));
        parts += search_in_parts(code, to, in_parts);
        CAPTURE(k);
        REQUIRE(to.all.all == wanted.all);
        REQUIRE(in_parts.executions == at_once.executions);
        REQUIRE(in_parts.blocked == at_once.blocked);
        executions += at_once.executions;
    }
    CHECK(parts > 5'000);
    CHECK(executions > 10'000);
}

TEST_CASE("what a search has done and what it gives away make up the tree") {
    way all;
    all.enter(0, 4, 4);
    all.enter(0, 2, 2);
    CHECK(all.rest() == tree_part{{0, 4}, {0, 2}});
    const auto given = all.give();
    REQUIRE(given);
    CHECK(*given == tree_part{{2, 4}}); // the greater half of what is left, without what it is in
    CHECK(all.rest() == tree_part{{0, 2}, {0, 2}});
    CHECK(all.give() == tree_part{{1, 2}});
    CHECK(all.give() == tree_part{{0, 1}, {1, 2}});
    CHECK_FALSE(all.give());
    CHECK_FALSE(all.next());
    CHECK(all.done() == Approx(0));
    CHECK_FALSE(all.next());
}

TEST_CASE("a part of another program's search is refused") {
    toy::machine m({{write(1, 1)}, {read(1)}});
    outcomes to;
    found_totals totals;
    for (const tree_part& part : {tree_part{{0, 3}}, tree_part{{1, 1}}, tree_part{{2, 1}}}) {
        way_through_part by(part);
        CHECK_THROWS_AS(explore(m, armv8(), to, by, totals), std::invalid_argument);
    }
}
