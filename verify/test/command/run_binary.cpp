// SPDX-License-Identifier: Apache-2.0
#include "run_binary.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

std::string content_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

namespace {

/// Whether the process has a handler for SIGINT: before that, an interrupt ends it without a word.
bool handles_interrupts(pid_t process) {
    std::istringstream status(content_of("/proc/" + std::to_string(process) + "/status"));
    for (std::string line; std::getline(status, line);)
        if (line.rfind("SigCgt:", 0) == 0)
            return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
    return false;
}

} // namespace

program_run run_binary(const std::vector<std::string>& command, unsigned interrupt_after) {
    char out[] = "/tmp/ringproof-test-out-XXXXXX", err[] = "/tmp/ringproof-test-err-XXXXXX";
    const int to_out = mkstemp(out), to_err = mkstemp(err);
    if (to_out < 0 || to_err < 0) throw std::runtime_error("no temporary file");
    int started[2];
    if (pipe2(started, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        dup2(to_out, STDOUT_FILENO);
        dup2(to_err, STDERR_FILENO);
        std::vector<char*> argv;
        for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(started[1]);
    char none;
    while (read(started[0], &none, 1) > 0) {
    } // its end is closed when the program takes the place of our copy
    close(started[0]);
    if (interrupt_after > 0) {
        for (int tries = 0; tries < 3000 && !handles_interrupts(child); ++tries) usleep(10'000);
        usleep(interrupt_after * 1000);
        kill(child, SIGINT);
    }
    int status = 0;
    waitpid(child, &status, 0);
    program_run run{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out),
                    content_of(err)};
    close(to_out);
    close(to_err);
    unlink(out);
    unlink(err);
    return run;
}
