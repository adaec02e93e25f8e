// SPDX-License-Identifier: Apache-2.0
#include "log/result.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace ringproof::litmus;

TEST_CASE("a result in JSON says what the log says, and how it was obtained") {
    const test t = parse_test({"dir/T.litmus", "X86 T\n{ }\nP0 ;\nMOV [x],$1 ;\nexists (x=1)"});
    test_result r = make_result(t, {{{0}, 2}, {{1}, 5}});
    r.engine = "hardware";
    r.iterations = 7;
    r.affinity = "incr";
    r.cpus = {0, 1};
    const auto j = to_json(r);
    CHECK(j["name"] == "T");
    CHECK(j["file"] == "dir/T.litmus");
    CHECK(j["dialect"] == "X86");
    CHECK(j["engine"] == "hardware");
    CHECK(j["condition"] == "exists ([x]=1)");
    CHECK(j["observation"] == "Sometimes");
    CHECK(j["positive"] == 5);
    CHECK(j["negative"] == 2);
    CHECK(j["iterations"] == 7);
    CHECK(j["threads"] == 1);
    CHECK(j["affinity"]["cpus"].size() == 2);
    CHECK(j["verdict"] == "observed");
    CHECK(j["ok"] == true);
    REQUIRE(j["states"].size() == 2);
    CHECK(j["states"][1] == nlohmann::ordered_json({{"state", "[x]=1;"}, {"count", 5}, {"witness", true}}));
}

TEST_CASE("a state that the model forbids makes the verdict refuted") {
    const test t = parse_test({"T", "X86 T\n{ }\nP0 ;\nMOV [x],$1 ;\nexists (x=1)"});
    test_result r = make_result(t, {{{1}, 5}});
    r.model = "x86-tso";
    CHECK(to_json(r)["verdict"] == "consistent");
    r.forbidden.push_back({7});
    const auto j = to_json(r);
    CHECK(j["verdict"] == "refuted");
    CHECK(j["ok"] == false);
    CHECK(j["forbidden"][0] == "[x]=7;");
}
