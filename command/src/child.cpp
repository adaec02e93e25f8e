// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/child.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::command {
namespace {

using clock = std::chrono::steady_clock;

std::string reason(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

/// In the child: nothing to read, nothing to say but its answer, and a process group of its own.
[[noreturn]] void become(std::vector<char*> words, int answer, heard what) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(what == heard::output_and_errors ? answer : nothing, STDERR_FILENO);
    dup2(answer, STDOUT_FILENO);
    execv(words[0], words.data());
    _exit(127);
}

/// Reads until the other end is closed. @return false when the time is over before
bool read_all(int from, clock::time_point until, std::string& into) {
    std::array<char, 4096> buffer;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - clock::now()).count();
        if (left <= 0) return false;
        pollfd waiting{from, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 1000)));
        if (ready < 0 && errno != EINTR) return true;
        if (ready <= 0) continue;
        const ssize_t n = read(from, buffer.data(), buffer.size());
        if (n == 0 || (n < 0 && errno != EINTR)) return true;
        if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

} // namespace

child_answer run_child(const std::vector<std::string>& words, double seconds, heard what) {
    child_answer answer;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        answer.why = reason("pipe");
        return answer;
    }
    std::vector<std::string> copies = words;
    std::vector<char*> argv;
    for (std::string& w : copies) argv.push_back(w.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) become(argv, ends[1], what);
    close(ends[1]);
    if (child < 0) {
        answer.why = reason("fork");
        close(ends[0]);
        return answer;
    }
    setpgid(child, child); // whichever of the two comes first
    const auto until =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
    answer.timed_out = !read_all(ends[0], until, answer.output);
    // It may have closed its output and go on, or have left children that hold it open.
    int status = 0;
    bool gone = false;
    while (!answer.timed_out && !gone) {
        gone = waitpid(child, &status, WNOHANG) == child;
        if (!gone && clock::now() > until) answer.timed_out = true;
        if (!gone && !answer.timed_out) usleep(1000);
    }
    kill(-child, SIGKILL);
    if (!gone) status = wait_for(child);
    close(ends[0]);
    if (answer.timed_out)
        answer.why = fmt::format("it did not end within {:.0f} s and was killed", seconds);
    else if (WIFSIGNALED(status))
        answer.why =
            fmt::format("it was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == 127)
        answer.why = fmt::format("{} cannot be executed", words.front());
    else
        answer.ended = true, answer.exit_code = WEXITSTATUS(status);
    return answer;
}

bool is_program(const std::string& path) {
    struct stat what {};
    return stat(path.c_str(), &what) == 0 && S_ISREG(what.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string program_in_path(const std::string& name) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const std::string program = folder + "/" + name; !folder.empty() && is_program(program))
            return program;
    return "";
}

} // namespace ringproof::command
