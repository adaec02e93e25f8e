// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads that a test creates itself, and data that each thread has for itself.

#include "words.hpp"

#include <cstring>

namespace rl {

class dyn_thread {
  public:
    dyn_thread() = default;
    dyn_thread(const dyn_thread&) = delete;
    dyn_thread& operator=(const dyn_thread&) = delete;

    void start(void* (*function)(void*), void* argument) {
        RL_ASSERT(!runs_);
        runs_ = pthread_create(&thread_, nullptr, function, argument) == 0;
    }
    void join() {
        RL_ASSERT(runs_);
        pthread_join(thread_, nullptr);
        runs_ = false;
    }

  private:
    pthread_t thread_{};
    bool runs_ = false;
};

/// A thread's values of all thread-local variables, so that no other thread touches them.
class thread_values {
  public:
    static constexpr std::size_t most = 64;

    std::uint64_t& of(const void* variable) {
        std::size_t i = 0;
        while (i < most && keys_[i] && keys_[i] != variable) ++i;
        if (i == most) {
            ringproof::verify::fail("a thread uses at most 64 rl::thread_local_var", __FILE__, __LINE__);
            i = 0;
        }
        keys_[i] = variable;
        return values_[i];
    }
    static thread_values& own() {
        static thread_local thread_values all;
        return all;
    }

  private:
    const void* keys_[most] = {};
    std::uint64_t values_[most] = {};
};

template <class T>
class thread_local_var {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t),
                  "rl::thread_local_var<T> holds numbers and pointers, as Relacy's");

  public:
    class access {
      public:
        explicit access(const thread_local_var& of) noexcept : var_(of) {}
        operator T() const { return var_.read(); }
        T operator->() const { return var_.read(); }
        T operator=(T value) {
            var_.write(value);
            return value;
        }
        T operator=(const access& other) { return *this = static_cast<T>(other); }
        access(const access&) = default;

      private:
        const thread_local_var& var_;
    };

    thread_local_var() = default;
    /// Whoever comes to lie here is another variable, for the thread that destroys this one at least.
    ~thread_local_var() { write(T()); }
    thread_local_var(const thread_local_var&) = delete;
    thread_local_var& operator=(const thread_local_var&) = delete;

    access operator()(debug_info) { return access(*this); }
    void set(T value, debug_info = {}) { write(value); }
    T get(debug_info = {}) const { return read(); }

  private:
    T read() const {
        T value;
        std::memcpy(&value, &thread_values::own().of(this), sizeof value);
        return value;
    }
    void write(T value) const { std::memcpy(&thread_values::own().of(this), &value, sizeof value); }

    char identity_ = 0; // an address of its own
};

inline unsigned long rl_TlsAlloc(debug_info = {}) {
    return reinterpret_cast<unsigned long>(new thread_local_var<void*>);
}
inline int rl_TlsFree(unsigned long slot, debug_info = {}) {
    delete reinterpret_cast<thread_local_var<void*>*>(slot);
    return 1;
}
inline void* rl_TlsGetValue(unsigned long slot, debug_info = {}) {
    return reinterpret_cast<thread_local_var<void*>*>(slot)->get();
}
inline int rl_TlsSetValue(unsigned long slot, void* value, debug_info = {}) {
    reinterpret_cast<thread_local_var<void*>*>(slot)->set(value);
    return 1;
}

} // namespace rl

#define TLS_T(...) ::rl::thread_local_var<__VA_ARGS__>
#define TlsAlloc() ::rl::rl_TlsAlloc()
#define TlsFree(slot) ::rl::rl_TlsFree(slot)
#define TlsGetValue(slot) ::rl::rl_TlsGetValue(slot)
#define TlsSetValue(slot, value) ::rl::rl_TlsSetValue(slot, value)
