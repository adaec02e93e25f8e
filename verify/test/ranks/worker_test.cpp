// SPDX-License-Identifier: Apache-2.0
// The searcher of a rank, which is a script here.
#include "../../ranks/worker.hpp"

#include "made.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

using namespace ringproof::verify;
using namespace ringproof::verify::ranks;
using Catch::Matchers::Contains;
using ringproof::command::temporary_folder;
using kind = message::kind;

namespace {

struct script {
    /// @param does sh, with $part, $left and $result
    explicit script(const std::string& does) {
        ringproof::command::write_text(made::result("a", {}, 5), dir / "done");
        ringproof::command::write_text(
            "part='' left='' result='' all=\"$*\"\n"
            "while [ $# -gt 0 ]; do\n"
            "case $1 in --resume) part=$2 ;; --checkpoint) left=$2 ;; --json) result=$2 ;; esac\n"
            "shift; done\n"
            "cd '" +
                dir.path().string() + "'\n" + does + "\n",
            dir / "searcher");
        does_.emplace(std::vector<std::string>{"/bin/sh", dir / "searcher"}, worker::turns{7, 9});
    }
    worker& get() { return *does_; }
    message end_of(const message& work) {
        get().hear(work);
        return end();
    }
    message end() {
        for (int tries = 0; tries < 2000; ++tries) {
            if (auto m = get().look()) return *m;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        FAIL("the searcher does not end");
        return {};
    }
    temporary_folder dir{"ringproof-test"};

  private:
    std::optional<worker> does_;
};

const message work{kind::work, 3, 0, "a part"};

} // namespace

TEST_CASE("a searcher that comes to the end of its part") {
    script s("test \"$(cat \"$part\")\" = 'a part' && cp done \"$result\"");
    const message m = s.end_of(work);
    CHECK(m.what == kind::done);
    CHECK(m.assignment == 3);
    CHECK(m.result == ringproof::command::read_text(s.dir / "done"));
    CHECK(s.get().assignment() == 0);
    CHECK_FALSE(s.get().look());
}

TEST_CASE("what a searcher leaves at the end of its turn") {
    script s("echo rest >\"$left\"; cp done \"$result\"; echo \"$all\" >all");
    const message m = s.end_of(work);
    CHECK(m.what == kind::left);
    CHECK(m.text == "rest\n");
    CHECK_THAT(ringproof::command::read_text(s.dir / "all"), Contains("--time 9") && !Contains("--divide"));
}

TEST_CASE("a searcher divides, or searches to the end, when it is told to") {
    script s("echo \"$all\" >all; cp done \"$result\"");
    s.end_of({kind::work, 4, 40, "a part"});
    CHECK_THAT(ringproof::command::read_text(s.dir / "all"), Contains("--time 7") && Contains("--divide 40"));
    s.end_of({kind::work, 5, 1, "a part"});
    CHECK_THAT(ringproof::command::read_text(s.dir / "all"), !Contains("--time") && !Contains("--divide"));
}

TEST_CASE("a part that learnt something") {
    script s("echo whole >\"$left\"; cp learnt \"$result\"");
    ringproof::command::write_text(made::result("a", {{"d", 1, 2, 1}}, 5, "inconclusive", true),
                                   s.dir / "learnt");
    CHECK(s.end_of(work).what == kind::learnt);
}

TEST_CASE("a searcher that is killed, fails, or writes nothing it can be asked for") {
    CHECK_THAT(script("kill -9 $$").end_of(work).text, Contains("signal 9"));
    const message failed = script("echo out of memory >&2; exit 3").end_of(work);
    CHECK(failed.what == kind::died);
    CHECK_THAT(failed.text, Contains("exit code 3") && Contains("out of memory"));
    CHECK(script("echo '{' >\"$result\"").end_of(work).what == kind::died);
    script cut("sed 's/\"name\"/\"stopped_by\": \"x\", &/' done >\"$result\"");
    CHECK_THAT(cut.end_of(work).text, Contains("did not write what is left"));
}

TEST_CASE("a searcher that does not fit, or is not there") {
    const message m = script("echo 'error: another program' >&2; exit 2").end_of(work);
    CHECK(m.what == kind::unusable);
    CHECK_THAT(m.text, Contains("another program"));
    worker none({"/no/such/program"}, {});
    none.hear(work);
    std::optional<message> told;
    while (!(told = none.look())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(told->what == kind::unusable);
    CHECK_THAT(told->text, Contains("/no/such/program: No such file"));
}

TEST_CASE("a searcher that is asked for what is left, and one that nobody wants any more") {
    script s("trap 'echo rest >\"$left\"; cp done \"$result\"; exit 130' INT; echo >begun\n"
             "while :; do sleep 0.01; done");
    s.get().hear(work);
    while (!std::filesystem::exists(s.dir / "begun"))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    s.get().hear({kind::stop, 2}); // of another assignment
    CHECK_FALSE(s.get().look());
    s.get().hear({kind::stop, 3});
    CHECK(s.end().what == kind::left);
    s.get().hear(work);
    s.get().hear({kind::cancel, 3});
    CHECK(s.get().assignment() == 0);
    CHECK_FALSE(s.get().look());
}
