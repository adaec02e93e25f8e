// SPDX-License-Identifier: Apache-2.0
// What Relacy is asked of an exhibit, and what becomes of its answer, with a program in Relacy's place; and the real one,
// where this build has it.
#include "relacy.hpp"

#include "folder.hpp"
#include "opinion.hpp"

#include <nlohmann/json.hpp>

using namespace ringproof::verify;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// An adapter whose searches print these answers. One that is empty: it crashes.
class fake_adapter {
  public:
    fake_adapter(const std::string& random, const std::string& full) {
        write("random.json", random);
        write("full.json", full);
        write("fake.c", "#include <stdio.h>\n#include <stdlib.h>\nvoid __tsan_init(void) {}\n"
                        "int main(int argc, char** argv) {\n    char path[999], text[999];\n"
                        "    snprintf(path, sizeof path, \"" +
                            folder_.path().string() +
                            "/%s.json\", argv[4]);\n    FILE* file = fopen(path, \"r\");\n"
                            "    if (!file || !fgets(text, sizeof text, file)) abort();\n"
                            "    return puts(text) < 0;\n}\n");
        REQUIRE(run_binary({"/usr/bin/gcc", "-w", "-c", folder_ / "fake.c", "-o", folder_ / "fake.o"}).code ==
                0);
        REQUIRE(run_binary({"/usr/bin/ar", "rcs", folder_ / "fake.a", folder_ / "fake.o"}).code == 0);
    }
    /// What is said of an exhibit with this driver.
    json asked(const std::string& driver = "int main(void) { return 0; }",
               const std::string& shows = "data race") {
        write("driver.c", driver + "\n");
        exhibit one;
        one.driver = folder_ / "driver.c";
        one.shows = shows;
        return ask_relacy({&one, &one.before, true, {"", "/taken", "flag 1"}}, folder_ / "fake.a", 2);
    }

  private:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
    }
    ringproof::command::temporary_folder folder_{"ringproof-test-relacy"};
};

std::string nothing(int runs, bool finished) {
    return json{{"bug", false}, {"finished", finished}, {"runs", runs}, {"seconds", 0.5}, {"words", ""}}
        .dump();
}

std::string bug(const std::string& words) {
    return json{{"bug", true}, {"finished", false}, {"runs", 3}, {"seconds", 0.25}, {"words", words}}.dump();
}

} // namespace

TEST_CASE("for Relacy, driver and files become one object") {
    exhibit one;
    one.name = "flag";
    one.driver = "/museum/flag.c";
    one.flags = {"-Wl,--gc-sections", "-DX"};
    one.before.files = {"{source}/flag.c"};
    const showing shown{&one, &one.before, true, {"", "/taken", "flag 1"}};
    std::vector<std::string> words = relacy_compile_command(shown, "/out.o");
    words.erase(words.begin()); // $CC
    const std::vector<std::string> expected{"-r",
                                            "-nostdlib",
                                            "-fno-builtin-memcpy",
                                            "-fno-builtin-memmove",
                                            "-fno-builtin-memset",
                                            "-fno-builtin-memcmp",
                                            "-fsanitize=thread",
                                            "-O1",
                                            "-g",
                                            "-w",
                                            "-pthread",
                                            "-DX",
                                            "/museum/flag.c",
                                            "/taken/flag.c",
                                            "-o",
                                            "/out.o"};
    CHECK(words == expected);
}

TEST_CASE("what Relacy finds at random is told, and otherwise what its full search finds") {
    CHECK(opinion_text(fake_adapter(bug("DATA RACE"), "").asked()) ==
          "relacy: data race after 0.2 s, in run 3");
    CHECK(opinion_text(fake_adapter(nothing(10, false), bug("USER ASSERT FAILED")).asked()) ==
          "relacy: user assert failed after 0.8 s, in run 13");
    CHECK(opinion_text(fake_adapter(nothing(10, false), nothing(20, false)).asked()) ==
          "relacy: no report in 1.0 s, 30 runs");
    CHECK(opinion_text(fake_adapter(nothing(10, false), nothing(20, true)).asked()) ==
          "relacy: no report in 1.0 s, 20 runs, which are all");
}

TEST_CASE("a loop that does not yield is no bug, unless a livelock is what the exhibit shows") {
    fake_adapter gives_up(nothing(10, false), bug("LIVELOCK"));
    const json said = gives_up.asked();
    CHECK(said.at("verdict") == "no bug");
    CHECK_THAT(opinion_text(said), Contains("its full search gave up at a loop that does not yield"));
    CHECK(gives_up.asked("int main(void) { return 0; }", "livelock").at("verdict") == "bug");
}

TEST_CASE("what cannot be expressed on Relacy, compiled or run is no verdict") {
    const std::string refused = json{{"not_expressible", "it locks a mutex"}}.dump();
    CHECK(opinion_text(fake_adapter(refused, "").asked()) == "relacy: not expressible: it locks a mutex");
    fake_adapter fake("", "");
    CHECK(opinion_text(fake.asked()) == "relacy: Relacy crashed, hung or gave no answer");
    CHECK(opinion_text(fake.asked("_Thread_local int mine; int main(void) { return mine; }")) ==
          "relacy: not expressible: it has thread-local variables");
    CHECK_THAT(opinion_text(fake.asked("int main(void) { return none; }")),
               Contains("it does not compile: ") && Contains("none"));
    CHECK_THAT(opinion_text(fake.asked("void none(void); int main(void) { none(); return 0; }")),
               Contains("it does not link: ") && Contains("none"));
}

TEST_CASE("Relacy's adapter that is not built is named, with what to do") {
    exhibit one;
    const showing shown{&one, &one.before, true, {"", "/taken", "flag 1"}};
    CHECK(opinion_text(ask_relacy(shown, "/nowhere/adapter.a", 1)) ==
          "relacy: /nowhere/adapter.a is not there: configure with -DRINGPROOF_RELACY_ROOT=DIR, and build "
          "ringproof_museum_relacy");
}

TEST_CASE("the verb asks the real Relacy, where this build has it") {
    const small_museum museum;
    const program_run run = museum.show({"--source", "flag=" + museum.clone, "--json", museum.folder / "o",
                                         "--second-opinion", "relacy,genmc", "--opinion-time", "2"});
    CHECK(run.code == 0);
    const json results = json::parse(content_of(museum.folder / "o")).at("results");
    for (const json& one : results) {
        const json said = one.at("exhibit").at("opinions");
        INFO(said.dump());
        REQUIRE(said.size() == 2);
        CHECK(said[1].at("message") == "it is C++, and GenMC reads C");
        const bool fixed = one.at("exhibit").at("fixed");
        if (!RINGPROOF_TEST_RELACY) {
            CHECK(said[0].at("verdict") == "failed");
            CHECK_THAT(said[0].at("message").get<std::string>(), Contains("RINGPROOF_RELACY_ROOT"));
        } else if (fixed) {
            CHECK(said[0].at("verdict") == "no bug");
            CHECK(said[0].at("all") == true);
        } else {
            CHECK(said[0].at("message") == "data race");
        }
    }
}

TEST_CASE("mutexes, condition variables, static variables and allocation come to the real Relacy") {
    if (!RINGPROOF_TEST_RELACY) {
        WARN("not tried: this build has no Relacy");
        return;
    }
    const auto asked = [](const std::string& sleeps) {
        const ringproof::command::temporary_folder folder("ringproof-test-relacy");
        exhibit one;
        one.driver = folder / "driver.cpp";
        std::ofstream(one.driver)
            << "#include <cassert>\n#include <condition_variable>\n#include <cstdlib>\n#include <thread>\n"
               "std::mutex mutex;\nstd::condition_variable changed;\nbool ready;\n"
               "int* memory() { static int* const all = (int*)std::calloc(2, sizeof(int)); return all; }\n"
               "int main() {\n    std::thread other([] {\n        memory()[0] = 1;\n"
               "        const std::lock_guard held(mutex);\n        ready = true;\n"
               "        changed.notify_one();\n    });\n    {\n        std::unique_lock held(mutex);\n       "
               " "
            << sleeps
            << "\n    }\n    assert(memory()[0] + memory()[1] == 1);\n    other.join();\n"
               "    std::free(memory());\n}\n";
        const std::filesystem::path bin = std::filesystem::path(RINGPROOF_TEST_MUSEUM).parent_path();
        return opinion_text(ask_relacy({&one, &one.before, true, {"", "/taken", "flag 1"}},
                                       bin.parent_path() / "lib/libringproof_museum_relacy.a", 2));
    };
    CHECK_THAT(asked("while (!ready) changed.wait(held);"), Contains("relacy: no report"));
    CHECK_THAT(asked("changed.wait(held);"), Contains("relacy: deadlock after")); // it was ready already
}
