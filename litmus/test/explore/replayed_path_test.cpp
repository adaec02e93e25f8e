// SPDX-License-Identifier: Apache-2.0
#include "../../src/explore/replayed_path.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::exploring;

namespace {

struct fixture {
    fixture() { p.location_index("x"); }
    replayed_path path() { return {p, 0, past, variables}; }
    program p;
    ringproof::silicon::history past;
    std::vector<expr> variables;
};

} // namespace

TEST_CASE("a load is a variable, the same each time, until its value is known") {
    fixture f;
    operand_value first, second, known;
    replayed_path a = f.path(), b = f.path();
    a.read(a.address_of("x"), {}, first);
    b.read(b.address_of("x"), {}, second);
    CHECK(first.e == second.e);
    CHECK_FALSE(f.p.values->is_constant(first.e));
    f.past.loaded = {to_word(value{3, -1})};
    replayed_path c = f.path();
    c.read(c.address_of("x"), {}, known);
    CHECK(f.p.values->constant_of(known.e) == value{3, -1});
    CHECK(known.from == 1); // it depends on the load all the same
}

TEST_CASE("what is guessed is checked when it is known") {
    fixture f;
    const auto decide = [&] {
        replayed_path p = f.path();
        operand_value v;
        p.read(p.address_of("x"), {}, v);
        return p.decide(v);
    };
    CHECK_THROWS_AS(decide(), asks_for_choice);
    f.past.chosen = {{0, 0}};
    CHECK(decide());
    f.past.loaded = {to_word(value{3, -1})};
    CHECK(decide());
    f.past.loaded = {to_word(value{0, -1})};
    CHECK_THROWS_AS(decide(), path_ends);
    f.past.chosen.clear();
    CHECK_FALSE(decide());
}

TEST_CASE("a branch waits for what it depends on, and what follows depends on it") {
    fixture f;
    replayed_path a = f.path();
    operand_value v;
    a.read(a.address_of("x"), {}, v);
    CHECK_THROWS_AS(a.branch(v), waits_for_loads);
    f.past.loaded = {to_word(value{3, -1})};
    replayed_path b = f.path();
    b.read(b.address_of("x"), {}, v);
    CHECK(b.branch(v));
    CHECK(b.control_from() == 1);
}

TEST_CASE("addresses and numbers are carried as they are") {
    for (const value& v : {value{0, -1}, value{-5, -1}, value{8, 2}, value{0, 0}})
        CHECK(from_word(to_word(v)) == v);
}
