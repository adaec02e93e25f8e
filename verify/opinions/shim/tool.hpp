// SPDX-License-Identifier: Apache-2.0
#pragma once
// What another checker has to be able to do, so that scenarios run on it. The scenarios are the same sources as those of
// `ringproof verify`: compiled with -fsanitize=thread, every access calls a hook, and the hooks call the tool. Neither the
// core nor a scenario knows of it.

#include <cstdint>

namespace ringproof::opinions {

/// Where in the program an access stands: the return address of its hook.
using place = std::uintptr_t;

enum class change : std::uint8_t { exchange, add, sub, bit_and, bit_or, bit_xor, bit_nand };

/// The value that `operation` makes of `before`. Both have the low bits of an access of some size; so has the result
/// once it is cut to that size.
constexpr std::uint64_t changed(change operation, std::uint64_t before, std::uint64_t operand) {
    switch (operation) {
    case change::exchange:
        return operand;
    case change::add:
        return before + operand;
    case change::sub:
        return before - operand;
    case change::bit_and:
        return before & operand;
    case change::bit_or:
        return before | operand;
    case change::bit_xor:
        return before ^ operand;
    case change::bit_nand:
        return ~(before & operand);
    }
    return before;
}

/// The low `size` bytes.
constexpr std::uint64_t cut(std::uint64_t value, unsigned size) {
    return size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
}

/// One access as the compiler announces it; `order` is one of __ATOMIC_….
struct access {
    std::uintptr_t at;
    unsigned size;
    int order;
    place where;
};

/// The scenario does what the tool has no words for: says so, and ends the process.
[[noreturn]] void cannot_express(const char* what);
/// Called before that, where the process is not the one that answers; it does not return then.
extern void (*on_cannot_express)(const char* what);

/// A checker under which one scenario runs many times. It may switch to another thread in any of these functions, and
/// nowhere else, so the program's own memory holds the newest value of each word whenever a thread runs.
class tool {
  public:
    virtual ~tool() = default;

    virtual std::uint64_t load(const access& what) = 0;
    virtual void store(const access& what, std::uint64_t value) = 0;
    /// @return the value before
    virtual std::uint64_t update(const access& what, change operation, std::uint64_t operand) = 0;
    /// A failure refreshes `expected`.
    virtual bool compare_exchange(const access& what, int failure, bool weak, std::uint64_t& expected,
                                  std::uint64_t desired) = 0;
    virtual void fence(int order, place where) = 0;

    /// A plain access, before it takes place.
    virtual void plain(std::uintptr_t at, std::uintptr_t size, bool write, place where) = 0;
    /// A plain write has taken place, and may have changed words that are accessed atomically elsewhere.
    virtual void written(std::uintptr_t at, std::uintptr_t size, place where) = 0;

    virtual void yield(place where) = 0;
    /// @return the new thread's number
    virtual unsigned start(void* (*body)(void*), void* argument) = 0;
    virtual void join(unsigned thread, place where) = 0;

    // Mutexes and condition variables, by their addresses. A tool that has none refuses the scenario.
    virtual void lock(std::uintptr_t, bool /*recursive*/, place) { cannot_express("it locks a mutex"); }
    /// @return whether it was free
    virtual bool try_lock(std::uintptr_t, bool /*recursive*/, place) { cannot_express("it locks a mutex"); }
    virtual void unlock(std::uintptr_t, place) { cannot_express("it locks a mutex"); }
    virtual void wait(std::uintptr_t /*condition*/, std::uintptr_t /*mutex*/, place) {
        cannot_express("it waits for a condition variable");
    }
    virtual void notify(std::uintptr_t /*condition*/, bool /*all*/, place) {
        cannot_express("it notifies a condition variable");
    }

    /// May come back where the tool does not know yet whether this run can be.
    virtual void fail(const char* what, place where) = 0;
};

/// The tool under which a scenario runs just now; null while none of the scenario's code runs.
extern tool* running;

} // namespace ringproof::opinions
