// SPDX-License-Identifier: Apache-2.0
#include "children.hpp"

#include "../src/command/interrupt.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile pid_t running = 0; ///< the child; only written while the signals are blocked

void pass_on(int signal) {
    interrupted = 1;
    const int error = errno;
    if (running > 0) sigqueue(running, signal, passed_on());
    errno = error;
}

/// Keeps both signals out for a while.
class without_signals {
  public:
    without_signals() {
        sigset_t both;
        sigemptyset(&both);
        sigaddset(&both, SIGINT);
        sigaddset(&both, SIGTERM);
        sigprocmask(SIG_BLOCK, &both, &before_);
    }
    ~without_signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    without_signals(const without_signals&) = delete;
    without_signals& operator=(const without_signals&) = delete;
    const sigset_t& before() const { return before_; }

  private:
    sigset_t before_{};
};

} // namespace

void pass_signals_on() {
    struct sigaction action {};
    action.sa_handler = pass_on;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

int run_and_wait(const std::vector<std::string>& arguments, child_kind kind, const std::string& folder) {
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    {
        const without_signals now;
        if (interrupted) return SIGINT; // as if it had ended so
        const pid_t child = fork();
        if (child < 0) throw std::runtime_error(std::string("cannot fork: ") + std::strerror(errno));
        if (child == 0) {
            std::signal(SIGINT, SIG_DFL);
            std::signal(SIGTERM, SIG_DFL);
            if (kind == child_kind::other) sigprocmask(SIG_SETMASK, &now.before(), nullptr);
            if (!folder.empty() && chdir(folder.c_str()) != 0) {
                fmt::print(stderr, "{}: cannot work in this folder: {}\n", folder, std::strerror(errno));
                _exit(127);
            }
            execvp(argv[0], argv.data());
            fmt::print(stderr, "{}: {}\n", arguments.front(), std::strerror(errno));
            _exit(127);
        }
        running = child;
    }
    int status = 0;
    siginfo_t
        ended; // not reaped before its number is forgotten: it could be another's by the time of a signal
    while (waitid(P_PID, static_cast<id_t>(running), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    const without_signals now;
    while (waitpid(running, &status, 0) < 0 && errno == EINTR) {
    }
    running = 0;
    return status;
}

} // namespace ringproof::verify
