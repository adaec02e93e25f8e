// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify::ranks {
namespace {

namespace fs = std::filesystem;
using command::exit_code, command::json;

/// The searcher ends with this process, whatever ends this one.
[[noreturn]] void become(std::vector<std::string> words, const std::string& said) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int out = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dup2(nothing, STDIN_FILENO);
    dup2(out >= 0 ? out : nothing, STDOUT_FILENO);
    dup2(out >= 0 ? out : nothing, STDERR_FILENO);
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    dprintf(STDERR_FILENO, "%s: %s\n", argv[0], std::strerror(errno));
    _exit(127);
}

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

worker::~worker() { kill_it(); }

void worker::hear(const message& told) {
    if (told.what == message::kind::work) {
        kill_it();
        start(told);
    } else if (told.assignment != assignment_ || child_ <= 0) {
        return;
    } else if (told.what == message::kind::stop) {
        kill(child_, SIGINT);
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
    child_ = fork();
    if (child_ == 0) become(words, file("said.txt"));
    if (child_ < 0) failure_ = fmt::format("fork: {}", std::strerror(errno));
    // Whichever of the two comes first.
    if (child_ > 0) setpgid(child_, child_);
}

void worker::kill_it() {
    if (child_ > 0) {
        kill(-child_, SIGKILL);
        while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    child_ = 0;
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
    int status = 0;
    if (child_ <= 0 || waitpid(child_, &status, WNOHANG) != child_) return {};
    kill(-child_, SIGKILL); // what it began, too
    message m = ending(status);
    m.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    child_ = 0;
    assignment_ = 0;
    return m;
}

} // namespace ringproof::verify::ranks
