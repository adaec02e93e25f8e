// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/coherence.hpp"
#include "model_in_execution.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

TEST_CASE("which models forbid incoherence is read off their checks") {
    for (const std::string& name : built_in_models()) {
        INFO(name);
        const forbidden_shapes s =
            coherence_of(interpret(*parse_model({name, *built_in(name + ".cat")}), {}));
        CHECK(s.all);
        CHECK(s.read_own_future);
    }
    const auto all = [](const std::string& check) {
        return coherence_of(run("include \"cos.cat\"\n" + check)).all;
    };
    CHECK(all("acyclic po-loc | rf | co | fr"));
    CHECK(all("irreflexive po ; (rf | co | fr)+"));
    CHECK_FALSE(all("acyclic po-loc | rf | co"));
    CHECK_FALSE(all("acyclic po-loc | rfe | co | fr"));
    CHECK_FALSE(all("flag ~acyclic po-loc | rf | co | fr as bad"));
    CHECK_FALSE(all("acyclic (po-loc & (W * W)) | rf | co | fr"));
}

TEST_CASE("a model forbids incoherence only if it forbids each of its shapes") {
    const auto shapes = [](const std::string& checks) {
        return coherence_of(run("include \"cos.cat\"\nlet po-loc = po & loc\n" + checks));
    };
    const std::vector<std::string> each{
        "irreflexive rf ; po-loc\n", "irreflexive co ; po-loc\n", "irreflexive (rf^-1 ; co) ; po-loc\n",
        "irreflexive co ; rf ; po-loc\n", "irreflexive (rf^-1 ; co) ; rf ; po-loc\n"};
    for (std::size_t without = 0; without <= each.size(); ++without) {
        std::string checks;
        for (std::size_t k = 0; k < each.size(); ++k)
            if (k != without) checks += each[k];
        INFO(checks);
        CHECK(shapes(checks).all == (without == each.size()));
        CHECK(shapes(checks).read_own_future == (without != 0));
    }
    const std::string rest = each[1] + each[2] + each[3] + each[4];
    CHECK_FALSE(shapes(rest + "~irreflexive rf ; po-loc\n").all);
    CHECK_FALSE(shapes(rest + "undefined_unless irreflexive rf ; po-loc as race\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive rf ; (po-loc & (W * W))\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive rf ; (po-loc \\ (R * W))\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive (rf ; po-loc) ; rf\n").all);
    CHECK(shapes(rest + "irreflexive rf ; (po-loc \\ id)\n").all);
    CHECK(shapes(rest + "irreflexive rf ; co? ; po-loc\n").all);
    CHECK(shapes(rest + "irreflexive rf ; po-loc+\n").all);
    CHECK(shapes(rest + "irreflexive rf ; co* ; po-loc\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive rf ; co+ ; po-loc\n").all);
    CHECK(shapes(rest + "let rec hb = po-loc | (hb ; hb)\nirreflexive rf ; hb\n").all);
}
