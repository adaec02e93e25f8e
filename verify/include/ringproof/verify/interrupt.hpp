// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interrupts: what a signal handler is to a thread, and an interrupt to a CPU.
//
//     std::thread writer([&] {
//         verify::interrupt irq([&] { ring.write(inner); });  // may come in anywhere from here on
//         ring.write(outer);
//     });                                                     // until here
//
// A handler may fire before any access that its thread makes, at the end of its scope, or never; it runs to
// its end on that thread's stack before the thread goes on. Every placement is explored, each once. In the
// execution graph its events stand in their thread's program order, so to other threads they are ordered as if
// the thread had called the handler there. The checker's handlers cost nothing outside of a scenario: there
// they never fire.
//
// Between a handler and the code that it interrupts only the compiler can disturb the order. A plain access
// of the interrupted code may be moved across the place where the handler comes in, unless a fence or an
// atomic access with an order stands between: a conflicting plain access of the handler is a data race then.
// std::atomic_signal_fence is enough, std::atomic with relaxed accesses does without.

#include "verify.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ringproof::verify {

struct interrupt_options {
    unsigned times = 1; ///< it fires so often in an execution, at most
    unsigned depth = 1; ///< so many of its runs may be inside each other, at most
    unsigned level = 1; ///< it comes into the thread's own code, and into handlers of lower levels
};

/// A thread's handlers and what they interrupt may be inside each other this deep.
inline constexpr unsigned max_interrupt_depth = 4;

/// A handler in its thread's list, in the program's own memory.
struct attached_handler {
    void (*run)(void*) = nullptr;
    void* handler = nullptr;
    std::size_t size = 0; ///< of the handler
    interrupt_options options;
    unsigned left = 0;   ///< so often may it still fire
    unsigned active = 0; ///< so many of its runs have begun and not ended
    attached_handler* next = nullptr;

    /// @throws std::invalid_argument for a level of 0, or a depth that is not 1 to max_interrupt_depth
    RINGPROOF_VERIFY_API void attach();
    RINGPROOF_VERIFY_API void detach();
};

/// While it lives, `handler` may interrupt the thread that made it.
template <class Handler>
class interrupt {
  public:
    explicit interrupt(Handler handler, interrupt_options options = {}) : handler_(std::move(handler)) {
        link_.run = [](void* self) { (*static_cast<Handler*>(self))(); };
        link_.handler = &handler_;
        link_.size = sizeof(Handler);
        link_.options = options;
        link_.attach();
    }
    ~interrupt() { link_.detach(); }
    interrupt(const interrupt&) = delete;
    interrupt& operator=(const interrupt&) = delete;

  private:
    Handler handler_;
    attached_handler link_;
};

/// While it lives, no handler up to `level` interrupts the thread that made it, as between local_irq_save() and
/// local_irq_restore(), or while a signal is blocked. Higher levels are the ones that cannot be masked.
class no_interrupts {
  public:
    RINGPROOF_VERIFY_API explicit no_interrupts(unsigned level = ~0u);
    RINGPROOF_VERIFY_API ~no_interrupts();
    no_interrupts(const no_interrupts&) = delete;
    no_interrupts& operator=(const no_interrupts&) = delete;

  private:
    unsigned before_ = 0;
};

} // namespace ringproof::verify
