// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/facts.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringproof::verify {

class program;
class runtime;

/// Whether std::lock() of several mutexes takes one after the other, and waits for each: multi_locks.cpp.
class multi_locks {
  public:
    multi_locks(search_facts& f, program& p, runtime& r) : facts_(f), program_(p), runtime_(r) {}

    /// Whether the running thread takes these mutexes so. Otherwise it tries, and steps back.
    bool may_take(std::span<const std::uintptr_t> mutexes);
    /// The running thread tries to take a mutex: it may learn from that who has it.
    void note_try(std::uintptr_t mutex);
    /// Main says, as it begins, that every thread tries: so a replay knows.
    void say();

  private:
    bool is_used() const { return facts_.limits.reduce.multi_lock && !given_up_; }
    bool must_step_back() const;
    [[noreturn]] void give_up();
    bool any_of(const std::vector<std::uintptr_t>& known, std::span<const std::uintptr_t> mutexes) const;
    void note(std::vector<std::uintptr_t>& known, std::span<const std::uintptr_t> mutexes);

    search_facts& facts_;
    program& program_;
    runtime& runtime_;
    bool given_up_ = false;
    std::vector<std::uintptr_t> taken_, tried_;
};

} // namespace ringproof::verify
