// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

constexpr int threw = 1, not_written = 2; ///< exit codes of the process

bool write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(to, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::string read_all(int from) {
    std::string all;
    std::array<char, 4096> some{};
    for (;;) {
        const ssize_t got = read(from, some.data(), some.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return all;
        all.append(some.data(), static_cast<std::size_t>(got));
    }
}

[[noreturn]] void run_and_tell(const std::function<std::string()>& what, unsigned seconds, int to) {
    alarm(seconds);
    try {
        _exit(write_all(to, what()) ? 0 : not_written);
    } catch (...) {
        _exit(threw);
    }
}

} // namespace

told_apart run_apart(const std::function<std::string()>& what, unsigned seconds) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to another process");
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        run_and_tell(what, seconds, ends[1]);
    }
    close(ends[1]);
    told_apart told;
    if (process > 0) told.text = read_all(ends[0]);
    close(ends[0]);
    if (process < 0) throw std::runtime_error("no other process can be started");
    while (waitpid(process, &told.status, 0) < 0 && errno == EINTR) {
    }
    told.threw = WIFEXITED(told.status) && WEXITSTATUS(told.status) == threw;
    told.killed = WIFSIGNALED(told.status);
    if (told.killed) told.signal = WTERMSIG(told.status);
    return told;
}

} // namespace ringproof::verify
