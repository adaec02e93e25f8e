// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handlers that interrupt threads: where they may come in beside visible accesses, and what happens when one does.

#include "../program/facts.hpp"
#include "../program/interruptible.hpp"
#include "footprints.hpp"

namespace ringproof::verify {

class runtime;
class race_detector;

class interrupts {
  public:
    interrupts(runtime& r, program& p, race_detector& d, search_facts& f)
        : runtime_(r), program_(p), races_(d), facts_(f) {}

    void attach(attached_handler& h);
    void detach(attached_handler& h, std::uintptr_t site);
    /// Keeps handlers up to `level` out of the running thread. @return the level up to which they were
    unsigned mask(unsigned level, bool more, std::uintptr_t site);
    void compiler_barrier(order mo, std::uintptr_t site);
    /// A place where a handler of the running thread may come in, before an access that is no event.
    void place(unsigned ordinal, std::uintptr_t site);
    /// The same, before a plain access.
    void plain_place(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    /// Runs the handler that the search has chosen, before the pending request.
    void run_handler();
    /// What the running thread has just done keeps plain accesses in place.
    void settle_order(const request& done);

  private:
    runtime& runtime_;
    program& program_;
    race_detector& races_;
    search_facts& facts_;
    footprints footprints_;
};

} // namespace ringproof::verify
