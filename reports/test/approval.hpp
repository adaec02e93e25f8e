// SPDX-License-Identifier: Apache-2.0
#pragma once
// Approval files: what a format looked like when a person last read it. With RINGPROOF_APPROVE=1
// in the environment the files are written anew; read the diff before committing it.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "results.hpp"

#include <ringproof/command/document.hpp>

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot read");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::string data(const std::string& name) {
    return std::string(RINGPROOF_TEST_FOLDER "/data/") + name;
}

/// A document by its short path, so that messages are the same everywhere.
inline ringproof::report::document sample(const std::string& name) {
    return ringproof::report::accept(name, ringproof::report::json::parse(read_file(data(name))));
}

inline void approve(const std::string& name, std::string text) {
    // What changes with every release is no part of the form.
    const std::string version = "\"version\": \"" + std::string(ringproof::command::version()) + "\"";
    if (const auto at = text.find(version); at != std::string::npos)
        text.replace(at, version.size(), "\"version\": \"(ours)\"");
    const std::string path = std::string(RINGPROOF_TEST_FOLDER "/approved/") + name;
    if (std::getenv("RINGPROOF_APPROVE")) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    CHECK(text == read_file(path));
}
