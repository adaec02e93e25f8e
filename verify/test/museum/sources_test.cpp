// SPDX-License-Identifier: Apache-2.0
// Where sources are found, and what is said of those that are not.
#include "sources.hpp"

#include "folder.hpp"

#include <ringproof/command/child.hpp>
#include <ringproof/command/file.hpp>

using namespace ringproof::verify;
using Catch::Matchers::Contains;

namespace {

bool debian() { return !ringproof::command::program_in_path("dpkg-query").empty(); }

origin of_commit(const std::string& commit) { return {"", "", "flag", commit, {"include"}}; }

} // namespace

TEST_CASE("files of a commit are taken out of a clone") {
    const small_museum museum;
    const clones known{{"flag", museum.clone}};
    const found_source before = find_source(of_commit(museum.before), "", known, museum.folder.path() / "x");
    const found_source after = find_source(of_commit(museum.after), "", known, museum.folder.path() / "x");
    CHECK(before.absent.empty());
    CHECK(before.version == "flag " + museum.before.substr(0, 12));
    CHECK_THAT(content_of((before.folder / "include/flag.hpp").string()), Contains("memory_order_relaxed"));
    CHECK_THAT(content_of((after.folder / "include/flag.hpp").string()), Contains("memory_order_release"));
}

TEST_CASE("a commit that a clone does not have, and a folder that is none, are errors") {
    const small_museum museum;
    const std::string nowhere(40, '1');
    CHECK_THROWS_WITH(find_source(of_commit(nowhere), "https://example.org", {{"flag", museum.clone}},
                                  museum.folder.path()),
                      Contains("no clone with commit " + nowhere) &&
                          Contains("clone https://example.org whole"));
    CHECK_THROWS_WITH(
        find_source(of_commit(museum.before), "u", {{"flag", museum.exhibits}}, museum.folder.path()),
        Contains("no clone with commit"));
    CHECK_THROWS_WITH(find_source({"", "", "flag", museum.before, {"none"}}, "u", {{"flag", museum.clone}},
                                  museum.folder.path()),
                      Contains("cannot take none out of commit"));
}

TEST_CASE("a source that is not there says what it needs") {
    CHECK(find_source(of_commit(std::string(40, '1')), "https://example.org", {}, {}).absent ==
          "needs --source flag=DIR, a clone of https://example.org");
    CHECK(find_source({"no-such-package", "1", "", "", {}}, "", {}, {}).absent ==
          "needs package no-such-package");
    // The package comes first: without it the clone is of no use.
    CHECK(
        find_source({"no-such-package", "", "flag", std::string(40, '1'), {"include"}}, "", {}, {}).absent ==
        "needs package no-such-package");
}

TEST_CASE("another version of a package is not taken for the one with the bug") {
    if (!debian()) return;
    CHECK_THAT(find_source({"dpkg", "999", "", "", {}}, "", {}, {}).absent,
               Contains("needs dpkg 999; installed is 1."));
    const found_source found = find_source({"dpkg", "1.", "", "", {}}, "", {}, {});
    CHECK(found.absent.empty());
    CHECK_THAT(found.version, Contains("dpkg 1."));
}

TEST_CASE("a source is named as an exhibit names it, with a folder that is there") {
    exhibit one;
    one.before.from.source = "flag";
    CHECK(read_clones({"flag=/"}, {one}) == clones{{"flag", "/"}});
    CHECK_THROWS_WITH(read_clones({"flag"}, {one}), Contains("write NAME=DIR"));
    CHECK_THROWS_WITH(read_clones({"flog=/"}, {one}),
                      Contains("no exhibit has a source 'flog'") && Contains("did you mean 'flag'"));
    CHECK_THROWS_WITH(read_clones({"flag=/no/such"}, {one}), Contains("/no/such is no folder"));
}
