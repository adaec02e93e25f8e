// SPDX-License-Identifier: Apache-2.0
#pragma once
// Running LTTng's own command line, with an end to it whatever it does.

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ringproof::bench::lttng {

/// Starts a program from PATH with its output thrown away and at usual priority; it ends with this thread.
/// @return its process, or -1
inline pid_t start(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& w : words)
        arguments.push_back(const_cast<char*>(w.c_str())); // execvp's signature
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    const sched_param usual{};
    ::sched_setscheduler(0, SCHED_OTHER, &usual);
    ::setpriority(PRIO_PROCESS, 0, 0);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

/// @return its exit code; -1 when it did not end within 10 s, and was killed
inline int run(const std::vector<std::string>& words) {
    const pid_t child = start(words);
    if (child < 0) return -1;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    for (int status = 0;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (ended < 0 && errno != EINTR) return -1;
        if (std::chrono::steady_clock::now() > end) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            return -1;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

/// The client; it must not start a daemon by itself, since that would outlive us.
inline int client(std::vector<std::string> words) {
    words.insert(words.begin(), {"lttng", "--no-sessiond", "--quiet"});
    return run(words);
}

} // namespace ringproof::bench::lttng
