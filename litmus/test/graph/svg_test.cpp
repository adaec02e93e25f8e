// SPDX-License-Identifier: Apache-2.0
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"
#include "../../src/graph/svg.hpp"
#include "../../src/graph/writer.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace ringproof::litmus;

namespace {

const std::string message_passing = "C MP\n{}\nP0(atomic_int *x, atomic_int *y) {\n"
                                    "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
                                    "  atomic_store_explicit(y, 1, memory_order_release);\n}\n"
                                    "P1(atomic_int *x, atomic_int *y) {\n"
                                    "  int a = atomic_load_explicit(y, memory_order_relaxed);\n"
                                    "  int b = atomic_load_explicit(x, memory_order_relaxed);\n}\n"
                                    "exists (1:a=1 /\\ 1:b=0)\n";

simulation run(const std::string& text, const char* model, std::size_t keep) {
    const loaded_test t = load_test({"t.litmus", text}, 2);
    limits l;
    l.keep = keep;
    return simulate(t.text, t.what, model::load(model, {}), l);
}

} // namespace

TEST_CASE("the execution shown is one that satisfies the condition, with its events and relations") {
    const simulation s = run(message_passing, "rc11", 3);
    REQUIRE(s.executions.size() == 1); // only one does
    const execution& x = s.executions[0];
    CHECK(x.witness);
    CHECK(x.state == "1:a=1; 1:b=0;");
    REQUIRE(x.events.size() == 6);
    CHECK(event_text(x, 0) == "a: W x=0");
    CHECK(event_text(x, 3).find("W[A,REL] y=1") != std::string::npos);
    const auto j = to_json(x, {"t.litmus", message_passing});
    CHECK(j["relations"]["po"] == nlohmann::ordered_json::parse("[[2,3],[4,5]]"));
    CHECK(j["relations"]["rf"] == nlohmann::ordered_json::parse("[[0,5],[3,4]]"));
    CHECK(j["relations"]["co"] == nlohmann::ordered_json::parse("[[0,2],[1,3]]"));
    CHECK(j["relations"]["fr"] == nlohmann::ordered_json::parse("[[5,2]]"));
    CHECK(j["events"][5]["line"] == 9);
    CHECK_FALSE(j["relations"].contains("data"));
}

TEST_CASE("where no execution satisfies the condition, an allowed one is shown and named as such") {
    const simulation s = run(message_passing, "sc", 1);
    REQUIRE(s.executions.size() == 1);
    CHECK_FALSE(s.executions[0].witness);
    CHECK(run(message_passing, "sc", 0).executions.empty());
    CHECK(run(message_passing, "sc", 100).executions.size() == 3);
}

TEST_CASE("dependencies and read-modify-writes are drawn") {
    const simulation s =
        run("AArch64 T\n{ 0:X1=x; 0:X3=y; 1:X1=x; }\n P0 | P1 ;\n LDR W0,[X1] | MOV W2,#1 ;\n"
            " STR W0,[X3] | SWP W2,W4,[X1] ;\nexists (0:X0=1)\n",
            "aarch64", 1);
    REQUIRE(s.executions.size() == 1);
    const auto j = to_json(s.executions[0], {"", ""});
    CHECK(j["relations"]["data"].size() == 1);
    CHECK(j["relations"]["rmw"].size() == 1);
}

TEST_CASE("a picture is the same bytes each time, and well-formed whatever a test is called") {
    const execution x = run(message_passing, "rc11", 1).executions.at(0);
    const std::string svg = to_svg(x, "a<b & \"c\"");
    CHECK(svg == to_svg(run(message_passing, "rc11", 1).executions.at(0), "a<b & \"c\""));
    CHECK(svg.find("<title>a&lt;b &amp; &quot;c&quot;</title>") != std::string::npos);
    CHECK(svg.find("Thread 1") != std::string::npos);
    // One arrow for each pair: 2 po, 2 rf, 2 co, 1 fr.
    std::size_t arrows = 0;
    for (std::size_t at = 0; (at = svg.find("marker-end", at)) != std::string::npos; ++at) ++arrows;
    CHECK(arrows == 7);
}
