// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/opinion.hpp>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace ringproof::command;
using Catch::Matchers::Contains;

namespace {

/// A folder for adapters that are shell scripts. Gone with the test.
class folder {
  public:
    folder() {
        path_ = (std::filesystem::temp_directory_path() / "ringproof-opinion-XXXXXX").string();
        REQUIRE(mkdtemp(path_.data()) != nullptr);
    }
    ~folder() { std::filesystem::remove_all(path_); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;

    void put(const char* name, const std::string& text) const {
        std::ofstream(path_ + "/" + name) << text;
        std::filesystem::permissions(path_ + "/" + name, std::filesystem::perms::owner_all);
    }
    opinion_source relacy() const { return find_opinion(path_, "verify", "relacy"); }
    std::string path() const { return path_; }

  private:
    std::string path_;
};

std::string answering(const std::string& answer) { return "#!/bin/sh\necho '" + answer + "'\n"; }

} // namespace

TEST_CASE("an adapter that a build has left out is told of, although an earlier one stands there") {
    const folder here;
    CHECK(here.relacy().state == "absent");
    CHECK_THAT(here.relacy().why, Contains("there is no verify-relacy"));
    CHECK_THAT(here.relacy().install, Contains("RINGPROOF_RELACY_ROOT"));
    here.put("verify-relacy", answering(R"({"schedulers":["full"],"cannot_see":"much"})"));
    CHECK(here.relacy().ready());
    CHECK(here.relacy().program == here.path() + "/verify-relacy");
    CHECK(here.relacy().schedulers == std::vector<std::string>{"full"});
    CHECK(here.relacy().cannot_see == "much");
    here.put("verify-relacy.missing", "unusable\nit is too old\n");
    CHECK(here.relacy().state == "unusable");
    CHECK(here.relacy().why == "it is too old");
    here.put("verify-relacy.missing", "absent\nno folder\n");
    CHECK(here.relacy().state == "absent");
}

TEST_CASE("an adapter tells whether the checker behind it is there") {
    const folder here;
    here.put("verify-relacy", answering(R"({"absent":"nowhere in PATH"})"));
    CHECK(here.relacy().state == "absent");
    CHECK(here.relacy().why == "nowhere in PATH");
    here.put("verify-relacy", answering(R"({"unusable":"of another time"})"));
    CHECK(here.relacy().state == "unusable");
    CHECK(here.relacy().why == "of another time");
    here.put("verify-relacy", answering("{}"));
    CHECK(here.relacy().state == "unusable");
    CHECK_THAT(here.relacy().why, Contains("names no scheduler"));
}

TEST_CASE("a word of the command line names a checker of its verb, and perhaps its adapter") {
    CHECK_NOTHROW(check_opinions({"relacy", "genmc=/a/program"}, "verify"));
    CHECK_NOTHROW(check_opinions({"herd7"}, "litmus"));
    CHECK_THROWS_WITH(check_opinions({"oracle"}, "verify"),
                      Contains("no checker 'oracle'") && Contains("relacy"));
    CHECK_THROWS_WITH(check_opinions({"herd7"}, "verify"),
                      Contains("ringproof litmus --second-opinion herd7"));
    CHECK_THROWS_WITH(check_opinions({"genmc"}, "litmus"),
                      Contains("ringproof verify --second-opinion genmc"));
    const folder here;
    here.put("mine", answering(R"({"schedulers":["full"]})"));
    CHECK(find_opinion("relacy=" + here.path() + "/mine").ready());
    CHECK(find_opinion("relacy=/no/such/program").state == "unusable");
}

TEST_CASE("what an adapter says is an object, or trouble in a sentence") {
    const auto said = [](const std::string& commands) {
        return ask_opinion({"/bin/sh", "-c", commands}, 10);
    };
    CHECK(said("echo '{\"runs\": 3}'").said.at("runs") == 3);
    CHECK(said("echo '{\"runs\": 3}'").trouble.empty());
    CHECK(said("echo all is well").trouble == "what it printed is no answer: 'all is well'");
    CHECK(said("true").trouble == "it printed nothing");
    CHECK(said("exit 3").trouble == "it ended with exit code 3");
    CHECK(said("exit 3").exit_code == 3);
}
