// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs the real binary and keeps what it said.

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::litmus::test {

namespace fs = std::filesystem;

struct ran {
    int code = -1;
    std::string out;
    std::string err;
};

/// A folder for one test case, removed at its end.
struct folder {
    folder() {
        std::string pattern = (fs::temp_directory_path() / "ringproof-cli-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()));
        path = pattern;
    }
    ~folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    std::string write(const std::string& name, const std::string& text) const {
        fs::create_directories((path / name).parent_path());
        std::ofstream(path / name) << text;
        return (path / name).string();
    }
    fs::path path;
};

inline std::string slurp(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

inline ran run(const std::string& arguments, const std::string& before = "") {
    const folder scratch;
    const fs::path err = scratch.path / "err";
    const std::string command =
        before + " '" RINGPROOF_LITMUS_BINARY "' " + arguments + " 2>'" + err.string() + "'";
    ran r;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    std::array<char, 4096> block{};
    for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
        r.out.append(block.data(), n);
    const int status = pclose(pipe);
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r.err = slurp(err);
    return r;
}

} // namespace ringproof::litmus::test
