// SPDX-License-Identifier: Apache-2.0
// `ringproof check` asked to end by a signal to its own process alone, as `kill` and CI systems do.

#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using nlohmann::json;

/// A folder that is gone when the test is; also what the checker takes for its temporary files.
struct scratch {
    std::string path = "/tmp/ringproof-test-interrupted-XXXXXX";
    scratch() { REQUIRE(mkdtemp(path.data())); }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() {
        for (const char* file : {"/results.json", "/compiler", "/started", "/ringproof.toml", "/broken.c",
                                 "/long.c", "/results.sarif"})
            unlink((path + file).c_str());
        rmdir(path.c_str());
    }
    /// Files in it that the test has not made.
    unsigned left_over() const {
        unsigned n = 0;
        DIR* folder = opendir(path.c_str());
        while (const dirent* e = readdir(folder)) n += std::string(e->d_name).starts_with("ringproof-check");
        closedir(folder);
        return n;
    }
};

/// The children of a process that run a program of that name, and have a handler for `signal`, or none is asked for.
pid_t child_of(pid_t parent, const std::string& name, int handles) {
    const std::string of = std::to_string(parent);
    std::istringstream children(content_of("/proc/" + of + "/task/" + of + "/children"));
    for (pid_t child = 0; children >> child;) {
        std::istringstream status(content_of("/proc/" + std::to_string(child) + "/status"));
        bool named = false;
        for (std::string line; std::getline(status, line);) {
            if (line.rfind("Name:\t", 0) == 0) named = line.substr(6) == name;
            if (line.rfind("SigCgt:", 0) == 0 && named &&
                (handles == 0 || (std::stoull(line.substr(7), nullptr, 16) >> (handles - 1) & 1) != 0))
                return child;
        }
    }
    return 0;
}

struct ended {
    int status;
    pid_t child;
};

/// Runs the checker, waits until it has that child, and sends `signals` to the checker alone, or to both.
ended interrupted_check(const std::vector<std::string>& arguments, const scratch& folder,
                        const std::string& child_name, int child_handles, const std::vector<int>& signals,
                        bool both = false) {
    const pid_t checker = fork();
    if (checker == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        setenv("TMPDIR", folder.path.c_str(), 1);
        std::vector<char*> argv{const_cast<char*>(RINGPROOF_TEST_CHECK)};
        for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(127);
    }
    pid_t child = 0;
    for (int tries = 0; tries < 12'000 && child == 0; ++tries) {
        usleep(10'000);
        child = child_of(checker, child_name, child_handles);
    }
    REQUIRE(child != 0);
    usleep(200'000); // so that there is something to report
    for (const int signal : signals) {
        if (both) kill(child, signal);
        kill(checker, signal);
        usleep(20'000);
    }
    int status = 0;
    for (int tries = 0; tries < 6'000; ++tries) {
        if (waitpid(checker, &status, WNOHANG) == checker) return {status, child};
        usleep(10'000);
    }
    kill(checker, SIGKILL);
    kill(child, SIGKILL);
    waitpid(checker, &status, 0);
    return {status, child};
}

const std::string endless = RINGPROOF_TEST_PROGRAMS "/many_orders.c";

} // namespace

TEST_CASE("a signal to the checker alone ends the search with a partial report") {
    for (const int signal : {SIGINT, SIGTERM}) {
        const scratch folder;
        const std::string results = folder.path + "/results.json";
        const ended end =
            interrupted_check({endless, "--json", results}, folder, "program", signal, {signal});
        REQUIRE(WIFEXITED(end.status));
        CHECK(WEXITSTATUS(end.status) == 130);
        CHECK(kill(end.child, 0) != 0);
        const json document = json::parse(content_of(results));
        CHECK(document.at("interrupted") == true);
        CHECK(document.at("results").at(0).at("verdict") == "inconclusive");
        CHECK(document.at("results").at(0).at("executions") > 0);
        CHECK(folder.left_over() == 0);
    }
}

TEST_CASE("Ctrl-C, which comes to the checker and to the program, counts as one") {
    const scratch folder;
    const std::string results = folder.path + "/results.json";
    const ended end =
        interrupted_check({endless, "--json", results}, folder, "program", SIGINT, {SIGINT}, true);
    REQUIRE(WIFEXITED(end.status));
    CHECK(WEXITSTATUS(end.status) == 130);
    CHECK(json::parse(content_of(results)).at("interrupted") == true);
}

TEST_CASE("a signal while the compiler runs ends both, and leaves nothing behind") {
    const scratch folder;
    const std::string compiler = folder.path + "/compiler";
    std::ofstream(compiler) << "#!/bin/sh\nexec sleep 600\n";
    chmod(compiler.c_str(), 0755);
    setenv("CC", compiler.c_str(), 1);
    const ended end = interrupted_check({endless}, folder, "sleep", 0, {SIGTERM});
    unsetenv("CC");
    REQUIRE(WIFEXITED(end.status));
    CHECK(WEXITSTATUS(end.status) == 130);
    CHECK(kill(end.child, 0) != 0);
    CHECK(folder.left_over() == 0);
}

TEST_CASE("a signal between the programs of a project leaves the results of what has ended") {
    const scratch folder;
    std::ofstream(folder.path + "/broken.c") << "int main(void) { return }\n"; // its compiler is no "program"
    std::ofstream(folder.path + "/long.c") << content_of(endless);
    std::ofstream project(folder.path + "/ringproof.toml");
    for (const char* name : {"broken", "long", "never"})
        project << "[[program]]\nname = \"" << name << "\"\nsources = [\"" << (*name == 'n' ? "long" : name)
                << ".c\"]\n";
    project.close();
    const ended end = interrupted_check({"--project", folder.path, "--json", folder.path + "/results.json",
                                         "--sarif", folder.path + "/results.sarif"},
                                        folder, "program", SIGTERM, {SIGTERM});
    REQUIRE(WIFEXITED(end.status));
    CHECK(WEXITSTATUS(end.status) == 130);
    const json document = json::parse(content_of(folder.path + "/results.json"));
    CHECK(document.at("interrupted") == true);
    REQUIRE(document.at("results").size() == 2);
    CHECK(document["results"][0]["verdict"] == "error");
    CHECK(document["results"][1]["verdict"] == "inconclusive");
    CHECK(document["results"][1]["executions"] > 0);
    CHECK(content_of(folder.path + "/results.sarif").find("long.c") != std::string::npos);
    CHECK(folder.left_over() == 0);
}

TEST_CASE("a folder for temporary files that is not there is no internal error") {
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before ? before : "";
    setenv("TMPDIR", "/no/such/folder", 1);
    const program_run run = run_binary({RINGPROOF_TEST_CHECK, endless});
    before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
    CHECK(run.code == 2);
    CHECK_THAT(run.err,
               Catch::Matchers::Contains("/no/such/folder") && !Catch::Matchers::Contains("internal"));
}
