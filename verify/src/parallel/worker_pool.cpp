// SPDX-License-Identifier: Apache-2.0
#include "worker_pool.hpp"

#include "../graph/clock.hpp"
#include "packed_result.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sched.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

/// A process that has just shared has the copies of its pages to pay for.
constexpr auto rest = std::chrono::milliseconds(3);

std::runtime_error refused(const char* what) {
    return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

} // namespace

struct worker_pool::board {
    std::atomic<unsigned> at_work{1}, started{0};
    std::atomic<unsigned> why{0};
    std::atomic<std::uint64_t> complete{0}; ///< for a limit of executions
    // Of those that have left.
    std::atomic<std::uint64_t> executions{0}, blocked{0}, events{0};
    struct place {
        std::atomic<bool> taken{false};
        std::atomic<std::uint64_t> executions{0}, blocked{0}, events{0};
        std::atomic<double> left{0};
    };
    place places[most];
    std::atomic<bool> naming{false};
    unsigned threads = 0;
    std::pair<std::uint16_t, std::uint16_t> names[max_threads];
};

worker_pool::worker_pool(unsigned jobs, double share_after) : jobs_(std::min(jobs, most)), leader_(getpid()) {
    void* mapped = mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw refused("cannot map what processes share");
    board_ = new (mapped) board;
    board_->places[0].taken = true;
    board_->places[0].left = 1;
    board_->threads = 1; // main
    results_ = memfd_create("ringproof-results", MFD_CLOEXEC);
    if (results_ < 0) throw refused("cannot make a file in memory");
    fcntl(results_, F_SETFL, O_APPEND); // what is written at once stays together
    if (pipe2(alive_, O_CLOEXEC) != 0) throw refused("cannot make a pipe");
    prctl(PR_SET_CHILD_SUBREAPER, 1); // workers of workers that have left are ours to wait for
    rests_until_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(share_after));
}

worker_pool::~worker_pool() {
    close(results_);
    close(alive_[0]);
    if (alive_[1] >= 0) close(alive_[1]);
    munmap(board_, sizeof(board));
}

bool worker_pool::has_room() const {
    return board_->at_work.load(std::memory_order_relaxed) < jobs_ &&
           std::chrono::steady_clock::now() >= rests_until_;
}

worker_pool::side worker_pool::fork_worker() {
    unsigned now = board_->at_work.load();
    do {
        if (now >= jobs_) return side::alone;
    } while (!board_->at_work.compare_exchange_weak(now, now + 1));
    unsigned slot = 0;
    while (board_->places[slot].taken.exchange(true)) ++slot; // as many as there may be at work
    ++board_->started;
    const pid_t child = fork();
    if (child < 0) {
        --board_->started;
        board_->places[slot].taken = false;
        --board_->at_work;
        rests_until_ = std::chrono::steady_clock::now() + 100 * rest; // short of memory, or of processes
        return side::alone;
    }
    rests_until_ = std::chrono::steady_clock::now() + rest;
    if (child > 0) return side::parent;
    if (!worker_) close(alive_[0]);
    worker_ = true;
    slot_ = slot;
    return side::child;
}

void worker_pool::show(const exploration_result& mine, double left) {
    board::place& p = board_->places[slot_];
    p.executions.store(mine.executions, std::memory_order_relaxed);
    p.blocked.store(mine.blocked, std::memory_order_relaxed);
    p.events.store(mine.events, std::memory_order_relaxed);
    p.left.store(left, std::memory_order_relaxed);
}

void worker_pool::sum_up(exploration_result& all) const {
    all.executions = board_->executions;
    all.blocked = board_->blocked;
    all.events = board_->events;
    double left = 0;
    for (unsigned i = 0; i < jobs_; ++i) {
        const board::place& p = board_->places[i];
        all.executions += p.executions;
        all.blocked += p.blocked;
        all.events += p.events;
        left += p.left;
    }
    all.fraction = 1 - left;
}

std::uint64_t worker_pool::count_execution() { return ++board_->complete; }

void worker_pool::stop(reason why) {
    unsigned unset = 0;
    board_->why.compare_exchange_strong(unset, static_cast<unsigned>(why));
}

worker_pool::reason worker_pool::stopped() const {
    return static_cast<reason>(board_->why.load(std::memory_order_relaxed));
}

bool worker_pool::led() const { return !worker_ || kill(leader_, 0) == 0; }

void worker_pool::name_threads(const thread_names& names) {
    board_->threads = static_cast<unsigned>(names.size());
    std::copy(names.begin(), names.end(), board_->names);
}

std::size_t worker_pool::name(std::uint16_t parent, std::uint16_t nth, thread_names& names,
                              std::size_t limit) {
    while (board_->naming.exchange(true, std::memory_order_acquire)) sched_yield();
    names.assign(board_->names, board_->names + board_->threads);
    const std::pair wanted{parent, nth};
    const auto at =
        static_cast<std::size_t>(std::find(names.begin() + 1, names.end(), wanted) - names.begin());
    if (at == names.size() && at < limit) {
        names.push_back(wanted);
        board_->names[board_->threads++] = wanted;
    }
    board_->naming.store(false, std::memory_order_release);
    return at;
}

/// What this process found moves to the sum of those that have left.
void worker_pool::give_up_slot() {
    board::place& p = board_->places[slot_];
    board_->executions += p.executions.exchange(0);
    board_->blocked += p.blocked.exchange(0);
    board_->events += p.events.exchange(0);
    p.left = 0;
    p.taken = false;
    --board_->at_work;
}

void worker_pool::leave(const exploration_result& mine) {
    show(mine, 0);
    const std::string text = pack(mine, getpid());
    // Longer than a pipe takes at once, but not longer than a file does.
    const bool written = write(results_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    give_up_slot();
    _exit(written ? 0 : 1);
}

bool worker_pool::gather(exploration_result& all, const std::function<void()>& waiting) {
    show(all, 0);
    give_up_slot();
    close(alive_[1]);
    alive_[1] = -1;
    for (pollfd end{alive_[0], POLLIN, 0}; !(end.revents & POLLHUP);) {
        poll(&end, 1, 50);
        waiting();
    }
    std::string text(static_cast<std::size_t>(lseek(results_, 0, SEEK_END)), '\0');
    if (pread(results_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) return false;
    all.processes = 1 + board_->started;
    unsigned reported = 0;
    for (std::size_t at = 0; at < text.size(); ++reported) {
        const pid_t from = unpack_into(all, text, at);
        while (waitpid(from, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    return reported == board_->started;
}

} // namespace ringproof::verify
