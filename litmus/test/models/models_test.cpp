// SPDX-License-Identifier: Apache-2.0
// Small tests that each show one clause of a model. What a model makes of it stands in the file itself:
//     Says=MODEL OBSERVATION [FLAG…]
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ringproof::litmus;

namespace {

namespace fs = std::filesystem;

const fs::path folder = RINGPROOF_LITMUS_CLAUSES;

std::string found(const loaded_test& t, const std::string& name) {
    static std::map<std::string, model> models;
    if (models.count(name) == 0) models.emplace(name, model::load(name, {}));
    const simulation s = simulate(t.text, t.what, models.at(name), {});
    std::string text = observation(s.positive, s.negative);
    for (const std::string& flag : s.flags) text += " " + flag;
    return text;
}

} // namespace

TEST_CASE("each small test is judged by its models as its file says") {
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".litmus") continue;
        ++files;
        const loaded_test t = load_test(read_source(entry.path().string()), 2);
        std::size_t says = 0;
        for (const auto& [key, value] : t.text.meta) {
            if (key != "Says") continue;
            ++says;
            const std::size_t space = value.find(' ');
            REQUIRE(space != std::string::npos);
            INFO(entry.path().filename().string() << " under " << value.substr(0, space));
            CHECK(found(t, value.substr(0, space)) == value.substr(space + 1));
        }
        INFO(entry.path().filename().string());
        CHECK(says != 0);
    }
    CHECK(files > 10);
}

TEST_CASE("the file that stands in for herd7's dependencies has those that go through memory") {
    const fs::path scratch = fs::temp_directory_path() / ("deps-" + std::to_string(getpid()));
    fs::create_directories(scratch);
    // What herd7's file of this name defines, as far as ours needs it.
    std::ofstream(scratch / "aarch64util.cat") << "include \"cos.cat\"\nlet same-loc = loc\n";
    std::ofstream(scratch / "pick.cat")
        << "catdep\ninclude \"aarch64deps.cat\"\n"
           "let ordered = pick-dep ; [R & A] ; po ; [W] | [M] ; po ; [DMB.SY] ; po ; [M]\n"
           "acyclic ordered | rf & ext as external\n";
    const model m = model::load((scratch / "pick.cat").string(), {});
    const auto positive = [&](const char* file) {
        const loaded_test t = load_test(read_source((folder / file).string()), 2);
        return simulate(t.text, t.what, m, {}).positive;
    };
    CHECK(positive("LB+pick-rfi-acq+dmb.sy.litmus") == 0);
    CHECK(positive("LB+pick-rfi+dmb.sy.litmus") != 0);
    fs::remove_all(scratch);
}
