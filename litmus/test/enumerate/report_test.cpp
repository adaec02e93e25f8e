// SPDX-License-Identifier: Apache-2.0
#include "../../src/enumerate/report.hpp"
#include "simulated.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace ringproof::litmus;

TEST_CASE("the log has herd7's lines, the document the same facts") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    const simulation s = simulate(t.text, t.what, model::load("sc", {}), {});
    const std::string log = to_log(t.text, "sc", s);
    CHECK(
        log.find(
            "Test SB Allowed\nStates 3\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; "
            "1:EAX=1;\nNo\nWitnesses\n"
            "Positive: 0 Negative: 3\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Never 0 3\n") ==
        0);
    const auto j = to_json(t.text, "sc", s);
    CHECK(j["engine"] == "simulator");
    CHECK(j["observation"] == "Never");
    CHECK(j["states"].size() == 3);
    CHECK(j["verdict"] == "observed");
}

TEST_CASE("the log and the document say what is not counted because it is out of thin air") {
    const loaded_test t =
        load_test({"t.litmus", load_buffering(" atomic_store_explicit(y, r, memory_order_relaxed);\n")}, 2);
    const simulation s = simulate(t.text, t.what, model::load("c11", {}), {});
    CHECK(to_log(t.text, "c11", s)
              .find("\nThinAir LB the model allows executions whose values only justify each "
                    "other; they are not counted, and one could decide the condition") != std::string::npos);
    CHECK(to_json(t.text, "c11", s)["thin_air"] ==
          nlohmann::ordered_json({{"allowed", true}, {"could_satisfy", true}, {"could_violate", true}}));
    const simulation none = simulate(t.text, t.what, model::load("rc11", {}), {});
    CHECK(to_log(t.text, "rc11", none).find("ThinAir") == std::string::npos);
    CHECK(to_json(t.text, "rc11", none)["thin_air"]["allowed"] == false);
}

TEST_CASE("with ~exists the witnesses are those of the whole condition, as in the hardware's log") {
    std::string text = store_buffering;
    text.replace(text.rfind("exists"), 6, "~exists");
    const loaded_test t = load_test({"t.litmus", text}, 2);
    const simulation s = simulate(t.text, t.what, model::load("x86-tso", {}), {});
    const std::string log = to_log(t.text, "x86-tso", s);
    CHECK(log.find("Test SB Forbidden\n") == 0);
    CHECK(log.find("\nNo\nWitnesses\nPositive: 3 Negative: 1\n") != std::string::npos);
    CHECK(log.find("\nObservation SB Sometimes 1 3\n") != std::string::npos);
    CHECK(verdict(t.text, s) == "refuted");
    text.replace(text.rfind("~exists"), 7, "forall");
    const loaded_test all = load_test({"t.litmus", text}, 2);
    CHECK(to_log(all.text, "x86-tso", simulate(all.text, all.what, model::load("x86-tso", {}), {}))
              .find("Test SB Required\n") == 0);
}

TEST_CASE("undefined behaviour and flags have lines of their own") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    const model_file flags("include \"cos.cat\"\nflag ~empty rf as reads\nflag empty rf as none\n"
                           "undefined_unless empty rf as race\nundefined_unless ~empty rf as fine\n");
    const simulation s = simulate(t.text, t.what, model::load(flags.path.string(), {}), {});
    CHECK(s.flags == std::set<std::string>{"reads", "undefined:race"});
    const std::string log = to_log(t.text, "m", s);
    CHECK(log.find("\nFlag reads\nUndefined race\nCondition") != std::string::npos);
}
