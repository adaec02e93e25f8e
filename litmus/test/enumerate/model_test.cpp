// SPDX-License-Identifier: Apache-2.0
#include "../../src/enumerate/model.hpp"
#include "simulated.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("a model is one of ours by name, or a file") {
    const model tso = model::load("x86-tso", {});
    CHECK(tso.name() == "x86-tso");
    REQUIRE(tso.common() != nullptr);
    CHECK_FALSE(tso.common()->checks.empty());
    CHECK(tso.shapes().all);
    const model_file file("acyclic po | rf as weak\n");
    const model own = model::load(file.path.string(), {});
    CHECK(own.name() == file.path.stem().string());
    CHECK(own.common()->checks.size() == 1);
    CHECK_FALSE(own.shapes().all);
}

TEST_CASE("a model that nobody has is an error that lists those there are") {
    CHECK_THROWS_WITH(model::load("x87-tso", {}),
                      Catch::Contains("there is no model 'x87-tso'") && Catch::Contains("x86-tso"));
    CHECK_THROWS(model::load("/no/such/file.cat", {}));
}

TEST_CASE("a model that looks into a set of events is made for each execution") {
    const model_file file("let f S = match S with || {} -> po || x ++ xs -> 0 end\nempty f(W) as a\n");
    const model m = model::load(file.path.string(), {});
    CHECK(m.common() == nullptr);
    struct : cat::base_values {
        void fill(const std::string& name, bool is_set, word* to) const override {
            if (is_set && name == "W") to[0] = 1;
        }
    } const one_write;
    struct : cat::base_values {
        void fill(const std::string&, bool, word*) const override {}
    } const no_write;
    const cat::graph with = m.make(extent(2), one_write), without = m.make(extent(2), no_write);
    CHECK(with.is_empty(with.checks.at(0).what));
    CHECK_FALSE(without.is_empty(without.checks.at(0).what));
}
