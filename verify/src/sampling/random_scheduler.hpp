// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random executions, of which each that the model allows may be met, and none is given up on the way.
//
// Every execution has an order of its events in which each comes behind those before it in its thread and behind the
// writes it reads from (po and rf have no cycle), and each prefix of which is consistent. So it is enough to let some
// thread go next, its read be of any write that is there, and its write come anywhere in coherence order. What is
// inconsistent is taken back, and another way tried; the latest write, and the end of coherence order, always are
// consistent. No read has to be revisited.
//
// The thread that goes next is not thrown: what each thread is about to do has a random priority, which it keeps until it
// is done (after Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018, without the new priorities that
// they give to what races). An access comes behind the first k of another thread's with a chance of 1/(k + 1), where a coin
// at each step would say 1/2^k.
//
// The state before each read is kept, as reductions tell by it that a loop went round without effect.

#include "handler_places.hpp"
#include "scheduler.hpp"

#include <random>

namespace ringproof::verify {

class random_scheduler : public scheduler {
  public:
    random_scheduler(explorer& e, std::uint64_t seed) : scheduler(e), random_(seed), places_(seed) {}

    /// The execution has ended. @param counts whether later ones have the same places for handlers
    void end(bool counts) { places_.end(counts); }

  private:
    void begin() override;
    thread_id next(const std::vector<thread_id>& runnable) override;
    void demote(thread_id t) override { priority_[t] = --lowest_; }
    std::uint32_t below(std::uint64_t n) override { return static_cast<std::uint32_t>(random_() % n); }
    std::uint32_t handler_before(thread_id t, unsigned due) override { return places_.pick(t, due); }
    void add_read(thread_id t, location_id l) override;
    void add_write(thread_id t, location_id l) override;

    double draw() { return std::uniform_real_distribution<double>(0, 1)(random_); }
    template <class Function>
    void try_in_any_order(std::vector<event_id>& ways, Function works);
    template <class Function>
    bool take_back_unless(thread_id t, Function works);
    bool read_from(thread_id t, event_id way, std::uint32_t state);

    std::mt19937_64 random_;
    handler_places places_;
    double priority_[max_threads] = {}; ///< of what each thread is about to do; 0: not drawn yet
    double lowest_ = 0;
};

} // namespace ringproof::verify
