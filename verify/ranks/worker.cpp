// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/wait.h>

namespace ringproof::verify::ranks {
namespace {

namespace fs = std::filesystem;
using command::exit_code, command::json;

std::string end_of(const std::string& text) {
    constexpr std::size_t enough = 2000;
    return text.size() > enough ? "…" + text.substr(text.size() - enough) : text;
}

std::string text_of(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error) ? command::read_text(path) : "";
}

} // namespace

worker::worker(std::vector<std::string> command, turns t) : command_(std::move(command)), turns_(t) {}

void worker::hear(const message& told) {
    if (told.what == message::kind::work) {
        kill_it();
        start(told);
    } else if (told.assignment != assignment_ || !searcher_.runs()) {
        return;
    } else if (told.what == message::kind::stop) {
        searcher_.interrupt();
    } else if (told.what == message::kind::cancel) {
        kill_it();
    }
}

void worker::start(const message& work) {
    assignment_ = work.assignment;
    failure_.clear();
    try {
        for (const char* old : {"left.json", "result.json", "said.txt"}) fs::remove(file(old));
        command::write_text(work.text, file("part.json"));
    } catch (const std::exception& error) {
        failure_ = error.what();
        return;
    }
    std::vector<std::string> words = command_;
    words.insert(words.end(), {"--resume", file("part.json"), "--checkpoint", file("left.json"), "--json",
                               file("result.json")});
    if (work.divide != 1)
        words.insert(words.end(), {"--time", fmt::format("{}", work.divide ? turns_.first : turns_.others)});
    if (work.divide > 1) words.insert(words.end(), {"--divide", std::to_string(work.divide)});
    started_ = std::chrono::steady_clock::now();
    failure_ = searcher_.start(words, file("said.txt"));
}

void worker::kill_it() {
    searcher_.kill_it();
    assignment_ = 0;
}

/// What the files and the exit code say.
message worker::ending(int status) const {
    using kind = message::kind;
    const std::string said = end_of(text_of(file("said.txt")));
    if (WIFSIGNALED(status))
        return {kind::died, assignment_, 0,
                fmt::format("signal {} ({})\n{}", WTERMSIG(status), strsignal(WTERMSIG(status)), said)};
    const int code = WEXITSTATUS(status);
    const std::string result = text_of(file("result.json")), left = text_of(file("left.json"));
    if (result.empty()) {
        const bool refused = code == to_int(exit_code::usage) || code == to_int(exit_code::no_match) ||
                             code == to_int(exit_code::skipped) || code == 127;
        return {refused ? kind::unusable : kind::died, assignment_, 0,
                refused ? said : fmt::format("exit code {}\n{}", code, said)};
    }
    try {
        const json first = json::parse(result).at("results").at(0);
        if (left.empty() && !first.contains("stopped_by")) return {kind::done, assignment_, 0, "", result};
        if (left.empty()) return {kind::died, assignment_, 0, "it did not write what is left\n" + said};
        const bool learnt = first.contains("found") && first.at("found").at("learnt").get<bool>();
        return {learnt ? kind::learnt : kind::left, assignment_, 0, left};
    } catch (const json::exception& error) {
        return {kind::died, assignment_, 0,
                fmt::format("its result cannot be read: {}\n{}", error.what(), said)};
    }
}

std::optional<message> worker::look() {
    if (!failure_.empty()) {
        message m{message::kind::died, assignment_, 0, failure_};
        failure_.clear();
        assignment_ = 0;
        return m;
    }
    const std::optional<int> status = searcher_.ended();
    if (!status) return {};
    message m = ending(*status);
    m.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    assignment_ = 0;
    return m;
}

} // namespace ringproof::verify::ranks
