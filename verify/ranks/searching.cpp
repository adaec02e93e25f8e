// SPDX-License-Identifier: Apache-2.0
#include "searching.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify::ranks {
namespace {

/// It ends with this process, whatever ends this one.
[[noreturn]] void become(std::vector<std::string> words, const std::string& said, int nice) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (nice != 0) setpriority(PRIO_PROCESS, 0, nice); // more than we may: as it is
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

} // namespace

std::string searching::start(const std::vector<std::string>& words, const std::string& said, int nice) {
    kill_it();
    child_ = fork();
    if (child_ == 0) become(words, said, nice);
    if (child_ < 0) return fmt::format("fork: {}", std::strerror(errno));
    setpgid(child_, child_); // whichever of the two comes first
    return "";
}

void searching::interrupt() {
    if (runs()) kill(child_, SIGINT);
}

void searching::kill_it() {
    if (runs()) {
        kill(-child_, SIGKILL);
        while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    child_ = 0;
}

std::optional<int> searching::ended() {
    int status = 0;
    if (!runs() || waitpid(child_, &status, WNOHANG) != child_) return {};
    kill(-child_, SIGKILL); // what it began, too
    child_ = 0;
    return status;
}

} // namespace ringproof::verify::ranks
