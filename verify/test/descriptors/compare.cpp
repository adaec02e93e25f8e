// SPDX-License-Identifier: Apache-2.0
// The models of eventfd and pipe against the same objects made of a mutex, a condition variable and a counter: generated
// programs come to the same states under every model, and hang alike. A lock that is handed over is what a system call
// is assumed to order, so an order too many or too few is a state that only one of the two has. Waits for several files,
// by poll and by epoll, look at each without a lock; they are compared under sc.
//
//   ringproof_verify_descriptors [--kind NAME] [--seeds N] [--first SEED] [--show]
#include "../oracle/random_numbers.hpp"
#include "../oracle/seed_options.hpp"

#include <ringproof/verify/explore.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;

enum class kind { events, semaphores, pipes, several };
constexpr std::array<const char*, 4> kind_names{"events", "semaphores", "pipes", "several"};

enum class what : std::uint8_t { store, load, add, take, try_take, poll, poll_both, epoll };
constexpr std::array<const char*, 8> names{"store", "load", "add",       "take",
                                           "try",   "poll", "poll-both", "epoll"};
/// `on`: of two variables or two files. The first file waits, the second does not.
struct step {
    what act;
    int on;
};
constexpr int most_threads = 3, most_steps = 4;
struct program {
    kind of;
    int threads;
    int count[most_threads];
    step steps[most_threads][most_steps];
    int begins_with[2]; ///< in each file
};

// At fixed places, as the memory of the program under test is restored.
program subject;
int seen[most_threads][most_steps];

[[gnu::noinline, gnu::no_sanitize_thread]] bool fetch(int thread, int at, step& next) {
    if (at == subject.count[thread]) return false;
    next = subject.steps[thread][at];
    return true;
}
[[gnu::noinline, gnu::no_sanitize_thread]] void note(int thread, int at, int value) {
    seen[thread][at] = value;
}
[[gnu::noinline, gnu::no_sanitize_thread]] kind of() { return subject.of; }
[[gnu::noinline, gnu::no_sanitize_thread]] int begins_with(int file) { return subject.begins_with[file]; }
[[gnu::noinline, gnu::no_sanitize_thread]] int thread_count() { return subject.threads; }

/// A file of the kernel's.
class modelled {
  public:
    modelled(int begin, bool waits) {
        if (of() == kind::pipes) {
            if (::pipe2(ends_, waits ? 0 : O_NONBLOCK) != 0) std::abort();
        } else {
            ends_[0] = ends_[1] =
                ::eventfd(0, (waits ? 0 : EFD_NONBLOCK) | (of() == kind::semaphores ? EFD_SEMAPHORE : 0));
        }
        for (int i = 0; i < begin; ++i) add();
    }
    void add() {
        const std::uint64_t one = 1;
        if (::write(ends_[1], &one, of() == kind::pipes ? 1 : sizeof one) < 0) std::abort();
    }
    int take() {
        std::uint64_t value = 0;
        char bytes[2];
        if (of() == kind::pipes) {
            const auto n = ::read(ends_[0], bytes, sizeof bytes);
            return n < 0 ? 0 : static_cast<int>(n);
        }
        return ::read(ends_[0], &value, sizeof value) < 0 ? 0 : static_cast<int>(value);
    }
    void poll() {
        pollfd one{ends_[0], POLLIN, 0};
        ::poll(&one, 1, -1);
    }
    /// @return bit n: file n is ready
    static int poll_both(modelled* files) {
        pollfd both[] = {{files[0].ends_[0], POLLIN, 0}, {files[1].ends_[0], POLLIN, 0}};
        ::poll(both, 2, -1);
        return (both[0].revents != 0 ? 1 : 0) | (both[1].revents != 0 ? 2 : 0);
    }
    static int epoll(modelled* files) {
        const int instance = ::epoll_create1(0);
        epoll_event event{};
        event.events = EPOLLIN;
        for (int i = 0; i < 2; ++i) {
            event.data.fd = i;
            ::epoll_ctl(instance, EPOLL_CTL_ADD, files[i].ends_[0], &event);
        }
        epoll_event ready[2];
        int all = 0;
        for (int n = ::epoll_wait(instance, ready, 2, -1); n-- > 0;) all |= 1 << ready[n].data.fd;
        ::close(instance);
        return all;
    }

  private:
    int ends_[2];
};

/// The same, of the standard library's parts.
class reference {
  public:
    reference(int begin, bool waits) : held_(begin), waits_(waits) {}
    void add() {
        {
            const std::lock_guard lock(mutex_);
            ++held_;
            changed_.notify_all();
        }
        if (of() != kind::several) return;
        const std::lock_guard lock(any_->mutex);
        ++any_->changes;
        any_->changed.notify_all();
    }
    int take() {
        std::unique_lock lock(mutex_);
        while (waits_ && held_ == 0) changed_.wait(lock);
        const int most = of() == kind::semaphores ? 1 : of() == kind::pipes ? 2 : held_;
        const int taken = held_ < most ? held_ : most;
        held_ -= taken;
        return taken;
    }
    void poll() {
        std::unique_lock lock(mutex_);
        while (held_ == 0) changed_.wait(lock);
    }

    static int poll_both(reference* files) {
        for (;;) {
            std::unique_lock lock(any_->mutex);
            const int before = any_->changes;
            lock.unlock();
            const int all = (files[0].is_ready() ? 1 : 0) | (files[1].is_ready() ? 2 : 0);
            if (all != 0) return all;
            lock.lock();
            while (any_->changes == before) any_->changed.wait(lock);
        }
    }
    static int epoll(reference* files) { return poll_both(files); }
    /// Of all files: how often one changed.
    struct change {
        std::mutex mutex;
        std::condition_variable changed;
        int changes = 0;
    };
    static inline change* any_ = nullptr;

  private:
    bool is_ready() {
        const std::lock_guard lock(mutex_);
        return held_ != 0;
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    int held_;
    bool waits_;
};

template <class File>
void run() {
    reference::change any;
    reference::any_ = &any;
    File files[2] = {{begins_with(0), of() != kind::several}, {begins_with(1), false}};
    std::atomic<int> variables[2] = {};
    const auto thread = [&](int t) {
        step next;
        for (int at = 0; fetch(t, at, next); ++at) {
            if (next.act == what::store)
                variables[next.on].store(t * most_steps + at + 1, std::memory_order_relaxed);
            if (next.act == what::load) note(t, at, variables[next.on].load(std::memory_order_relaxed));
            if (next.act == what::add) files[next.on].add();
            if (next.act == what::take || next.act == what::try_take) note(t, at, files[next.on].take());
            if (next.act == what::poll) files[next.on].poll();
            if (next.act == what::poll_both) note(t, at, File::poll_both(files));
            if (next.act == what::epoll) note(t, at, File::epoll(files));
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < thread_count(); ++t) others.emplace_back(thread, t);
    thread(0);
    for (std::thread& t : others) t.join();
}

/// A step of those that the kind has, each as often as it stands there.
step any_step(kind of, oracle::random_numbers& random) {
    constexpr what of_one[] = {what::store, what::load, what::load,  what::add,      what::add,
                               what::take,  what::poll, what::store, what::try_take, what::try_take};
    constexpr what of_several[] = {what::store,     what::load,      what::add,   what::add, what::try_take,
                                   what::poll_both, what::poll_both, what::epoll, what::add, what::try_take};
    step s{};
    s.act = of == kind::several ? of_several[random.below(10)] : of_one[random.below(10)];
    s.on = s.act == what::take ? 0 : s.act == what::try_take && of != kind::several ? 1 : random.below(2);
    return s;
}

program generate(kind of, std::uint64_t seed) {
    oracle::random_numbers random(seed * 4 + static_cast<std::uint64_t>(of));
    program made{};
    made.of = of;
    made.threads = 2 + random.below(2);
    for (int& n : made.begins_with) n = of == kind::several ? random.below(2) : random.below(3);
    for (int t = 0; t < made.threads; ++t) {
        const int most = of == kind::several ? 5 - made.threads : made.threads == 2 ? 4 : 3;
        made.count[t] = 1 + random.below(most);
        for (int i = 0; i < made.count[t]; ++i) made.steps[t][i] = any_step(of, random);
    }
    return made;
}

std::string text_of(const program& p) {
    std::string text =
        "begins with " + std::to_string(p.begins_with[0]) + ", " + std::to_string(p.begins_with[1]) + "\n";
    for (int t = 0; t < p.threads; ++t) {
        for (int i = 0; i < p.count[t]; ++i)
            text += std::string(" ") + names[static_cast<std::size_t>(p.steps[t][i].act)] +
                    std::to_string(p.steps[t][i].on);
        text += '\n';
    }
    return text;
}

std::string state() {
    std::string all;
    for (const auto& thread : seen)
        for (const int value : thread) all += std::to_string(value) + ' ';
    return all;
}

struct found {
    rv::failure_kind error;
    std::vector<std::string> states;
    std::uint64_t executions;
    bool ended;
};
found explore(void (*function)(), rv::memory_model model, std::uint64_t order) {
    rv::exploration_options options;
    options.model = model;
    options.limits.spurious = rv::exploring::never;
    options.limits.seconds = 20;
    options.limits.order_seed = order;
    options.state = state;
    for (auto& thread : seen)
        for (int& value : thread) value = 0;
    const rv::exploration_result r = rv::explore(function, options);
    found f{r.error.kind, {}, r.executions, !r.stopped};
    for (const auto& [s, times] : r.states) f.states.push_back(s);
    return f;
}

/// What came of comparing.
struct sums {
    unsigned long compared = 0, mismatches = 0, hang = 0, unfinished = 0, executions = 0, of_reference = 0;
};

void compare(std::uint64_t seed, rv::memory_model model, sums& all) {
    const found ours = explore(run<modelled>, model, oracle::order_at_hand),
                theirs = explore(run<reference>, model, 0);
    ++all.compared;
    all.hang += theirs.error == rv::failure_kind::deadlock;
    all.executions += ours.executions;
    all.of_reference += theirs.executions;
    if (!ours.ended || !theirs.ended) {
        ++all.unfinished;
        return;
    }
    const bool same = ours.error == theirs.error &&
                      (ours.error != rv::failure_kind::nothing || ours.states == theirs.states);
    if (same || ++all.mismatches > 3) return; // those shown are enough
    std::printf("MISMATCH, %s %llu, model %d: errors %d and %d, states %zu and %zu\n%s",
                kind_names[static_cast<std::size_t>(subject.of)], static_cast<unsigned long long>(seed),
                static_cast<int>(model), static_cast<int>(ours.error), static_cast<int>(theirs.error),
                ours.states.size(), theirs.states.size(), text_of(subject).c_str());
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--kind", 200);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    unsigned long compared = 0, mismatches = 0;
    for (std::size_t k = 0; k < kind_names.size(); ++k) {
        if (!only.empty() && only != kind_names[k]) continue;
        sums all;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
            subject = generate(static_cast<kind>(k), seed);
            oracle::choose_order(seed);
            if (show)
                std::printf("%s %llu: %s", kind_names[k], static_cast<unsigned long long>(seed),
                            text_of(subject).c_str());
            compare(seed, rv::memory_model::sc, all);
            if (subject.of == kind::several) continue;
            compare(seed, rv::memory_model::tso, all);
            compare(seed, rv::memory_model::rc11, all);
        }
        std::printf("%-10s %llu programs, %lu executions, %lu of the reference, %lu hang, %lu unfinished, "
                    "%lu mismatches\n",
                    kind_names[k], static_cast<unsigned long long>(seeds), all.executions, all.of_reference,
                    all.hang, all.unfinished, all.mismatches);
        compared += all.compared;
        mismatches += all.mismatches;
    }
    return compared == 0 ? 5 : mismatches == 0 ? 0 : 1;
}
