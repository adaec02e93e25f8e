// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

/// What `act` says on standard error before it aborts; empty if it doesn't abort.
template <class Act>
std::string last_words(Act act) {
    int channel[2];
    REQUIRE(pipe(channel) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        dup2(channel[1], STDERR_FILENO);
        act();
        _exit(0);
    }
    close(channel[1]);
    std::string said(300, '\0');
    const ssize_t got = read(channel[0], said.data(), said.size());
    close(channel[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || got <= 0) return {};
    return said.substr(0, static_cast<std::size_t>(got));
}

/// What `act`, in a process of its own, returns: up to 255. A test that needs limits of its own, or to be somebody else.
/// @return -1 when it did not come to its end
template <class Act>
int in_own_process(Act act) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int result = 254;
        try {
            result = act();
        } catch (...) {
        }
        _exit(result);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) // only g++ builds the tests with one
inline constexpr bool sanitized = true; ///< a sanitizer has limits of memory of its own
#else
inline constexpr bool sanitized = false;
#endif
