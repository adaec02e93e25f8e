// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/opinion.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::command {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

std::string reason(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

/// In the child: nothing to read, nothing to say but its answer, and a process group of its own.
[[noreturn]] void become(std::vector<char*> words, int answer) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDERR_FILENO);
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

const std::vector<known_opinion>& known_opinions() {
    static const std::vector<known_opinion> all{
        {"relacy", "Relacy Race Detector, run-time schedules in C++",
         "git clone https://github.com/dvyukov/relacy, then configure with -DRINGPROOF_RELACY_ROOT=DIR"},
        {"cdschecker", "CDSChecker of 2013, for C11 and C++11",
         "git clone https://github.com/computersforpeace/model-checker, make CXX='g++ -std=gnu++11' there, "
         "then configure with -DRINGPROOF_CDSCHECKER_ROOT=DIR"},
        {"tsan", "the compiler's ThreadSanitizer, under stress on this machine",
         "cmake --build build/release --target ringproof-verify-tsan"},
    };
    return all;
}

opinion_program find_opinion(const std::string& folder, std::string_view scenarios, std::string_view tool) {
    const fs::path program = fs::path(folder) / fmt::format("{}-{}", scenarios, tool);
    std::error_code error;
    opinion_program found;
    // A build that no longer finds the checker leaves its earlier program behind, and says so beside it.
    if (std::ifstream file(program.string() + ".missing"); file) {
        std::string state;
        std::getline(file, state);
        found.state = state == "unusable" ? opinion_state::unusable : opinion_state::absent;
        found.why.assign(std::istreambuf_iterator<char>(file), {});
        while (!found.why.empty() && found.why.back() == '\n') found.why.pop_back();
        return found;
    }
    if (fs::exists(program, error)) {
        found.state = opinion_state::ready;
        found.program = program.string();
        return found;
    }
    found.why =
        fmt::format("there is no {}: this build has no scenarios for it", program.filename().string());
    return found;
}

child_answer run_child(const std::vector<std::string>& words, double seconds) {
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
    if (child == 0) become(argv, ends[1]);
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

std::string own_program() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).string();
}

} // namespace ringproof::command
