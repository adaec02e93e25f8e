// SPDX-License-Identifier: Apache-2.0
#include "../../parts/joined.hpp"

#include <ringproof/command/shard.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <catch2/catch.hpp>

using namespace ringproof::verify;
using namespace ringproof::command;
using Catch::Matchers::Contains;

namespace {

json test_result(const std::string& name, const std::string& verdict) {
    return {{"name", name}, {"model", "aarch64"}, {"verdict", verdict}};
}

struct written {
    temporary_folder folder{"ringproof-test"};
    std::vector<std::string> files;

    void add(std::size_t number, std::size_t of, std::initializer_list<json> results,
             const char* schema = "ringproof-litmus/1") {
        json document{{"schema", schema}, {"shard", to_json(shard{number, of}, {"a", "b", "c"})}};
        document["results"] = json::array();
        for (const json& result : results) document["results"].push_back(result);
        files.push_back((folder.path() / (std::to_string(files.size()) + ".json")).string());
        write_document(document, files.back());
    }
};

} // namespace

TEST_CASE("results of litmus tests are put one after the other") {
    written w;
    w.add(1, 2, {test_result("a", "consistent"), test_result("c", "observed")});
    w.add(2, 2, {test_result("b", "consistent")});
    CHECK(has_litmus_results(w.files[0]));
    const joined_results all = join(w.files);
    REQUIRE(all.results.size() == 3);
    CHECK(all.results[2].at("name") == "b");
    CHECK(code_of(all) == exit_code::holds);
}

TEST_CASE("one test decides the exit code of all, the worst of them") {
    const auto code = [](std::initializer_list<json> results) {
        written w;
        w.add(1, 1, results);
        return code_of(join(w.files));
    };
    const json fine = test_result("a", "consistent"), refuted = test_result("b", "refuted"),
               error = test_result("c", "error"), open = test_result("d", "inconclusive");
    CHECK(code({fine, refuted, error, open}) == exit_code::refuted);
    CHECK(code({fine, error, open}) == exit_code::usage);
    CHECK(code({fine, open}) == exit_code::inconclusive);
    CHECK(code({fine}) == exit_code::holds);
    CHECK(code({}) == exit_code::no_match);
}

TEST_CASE("a missing shard, and results of the checker among them, are refused") {
    written w;
    w.add(1, 2, {test_result("a", "consistent")});
    CHECK_THROWS_WITH(join(w.files), Contains("one is not given: 2/2"));
    w.add(2, 2, {}, "ringproof-verify/1");
    CHECK_FALSE(has_litmus_results(w.files[1]));
    CHECK_THROWS_WITH(join(w.files), Contains("no results of litmus tests"));
}
