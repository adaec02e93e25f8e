// SPDX-License-Identifier: Apache-2.0
#include "workload.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ringproof::record_command {
namespace {

[[noreturn]] void fail(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

} // namespace

workload::workload(std::span<const std::string> command) : name_(command.front()) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::array<int, 2> go{}, news{};
    if (::pipe2(go.data(), O_CLOEXEC) != 0 || ::pipe2(news.data(), O_CLOEXEC) != 0) fail("pipe2");
    process_ = ::fork();
    if (process_ < 0) fail("fork");
    if (process_ == 0) {
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        std::signal(SIGXFSZ, SIG_DFL);
        ::close(go[1]);
        char byte = 0;
        if (::read(go[0], &byte, 1) != 1) ::_exit(0); // called off
        ::execvp(words[0], words.data());
        const int why = errno;
        [[maybe_unused]] const auto said = ::write(news[1], &why, sizeof why);
        ::_exit(127);
    }
    ::close(go[0]);
    ::close(news[1]);
    go_ = go[1], news_ = news[0];
}

workload::~workload() {
    ::close(go_);
    ::close(news_);
    if (running_) ::kill(process_, SIGTERM); // who ends the recording ends what was recorded
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
}

void workload::start() {
    const char byte = 1;
    if (::write(go_, &byte, 1) != 1) fail("write");
    int why = 0;
    // Ends without a byte when exec closes the pipe.
    ssize_t size = 0;
    while ((size = ::read(news_, &why, sizeof why)) < 0 && errno == EINTR) {
    }
    if (size == static_cast<ssize_t>(sizeof why))
        throw std::system_error(why, std::generic_category(), name_);
    running_ = true;
}

std::optional<int> workload::ended() {
    int status = 0;
    const pid_t who = ::waitpid(process_, &status, WNOHANG);
    if (who != process_) return std::nullopt;
    running_ = false;
    process_ = -1;
    return status;
}

} // namespace ringproof::record_command
