// SPDX-License-Identifier: Apache-2.0
#pragma once
// A museum of one exhibit, with a library that has a bug in its first commit and none in its second.

#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <ringproof/command/temporary_folder.hpp>
#include <string>
#include <vector>

struct small_museum {
    ringproof::command::temporary_folder folder{"ringproof-test-museum"};
    std::string clone = folder / "clone", exhibits = folder / "exhibits";
    std::string before, after; ///< commits

    small_museum() {
        std::filesystem::create_directories(clone);
        std::filesystem::create_directories(exhibits);
        git({"init", "-q"});
        before = commit("relaxed");
        after = commit("release");
        write(exhibits + "/flag.cpp", "#include <cassert>\n#include <flag.hpp>\n#include <thread>\n"
                                      "int main() {\n"
                                      "    std::thread other(publish);\n"
                                      "    if (is_there()) assert(data == 42);\n"
                                      "    other.join();\n"
                                      "}\n");
        describe();
    }
    /// @param shows how the counterexample begins
    void describe(const std::string& shows = "data race", const std::string& fixed = "") const {
        write(exhibits + "/flag.toml", "title = \"a flag\"\nbug = \"relaxed\"\nproduction = \"none\"\n"
                                       "links = [\"https://example.org/1\"]\nurl = \"https://example.org\"\n"
                                       "driver = \"flag.cpp\"\nmodel = \"rc11\"\nshows = \"" +
                                           shows + "\"\nflags = [\"-I{source}/include\"]\n" +
                                           edition("before", before) +
                                           edition("after", fixed.empty() ? after : fixed));
    }
    program_run show(const std::vector<std::string>& words) const {
        std::vector<std::string> all{RINGPROOF_TEST_MUSEUM, "--exhibits", exhibits};
        all.insert(all.end(), words.begin(), words.end());
        return run_binary(all);
    }

  private:
    static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
    static std::string edition(const std::string& key, const std::string& commit) {
        return "[" + key + "]\nsource = \"flag\"\ncommit = \"" + commit + "\"\npaths = [\"include\"]\n";
    }
    std::string git(const std::vector<std::string>& words) const {
        std::vector<std::string> all{"/usr/bin/git",      "-C", clone, "-c", "user.name=x", "-c",
                                     "user.email=x@y.org"};
        all.insert(all.end(), words.begin(), words.end());
        const program_run run = run_binary(all);
        REQUIRE(run.code == 0);
        return run.out.substr(0, run.out.find('\n'));
    }
    /// A commit of the library, which stores its flag with this order.
    std::string commit(const std::string& order) const {
        std::filesystem::create_directories(clone + "/include");
        write(clone + "/include/flag.hpp",
              "#include <atomic>\ninline int data;\ninline std::atomic<bool> flag;\n"
              "inline void publish() { data = 42; flag.store(true, std::memory_order_" +
                  order + "); }\ninline bool is_there() { return flag.load(std::memory_order_acquire); }\n");
        git({"add", "-A"});
        git({"commit", "-q", "-m", order});
        return git({"rev-parse", "HEAD"});
    }
};
