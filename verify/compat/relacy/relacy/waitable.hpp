// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread waits for by handle: semaphores, events, mutexes and threads. Each is one atomic word, and a wait is
// a loop that the checker takes for one.

#include "words.hpp"

namespace rl {

struct win_object {
    win_object() = default;
    win_object(const win_object&) = delete;
    win_object& operator=(const win_object&) = delete;
    virtual ~win_object() = default;
    virtual void close() { delete this; }
};

struct win_waitable_object : win_object {
    /// Whether it is there, as far as a look can tell.
    virtual bool ready() const = 0;
    /// Takes what is waited for, if it is there.
    virtual bool take() = 0;
    /// Gives back what take() took; SignalObjectAndWait's first half.
    virtual bool signal() = 0;
    void wait() {
        while (!take()) ringproof::verify::pause();
    }
};

class counting_semaphore : public win_waitable_object {
  public:
    counting_semaphore(unsigned initial, unsigned most) : most_(most), count_(initial) {}
    bool ready() const override { return count() > 0; }
    bool take() override {
        unsigned count = count_.load(std::memory_order_acquire);
        while (count > 0)
            if (count_.compare_exchange_strong(count, count - 1, std::memory_order_acq_rel)) return true;
        return false;
    }
    bool signal() override {
        unsigned before = 0;
        return post(1, before);
    }
    bool post(unsigned count, unsigned& before) {
        before = count_.load(std::memory_order_relaxed);
        do {
            if (count > most_ - before) return false;
        } while (!count_.compare_exchange_strong(before, before + count, std::memory_order_acq_rel));
        return true;
    }
    unsigned count() const { return count_.load(std::memory_order_acquire); }

  private:
    const unsigned most_;
    std::atomic<unsigned> count_;
};

class event_object : public win_waitable_object {
  public:
    event_object(bool manual_reset, bool set) : manual_reset_(manual_reset), set_(set) {}
    bool ready() const override { return set_.load(std::memory_order_acquire); }
    bool take() override {
        if (manual_reset_) return set_.load(std::memory_order_acquire);
        bool set = true;
        return set_.load(std::memory_order_relaxed) &&
               set_.compare_exchange_strong(set, false, std::memory_order_acq_rel);
    }
    bool signal() override { return set_.exchange(true, std::memory_order_acq_rel), true; }
    void reset() { set_.exchange(false, std::memory_order_acq_rel); }

  private:
    const bool manual_reset_;
    std::atomic<bool> set_;
};

class mutex_object : public win_waitable_object {
  public:
    explicit mutex_object(bool owned) : owner_(owned ? pthread_self() : pthread_t()), depth_(owned) {}
    bool ready() const override {
        const pthread_t owner = owner_.load(std::memory_order_acquire);
        return owner == pthread_t() || owner == pthread_self();
    }
    bool take() override {
        pthread_t owner = owner_.load(std::memory_order_relaxed);
        if (owner == pthread_self()) return ++depth_, true;
        if (owner != pthread_t() ||
            !owner_.compare_exchange_strong(owner, pthread_self(), std::memory_order_acq_rel))
            return false;
        depth_ = 1;
        return true;
    }
    bool signal() override {
        if (owner_.load(std::memory_order_relaxed) != pthread_self()) {
            ringproof::verify::fail("a mutex is released by the thread that has it", __FILE__, __LINE__);
            return false;
        }
        if (--depth_ == 0) owner_.store(pthread_t(), std::memory_order_release);
        return true;
    }

  private:
    std::atomic<pthread_t> owner_;
    unsigned depth_;
};

class thread_object : public win_waitable_object {
  public:
    template <class Result>
    void start(Result (*function)(void*), void* argument) {
        call_ = [](void (*f)(), void* a) { reinterpret_cast<Result (*)(void*)>(f)(a); };
        function_ = reinterpret_cast<void (*)()>(function);
        argument_ = argument;
        pthread_t thread;
        pthread_create(&thread, nullptr, &run, this);
        pthread_detach(thread);
    }
    bool ready() const override { return done_.load(std::memory_order_acquire); }
    bool take() override { return ready(); }
    bool signal() override { return false; }
    void close() override {} // optional

    /// One that has not been started.
    static thread_object& next() {
        static constexpr std::size_t most = 32;
        static thread_object all[most];
        static std::atomic<std::size_t> used{0};
        const std::size_t own = used.fetch_add(1, std::memory_order_relaxed);
        if (own >= most) ringproof::verify::fail("a test creates at most 32 threads", __FILE__, __LINE__);
        return all[own % most];
    }

  private:
    static void* run(void* self) {
        thread_object& own = *static_cast<thread_object*>(self);
        own.call_(own.function_, own.argument_);
        own.done_.store(true, std::memory_order_release);
        return nullptr;
    }

    void (*call_)(void (*)(), void*) = nullptr;
    void (*function_)() = nullptr;
    void* argument_ = nullptr;
    std::atomic<bool> done_{false};
};

inline constexpr unsigned long rl_INFINITE = 0xffffffff, rl_WAIT_OBJECT_0 = 0, rl_WAIT_TIMEOUT = 258,
                               rl_WAIT_FAILED = 0xffffffff, rl_WAIT_IO_COMPLETION = 0xc0,
                               rl_MAXIMUM_WAIT_OBJECTS = 64;

/// Whether what `take` takes comes. A time other than 0 and rl_INFINITE may run out at any moment, or not: both are
/// explored, and an execution in which neither happens counts as blocked.
template <class Take>
bool comes_in_time(unsigned long milliseconds, Take take) {
    if (milliseconds == rl_INFINITE) {
        while (!take()) ringproof::verify::pause();
        return true;
    }
    if (take()) return true;
    if (milliseconds == 0 || __VERIFIER_nondet_bool()) return false;
    ringproof::verify::assume(take());
    return true;
}

/// All of them, or none.
inline bool take_all(unsigned long count, win_object** objects) {
    for (unsigned long i = 0; i < count; ++i)
        if (!static_cast<win_waitable_object*>(objects[i])->ready()) return false;
    for (unsigned long i = 0; i < count; ++i) {
        if (static_cast<win_waitable_object*>(objects[i])->take()) continue;
        while (i-- > 0) static_cast<win_waitable_object*>(objects[i])->signal();
        return false;
    }
    return true;
}

} // namespace rl
