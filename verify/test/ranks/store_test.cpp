// SPDX-License-Identifier: Apache-2.0
// The folder, whenever those who write to it are stopped.
#include "../../ranks/store.hpp"

#include "made.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <filesystem>
#include <set>
#include <stdexcept>

using namespace ringproof::verify;
using namespace ringproof::verify::ranks;
using Catch::Matchers::Contains;
using ringproof::command::temporary_folder;

namespace {

const std::vector<std::string> program{"program", "--model", "rc11"};

piece of(const std::string& checkpoint, std::uint64_t id) {
    piece p = pieces_of(checkpoint).at(0);
    p.id = id;
    return p;
}

std::set<std::uint64_t> read(const std::string& folder) {
    store s(folder, program);
    std::set<std::uint64_t> all;
    for (const piece& p : s.read()) all.insert(p.id);
    return all;
}

} // namespace

TEST_CASE("what is left and what is done are there for those who go on") {
    const temporary_folder dir("ringproof-test");
    store s(dir / "ranks", program);
    CHECK_FALSE(s.resumes());
    s.put(of(made::checkpoint("a"), 1));
    s.put(of(made::checkpoint("b"), 2));
    s.finish(2, made::result("b", {}, 5));
    s.put(of(made::checkpoint("a", 3, 16), 1)); // a turn later
    store again(dir / "ranks", program);
    CHECK(again.resumes());
    const auto open = again.read();
    REQUIRE(open.size() == 1);
    CHECK(open[0].id == 1);
    CHECK(open[0].search == "a under rc11");
    CHECK_FALSE(open[0].whole);
    CHECK(open[0].found == 3);
    REQUIRE(again.results().size() == 1);
    CHECK(again.results()[0] == dir / "ranks/2.out");
}

TEST_CASE("parts that were written before what they come from was gone are as if they were not") {
    const temporary_folder dir("ringproof-test");
    store s(dir / "ranks", program);
    const piece whole = of(made::checkpoint("a", 0, 16), 1);
    s.put(whole);
    std::vector<piece> parts = divided(whole, 2);
    REQUIRE(parts.size() == 2);
    parts[0].id = 2;
    parts[1].id = 3;
    s.divide(1, parts);
    CHECK(read(dir / "ranks") == std::set<std::uint64_t>{2, 3});
    SECTION("stopped in the middle of a division") {
        ringproof::command::write_text(whole.text, dir / "ranks/1.json");
        CHECK(read(dir / "ranks") == std::set<std::uint64_t>{1});
        CHECK(read(dir / "ranks") == std::set<std::uint64_t>{1});
        CHECK_FALSE(std::filesystem::exists(dir / "ranks/2.json"));
    }
    SECTION("stopped between a result and the end of its part") {
        ringproof::command::write_text(made::result("a", made::part_in(parts[0].text), 4),
                                       dir / "ranks/2.out");
        CHECK(read(dir / "ranks") == std::set<std::uint64_t>{3});
    }
    SECTION("stopped while a search begins anew") {
        s.finish(2, made::result("a", made::part_in(parts[0].text), 4));
        ringproof::command::write_text(made::checkpoint("a"), dir / "ranks/4.json");
        CHECK(read(dir / "ranks") == std::set<std::uint64_t>{4});
        CHECK(store(dir / "ranks", program).results().empty());
    }
    SECTION("a search that begins anew") {
        s.finish(2, made::result("a", made::part_in(parts[0].text), 4));
        s.begin_anew(of(made::checkpoint("a"), 4));
        CHECK(s.results().empty());
        CHECK(read(dir / "ranks") == std::set<std::uint64_t>{4});
    }
    SECTION("a search that is refuted keeps its results") {
        s.finish(2, made::result("a", made::part_in(parts[0].text), 4, "refuted"));
        s.drop("a under rc11");
        CHECK(read(dir / "ranks").empty());
        CHECK(std::filesystem::exists(dir / "ranks/2.out"));
    }
}

TEST_CASE("a folder with something else in it is refused, and stays as it is") {
    const temporary_folder dir("ringproof-test");
    ringproof::command::write_text("mine", dir / "file");
    CHECK_THROWS_WITH(store(dir.path().string(), program), Contains("not empty"));
    CHECK(ringproof::command::read_text(dir / "file") == "mine");
    CHECK_THROWS_WITH(store(dir / "file", program), Contains("cannot make the folder"));
    store(dir / "ranks", program).put(of(made::checkpoint("a"), 1));
    CHECK_THROWS_WITH(store(dir / "ranks", {"program"}), Contains("another command: program --model rc11"));
    ringproof::command::write_text("nothing", dir / "ranks/1.json");
    store s(dir / "ranks", program);
    CHECK_THROWS_WITH(s.read(), Contains("1.json: it is no part of a search"));
}
