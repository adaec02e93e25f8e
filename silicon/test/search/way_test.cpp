// SPDX-License-Identifier: Apache-2.0
#include "../toy/toy_machine.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {

constexpr std::uint64_t x = 1, y = 2, z = 3;
using values = std::vector<std::uint64_t>;
using program = std::vector<std::vector<step>>;

/// Message passing through a choice and a branch, with a third thread that interferes.
program some_program() {
    return {{write(x, 1), end_or_not(), write(y, 1), write(z, 1)},
            {read(y), end_if(0, 0), read(x), write(z, 2)},
            {write(y, 2), read(z)}};
}

values values_of(const part_of_execution& whole) {
    values all;
    for (std::size_t t = 0; t < whole.threads.size(); ++t)
        for (std::size_t i = 0; i < whole.threads[t].reads.size(); ++i)
            if (whole.events(t)[i].is_read)
                all.push_back(whole.threads[t].past.loaded[i].value_or(word{}).low);
    return all;
}

struct noted final : sink {
    explicit noted(const way& where) : where_(where) {}
    void found(const part_of_execution& whole) override {
        all.emplace_back(where_.path(), values_of(whole));
        CHECK(where_.done() >= last_);
        last_ = where_.done();
    }
    std::vector<std::pair<std::vector<std::uint32_t>, values>> all;

  private:
    const way& where_;
    double last_ = 0;
};

/// What random walks say of the number of executions.
class measured final : public random_way {
  public:
    measured(std::uint64_t seed, const std::uint64_t& found) : random_way(seed), found_(found) {}
    double sum = 0;
    std::uint64_t walks = 0;

  private:
    std::pair<double, bool> walked(double stands_for) override {
        constexpr std::uint64_t enough = 20'000;
        const double met = found_ != before_ ? 1 : 0;
        sum += met * stands_for;
        before_ = found_;
        return {met, ++walks < enough};
    }
    const std::uint64_t& found_;
    std::uint64_t before_ = 0;
};

struct counted final : sink {
    void found(const part_of_execution&) override { ++count; }
    std::uint64_t count = 0;
};

} // namespace

TEST_CASE("the path of an execution leads to it again, and to no other") {
    toy::machine m(some_program());
    way all;
    noted every(all);
    const found_totals totals = explore(m, armv8(), every, all);
    REQUIRE(every.all.size() == totals.executions);
    REQUIRE(every.all.size() > 20);
    std::set<std::vector<std::uint32_t>> paths;
    for (const auto& [path, left] : every.all) {
        CHECK(paths.insert(path).second);
        known_way one(path);
        noted again(one);
        toy::machine same(some_program());
        explore(same, armv8(), again, one);
        CHECK(one.at_its_end());
        REQUIRE(again.all.size() == 1);
        CHECK(again.all.front().second == left);
    }
}

TEST_CASE("a path that does not fit is refused") {
    const auto follow = [](std::vector<std::uint32_t> path) {
        toy::machine m(some_program());
        known_way one(std::move(path));
        counted some;
        explore(m, armv8(), some, one);
        return one.at_its_end();
    };
    CHECK_THROWS_AS(follow({}), std::invalid_argument);
    CHECK_THROWS_AS(follow({99}), std::invalid_argument);
    toy::machine m(some_program());
    way all;
    noted every(all);
    explore(m, armv8(), every, all);
    std::vector<std::uint32_t> longer = every.all.front().first;
    longer.push_back(0);
    CHECK_FALSE(follow(longer));
}

TEST_CASE("random walks stand for all executions, on the average") {
    toy::machine m(some_program());
    counted every;
    const auto executions = static_cast<double>(explore(m, armv8(), every).executions);
    counted some;
    measured walks(1, some.count);
    explore(m, armv8(), some, walks);
    CHECK(walks.walks == 20'000);
    CHECK(walks.sum / static_cast<double>(walks.walks) == Approx(executions).epsilon(0.05));
}
