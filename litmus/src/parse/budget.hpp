// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an input may cost: time, and stack. An input made to explode ends with an error or with an
// inconclusive result, never with a signal.

#include <atomic>
#include <chrono>
#include <cstdint>
#ifdef __EMSCRIPTEN__
#include <emscripten/stack.h>
#else
#include <pthread.h>
#endif

namespace ringproof::litmus {

/// The time of a test is out, or the user has interrupted.
struct out_of_time {};

/// A deadline that costs next to nothing to look at: work is counted, and the clock read now and then.
class watch {
  public:
    watch() = default; ///< without end
    explicit watch(double seconds, const std::atomic<bool>* interrupted = nullptr)
        : seconds_(seconds), interrupted_(interrupted) {}

    /// `units` of work, of about a nanosecond each. @throws out_of_time
    void spend(std::uint64_t units) {
        spent_ += units;
        if (spent_ >= often) look();
    }
    /// @throws out_of_time
    void look() {
        spent_ = 0;
        if (interrupted_ && interrupted_->load(std::memory_order_relaxed)) throw out_of_time{};
        if (seconds_ > 0 && elapsed() > seconds_) throw out_of_time{};
    }
    double elapsed() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }

  private:
    using clock = std::chrono::steady_clock;
    static constexpr std::uint64_t often = 100'000;

    double seconds_ = 0; ///< 0: no limit
    const std::atomic<bool>* interrupted_ = nullptr;
    clock::time_point begin_ = clock::now();
    std::uint64_t spent_ = 0;
};

/// Is less than a quarter of this thread's stack left? Whatever is recursive over an input asks. Fixed depths say
/// more precisely what is wrong; this holds for every build, however large its frames are.
inline bool stack_is_short() {
#ifdef __EMSCRIPTEN__
    // Calls are on a stack of the browser's, of about a MiB, that no program can look at; variables whose
    // addresses are taken are on this one. pthread_getattr_np() exists, and sets nothing.
    constexpr std::uintptr_t most = std::uintptr_t{256} << 10;
    return emscripten_stack_get_base() - emscripten_stack_get_current() > most;
#else
    static thread_local const std::uintptr_t limit = [] {
        pthread_attr_t attributes;
        void* lowest = nullptr;
        std::size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::uintptr_t{0};
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
        // An unlimited stack is what the kernel finds room for: 8 MiB below here is there in any case.
        constexpr std::size_t most = std::size_t{8} << 20;
        const std::uintptr_t top = reinterpret_cast<std::uintptr_t>(lowest) + size;
        return top - (size < most ? size : most) / 4 * 3;
    }();
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < limit;
#endif
}

} // namespace ringproof::litmus
