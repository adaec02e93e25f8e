// SPDX-License-Identifier: Apache-2.0
// The estimate beside a search; what estimates is a script here.
#include "../../ranks/estimator.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <ringproof/command/file.hpp>
#include <thread>

using namespace ringproof::verify::ranks;
using ringproof::command::temporary_folder;

namespace {

const char* const document = R"({"estimates": [
    {"name": "a", "model": "rc11", "executions": 120.0, "low": 90.0, "high": 180.0, "walks": 50},
    {"name": "b", "model": "rc11", "low": 7.0, "walks": 50},
    {"name": "c", "model": "sc", "low": 7.0, "executions": 9.0, "walks": 50}]})";

/// What it says after one question at 20 s.
std::optional<estimated_sizes> said_by(const std::string& script) {
    const temporary_folder dir("ringproof-test");
    ringproof::command::write_text(document, dir / "document");
    ringproof::command::write_text(
        "cd '" + dir.path().string() +
            "'; while [ \"$1\" != --json ]; do echo \"$1\" >>words; shift; done; " + script + "\n",
        dir / "script");
    estimator asks({"/bin/sh", dir / "script", "filter"});
    CHECK_FALSE(asks.look(1, 2)); // too early for it to be worth while
    CHECK_FALSE(std::filesystem::exists(dir / "words"));
    for (int tries = 0; tries < 500; ++tries) {
        if (auto sizes = asks.look(20, 2)) {
            CHECK(ringproof::command::read_text(dir / "words") == "filter\n--estimate\n--time\n0.500\n");
            CHECK_FALSE(asks.look(59, 2)); // not again so soon
            return sizes;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (std::filesystem::exists(dir / "gone")) return asks.look(20, 2);
    }
    return {};
}

} // namespace

TEST_CASE("sizes of searches are what an estimate beside them says") {
    const auto sizes = said_by("cp document \"$2\"");
    REQUIRE(sizes);
    REQUIRE(sizes->size() == 1); // of the others, one bound or more is not known
    const estimated_size& a = sizes->at("a under rc11");
    CHECK(a.low == 90);
    CHECK(a.likely == 120);
    CHECK(a.high == 180);
}

TEST_CASE("where an estimate cannot be had, the search goes on without") {
    CHECK_FALSE(said_by("touch gone"));
    CHECK_FALSE(said_by("echo nonsense >\"$2\"; touch gone"));
    CHECK_FALSE(said_by("touch gone; kill -9 $$"));
    CHECK_THROWS_AS(sizes_in("{}"), std::invalid_argument);
}
