// SPDX-License-Identifier: Apache-2.0
#include "crew.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace ringproof::bench {
namespace {

double thread_cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Seconds this thread waited in the run queue so far: the second number of schedstat. 0 where the kernel
/// does not keep it.
double thread_held_seconds() {
    char text[96] = {};
    const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    const char* second = length > 0 ? std::strchr(text, ' ') : nullptr;
    return second ? std::strtod(second, nullptr) * 1e-9 : 0;
}

} // namespace

bool worker::keep_going(std::uint64_t count) {
    const phase current = now();
    if (current == seen_) [[likely]]
        return true;
    if (current == phase::measure) {
        count_at_start_ = count;
        held_at_start_ = thread_held_seconds();
        cpu_at_start_ = thread_cpu_seconds();
        start_ = steady::now();
    } else if (seen_ == phase::measure) {
        window_.wall = seconds(steady::now() - start_).count();
        window_.cpu = thread_cpu_seconds() - cpu_at_start_;
        window_.held = thread_held_seconds() - held_at_start_;
        window_.count = count - count_at_start_;
    }
    seen_ = current;
    return current < phase::stop;
}

bool worker::wait() {
    if (++failures_ < patience_) [[likely]]
        return true;
    failures_ = 0;
    sched_yield();
    return now() != phase::abort;
}

void worker::fail(std::string why) {
    if (!crew_.failed_.exchange(true)) crew_.error_ = std::move(why);
    crew_.phase_.store(phase::abort);
}

void crew::pause_for(seconds duration) const {
    const auto end = steady::now() + duration;
    while (phase_.load() != phase::abort) {
        const seconds left = end - steady::now();
        if (left.count() <= 0) return;
        std::this_thread::sleep_for(std::min(left, seconds(0.05)));
    }
}

std::vector<window> crew::run(const std::vector<member>& members) {
    const int total = static_cast<int>(members.size());
    std::vector<worker> workers(members.size(), worker(*this, oversubscribed_));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < members.size(); ++i)
        threads.emplace_back([this, &m = members[i], &w = workers[i]] {
            if (!pin_this_thread(m.cpu)) w.fail("cannot pin a thread to CPU " + std::to_string(m.cpu));
            set_urgency(priority_);
            try {
                if (m.prepare) m.prepare();
            } catch (const std::exception& e) {
                w.fail(e.what());
            }
            ready_.fetch_add(1);
            while (phase_.load(std::memory_order_acquire) == phase::prepare) sched_yield();
            if (w.now() != phase::abort) m.work(w);
            finished_.fetch_add(1);
        });

    while (ready_.load() < total) std::this_thread::sleep_for(std::chrono::microseconds(50));
    const auto advance = [this](phase next) { // never back from abort
        phase current = phase_.load();
        while (current != phase::abort && !phase_.compare_exchange_weak(current, next)) {
        }
    };
    advance(phase::warm_up);
    pause_for(times_.warm_up);
    advance(phase::measure);
    pause_for(times_.measure);
    advance(phase::stop);

    const auto all_finished_within = [&](seconds limit) {
        for (const auto end = steady::now() + limit; finished_.load() < total;) {
            if (steady::now() > end) return false;
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        return true;
    };
    if (!all_finished_within(times_.drain)) {
        char text[64];
        std::snprintf(text, sizeof text, "still waiting %.3g s after the stop", times_.drain.count());
        stuck_ = text;
        phase_.store(phase::abort);
        if (!all_finished_within(seconds(10))) {
            // A push or pop that never returns cannot be ended from outside.
            std::fputs("ringproof bench: a queue operation does not return; giving up\n", stderr);
            std::_Exit(1);
        }
    }
    for (auto& t : threads) t.join();
    std::vector<window> windows;
    for (const worker& w : workers) windows.push_back(w.measured());
    return windows;
}

} // namespace ringproof::bench
