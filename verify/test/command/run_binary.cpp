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

program_run run_binary(const std::vector<std::string>& command, unsigned interrupt_after) {
    char out[] = "/tmp/ringproof-test-out-XXXXXX", err[] = "/tmp/ringproof-test-err-XXXXXX";
    const int to_out = mkstemp(out), to_err = mkstemp(err);
    if (to_out < 0 || to_err < 0) throw std::runtime_error("no temporary file");
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
    if (interrupt_after > 0) {
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
