// SPDX-License-Identifier: Apache-2.0
// What ThreadSanitizer is asked, and what is printed of its answer.
#include "opinion.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

TEST_CASE("ThreadSanitizer compiles the files of an edition with the flags of the exhibit") {
    exhibit one;
    one.name = "flag";
    one.driver = "/museum/flag.cpp";
    one.flags = {"-I{museum}/standin"};
    one.before.flags = {"-I{source}/include"};
    one.before.files = {"{source}/flag.c"};
    const showing shown{&one, &one.before, true, {"", "/taken", "flag 1"}};
    std::vector<std::string> words = tsan_command(shown, "/out");
    words.erase(words.begin()); // $CXX
    const std::vector<std::string> expected{"-fsanitize=thread",
                                            "-O1",
                                            "-g",
                                            "-w",
                                            "-pthread",
                                            "-std=c++20",
                                            "-I/museum/standin",
                                            "-I/taken/include",
                                            "/museum/flag.cpp",
                                            "/taken/flag.c",
                                            "-o",
                                            "/out"};
    CHECK(words == expected);
}

TEST_CASE("an opinion is told with its runs and its time") {
    ringproof::command::json said{{"tool", "tsan"}, {"verdict", "bug"}, {"runs", 3}, {"seconds", 0.72}};
    said["message"] = "data race";
    CHECK(opinion_text(said) == "tsan: data race after 0.7 s, in run 3");
    said["verdict"] = "no bug";
    said["message"] = "no report";
    CHECK(opinion_text(said) == "tsan: no report in 0.7 s, 3 runs");
    said["verdict"] = "failed";
    said["message"] = "it does not compile: …";
    CHECK(opinion_text(said) == "tsan: it does not compile: …");
    CHECK(opinion_text(opinion_without_run("genmc", "failed", "no such order")) == "genmc: no such order");
    said["verdict"] = "no bug";
    said["message"] = "no report";
    said["all"] = true;
    CHECK(opinion_text(said) == "tsan: no report in 0.7 s, 3 runs, which are all");
    said["tool"] = "relacy";
    said["verdict"] = "not expressible";
    said["message"] = "it locks a mutex";
    CHECK(opinion_text(said) == "relacy: not expressible: it locks a mutex");
}
