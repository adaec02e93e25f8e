// SPDX-License-Identifier: Apache-2.0
// --second-opinion with simulators of our own making: shell scripts that answer, hang, crash or print nonsense, in the place of
// an adapter or of herd7 itself.
#include "../cli/binary.hpp"

#include <cstdlib>

using namespace ringproof::litmus::test;
using Catch::Matchers::Contains;

namespace {

const std::string sb = RINGPROOF_LITMUS_TESTS "/x86/SB.litmus";
const std::string race = RINGPROOF_LITMUS_TESTS "/perf-ring/c11/ring-MP-na+rel+none.litmus";
const std::string kernel = RINGPROOF_LITMUS_TESTS "/perf-ring/lkmm/ring-MP+rel+none.litmus";

/// What herd7 prints of SB under its x86 model, but for the order of the values of a state.
const std::string log_of_sb =
    "Test SB Allowed\nStates 4\n"
    "1:EAX=0; 0:EAX=0;\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; 1:EAX=1;\nOk\n"
    "Witnesses\nPositive: 1 Negative: 3\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\n"
    "Observation SB Sometimes 1 3\nTime SB 0.00\nHash=0\n";

/// A herd7 that tells its version and does `then` with a test.
class herd {
  public:
    explicit herd(const std::string& then, const std::string& version = "echo '7.0, Rev: fake'") {
        const std::string program = here_.write("herd7", "#!/bin/sh\nif [ \"$1\" = -version ]; then " +
                                                             version + "; exit; fi\n" + then + "\n");
        fs::permissions(program, fs::perms::owner_all);
        setenv("RINGPROOF_HERD7", program.c_str(), 1);
    }
    ~herd() { unsetenv("RINGPROOF_HERD7"); }
    herd(const herd&) = delete;
    herd& operator=(const herd&) = delete;

  private:
    folder here_;
};

std::string printing(const std::string& log) { return "cat <<'END'\n" + log + "END"; }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

ran ask(const std::string& file = sb) {
    return run("--quiet --second-opinion herd7 --opinion-time 1 " + file);
}

} // namespace

TEST_CASE("a simulator that reaches the same states agrees, in whatever order it prints them") {
    const herd fake(printing(log_of_sb));
    const ran r = ask();
    CHECK(r.code == 0);
    CHECK_THAT(r.out, Contains("SB [herd7, x86-tso]: Sometimes, 4 states, as ours") && Contains("1 as ours"));
}

TEST_CASE("our model is asked for by herd7's name of it") {
    const herd fake("echo \"Observation $1 $2 0 0\"");
    CHECK_THAT(ask().out, Contains("it says x86tso.cat, and we Sometimes"));
}

TEST_CASE("another observation, or another state, is a bug of one of the two: exit code 1") {
    {
        const herd fake(printing(replaced(log_of_sb, "Observation SB Sometimes", "Observation SB Never")));
        const ran r = ask();
        CHECK(r.code == 1);
        CHECK_THAT(r.out, Contains("it says Never, and we Sometimes. One of the two has a bug"));
        CHECK_THAT(r.out, Contains("Observation SB Sometimes")); // ours is as it was
    }
    {
        const herd fake(printing(replaced(log_of_sb, "0:EAX=1; 1:EAX=1;", "0:EAX=1; 1:EAX=2;")));
        const ran r = ask();
        CHECK(r.code == 1);
        CHECK_THAT(r.out, Contains("it reaches the state '0:EAX=1; 1:EAX=2', and we do not"));
    }
    {
        const herd fake(
            printing(replaced(replaced(log_of_sb, "States 4", "States 3"), "0:EAX=1; 1:EAX=1;\n", "")));
        CHECK_THAT(ask().out, Contains("we reach the state '0:EAX=1; 1:EAX=1', and it does not"));
    }
}

TEST_CASE("a data race is compared, and what comes of it is not") {
    const std::string log =
        "Test X Allowed\nStates 1\n1:r0=7; 1:r1=7;\nUndef\nFlag *undef*\nObservation X Never 0 1\n";
    {
        const herd fake(printing(log));
        const ran r = ask(race);
        CHECK(r.code == 0);
        CHECK_THAT(r.out, Contains("a data race, as ours"));
    }
    const herd fake(printing(replaced(log, "Flag *undef*\n", "")));
    const ran r = ask(race);
    CHECK(r.code == 1);
    CHECK_THAT(r.out, Contains("it finds no data race, and we one"));
}

TEST_CASE("a simulator that hangs, crashes or prints nonsense is told of, and our verdict stands") {
    const auto told = [](const std::string& then) {
        const herd fake(then);
        const ran r = ask();
        CHECK(r.code == 77);
        CHECK_THAT(r.out, Contains("Observation SB Sometimes 1 3"));
        return r.out;
    };
    CHECK_THAT(told("sleep 100 & sleep 100"),
               Contains("it gave up: herd7: it did not end within 1 s and was killed"));
    CHECK_THAT(told("kill -SEGV $$"), Contains("signal 11"));
    CHECK_THAT(told("echo 'no model of mine'"), Contains("it gave up: herd7: no model of mine"));
    CHECK_THAT(told("true"), Contains("herd7: it printed nothing"));
    CHECK_THAT(told(printing(log_of_sb) + "\nexit 2"), Contains("it gave up"));
}

TEST_CASE("an adapter's nonsense is told of as well") {
    const folder here;
    const auto told = [&](const std::string& then) {
        const std::string adapter = here.write(
            "adapter",
            "#!/bin/sh\nif [ \"$1\" = --about ]; then echo '{\"schedulers\":[]}'; exit; fi\n" + then + "\n");
        fs::permissions(adapter, fs::perms::owner_all);
        const ran r = run("--quiet --second-opinion herd7=" + adapter + " " + sb);
        CHECK(r.code == 77);
        return r.out;
    };
    CHECK_THAT(told("echo '{\"observation\":\"Never\"}'"), Contains("is no answer"));
    CHECK_THAT(told("echo '{\"observation\":3,\"states\":[]}'"), Contains("is no answer"));
    CHECK_THAT(told("echo all is well"), Contains("is no answer: 'all is well'"));
    CHECK_THAT(told("echo '{}'"), Contains("it simulated nothing"));
}

TEST_CASE("what a simulator has no model for is neither agreement nor failure") {
    unsetenv("RINGPROOF_LINUX_MODEL");
    const herd fake("exit 1");
    const ran r = ask(kernel);
    CHECK(r.code == 0);
    CHECK_THAT(r.out, Contains("it has no words for the test") && Contains("1 not expressible"));
}

TEST_CASE(
    "with the kernel's folder tools/memory-model herd7 is asked about its tests, under the kernel's model") {
    const folder here;
    here.write("linux-kernel.cat", "");
    const herd fake("echo \"Observation X $(basename \"${8}\"),$(basename \"${4}\") 0 0\"");
    setenv("RINGPROOF_LINUX_MODEL", here.path.c_str(), 1);
    const ran asked = ask(kernel);
    CHECK(asked.code == 1);
    CHECK_THAT(asked.out, Contains("it says linux-kernel.cat,linux-kernel.def, and we Sometimes"));
    setenv("RINGPROOF_LINUX_MODEL", "/nowhere", 1);
    const ran wrong = ask(kernel);
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.out,
               Contains("/nowhere, where no linux-kernel.cat is") && Contains("tools/memory-model"));
    CHECK_THAT(wrong.out, Contains("Observation ring-MP+rel+none Sometimes")); // ours is as it was
    unsetenv("RINGPROOF_LINUX_MODEL");
    CHECK_THAT(ask(kernel).out, Contains("RINGPROOF_LINUX_MODEL does not name the folder"));
}

TEST_CASE(
    "herd7 that is absent is skipped, with the line that installs it, and what is no herd7 is bad input") {
    const ran absent = run("--quiet --second-opinion herd7 " + sb, "RINGPROOF_HERD7= PATH=/nowhere");
    CHECK(absent.code == 77);
    CHECK_THAT(absent.out, Contains("Observation SB Sometimes") && Contains("skipped, absent") &&
                               Contains("opam install herdtools7") && Contains("RINGPROOF_HERD7"));
    const herd fake("", "echo hello");
    const ran r = ask();
    CHECK(r.code == 2);
    CHECK_THAT(r.out, Contains("skipped, unusable") && Contains("it is no herd7"));
}

TEST_CASE("checkers of programs are named with the command that asks them") {
    const ran r = run("--second-opinion genmc " + sb);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, Contains("ringproof verify --second-opinion genmc"));
    CHECK(run("--second-opinion herd7 --hardware " + sb).code == 2);
}

TEST_CASE("the document has the sources and what each said") {
    unsetenv("RINGPROOF_LINUX_MODEL");
    const herd fake(printing(log_of_sb));
    const ran r = run("--quiet --second-opinion herd7 --json - " + sb + " " + kernel + " 2>/dev/null");
    const auto asked = nlohmann::json::parse(r.out.substr(r.out.find("\n{") + 1)).at("opinions");
    CHECK(asked["sources"][0]["state"] == "ready");
    REQUIRE(asked["verdicts"].size() == 2);
    CHECK(asked["verdicts"][0]["verdict"] == "same");
    CHECK(asked["verdicts"][0]["model"] == "x86-tso");
    CHECK(asked["verdicts"][0]["words"] == "Observation SB Sometimes 1 3");
    CHECK(asked["verdicts"][1]["verdict"] == "not expressible");
}
