// SPDX-License-Identifier: Apache-2.0
#include "together.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::silicon::a64 {
namespace {

/// Smaller parts are not worth a process.
constexpr double least_seconds = 0.03;

std::runtime_error refused(const char* what) {
    return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}
double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

struct together::board {
    std::atomic<unsigned> at_work{1}, started{0};
    std::atomic<std::uint32_t> why{0};
    std::atomic<std::uint64_t> executions{0};
    std::atomic<double> done{0};
};

together::together(unsigned jobs) : jobs_(jobs), leader_(getpid()), begun_(now()) {
    void* mapped = mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw refused("cannot map what processes share");
    board_ = new (mapped) board;
    results_ = memfd_create("ringproof-found", MFD_CLOEXEC);
    if (results_ < 0) throw refused("cannot make a file in memory");
    fcntl(results_, F_SETFL, O_APPEND); // what is written at once stays together
    if (pipe2(alive_, O_CLOEXEC) != 0) throw refused("cannot make a pipe");
    prctl(PR_SET_CHILD_SUBREAPER, 1); // workers of workers that have left are ours to wait for
}

together::~together() {
    for (const int file : {results_, alive_[0], alive_[1]})
        if (file >= 0) close(file);
    munmap(board_, sizeof(board));
}

bool together::has_room() const {
    return board_->at_work.load(std::memory_order_relaxed) < jobs_ && now() - begun_ > least_seconds;
}

together::side together::fork_worker() {
    ++board_->at_work;
    ++board_->started;
    begun_ = now();
    const pid_t child = fork();
    if (child < 0) { // short of memory, or of processes
        --board_->started;
        --board_->at_work;
        return side::alone;
    }
    if (child > 0) return side::parent;
    worker_ = true;
    return side::child;
}

void together::stop(reason why) {
    std::uint32_t unset = 0;
    board_->why.compare_exchange_strong(unset, static_cast<std::uint32_t>(why));
}
together::reason together::stopped() const {
    return static_cast<reason>(board_->why.load(std::memory_order_relaxed));
}
bool together::led() const { return !worker_ || kill(leader_, 0) == 0; }

std::uint64_t together::count_execution() { return ++board_->executions; }
unsigned together::processes() const { return board_->started + 1; }
std::uint64_t together::executions() const { return board_->executions.load(std::memory_order_relaxed); }

void together::add_done(double share) {
    double before = board_->done.load();
    while (!board_->done.compare_exchange_weak(before, before + share)) {
    }
}
double together::done() const { return board_->done.load(std::memory_order_relaxed); }

void together::leave(const std::string& found) {
    const std::string line = found + '\n';
    const bool left = write(results_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    --board_->at_work;
    _exit(left ? 0 : 1);
}

std::vector<std::string> together::gather(const std::function<void()>& waiting) {
    constexpr int milliseconds = 20;
    --board_->at_work; // its own work is done: others may begin
    close(alive_[1]);
    alive_[1] = -1;
    pollfd end{alive_[0], POLLIN, 0};
    while (poll(&end, 1, milliseconds) <= 0) waiting();
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    std::string all(static_cast<std::size_t>(lseek(results_, 0, SEEK_END)), '\0');
    if (pread(results_, all.data(), all.size(), 0) != static_cast<ssize_t>(all.size()))
        throw refused("cannot read what the processes of --jobs have found");
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t length = all.find('\n', begin) - begin;
        lines.push_back(all.substr(begin, length));
        begin += length + 1;
    }
    if (lines.size() != board_->started)
        throw std::runtime_error(
            "a process of --jobs was lost (killed, or out of memory): run it again, with fewer");
    return lines;
}

} // namespace ringproof::silicon::a64
