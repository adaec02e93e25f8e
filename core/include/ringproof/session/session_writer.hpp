// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "ringproof/restartable.hpp"
#include "ringproof/session/session.hpp"

namespace ringproof {

/// A thread's way into a session. Its end is the thread's.
template <class Clock, class Barriers, class Mutex>
class session<Clock, Barriers, Mutex>::writer {
  public:
    writer(writer&& other) noexcept
        : session_(std::exchange(other.session_, nullptr)), slot_(other.slot_), own_(other.own_),
          elsewhere_(other.elsewhere_) {}
    writer& operator=(writer&&) = delete;
    ~writer() {
        if (session_ == nullptr) return;
        const std::lock_guard lock(session_->mutex_);
        slot_->taken = false;
        if (own_ == nullptr) return;
        for (open_ring* const ring : own_->own) // written by nobody else
            if (ring != nullptr) ring->orphan = true;
        std::erase_if(session_->places_, [&](const auto& one) { return one.get() == own_; });
        session_->wake();
    }

    /// Writes one record. @return false when it was lost (which is counted), or goes nowhere: this thread is no writer,
    /// the event has no ring, or it runs on a CPU that has none
    bool write(event which, std::span<const std::byte> payload) noexcept {
        if (session_ == nullptr || which >= most_events) return false;
        slot_->announced.begin(Clock::now());
        refusal why = refusal::elsewhere;
        open_ring* ring = nullptr;
        while (why == refusal::elsewhere && (ring = find(which)) != nullptr)
            why = ring->ring.write({Clock::now(), slot_->number, which}, payload);
        // After `end` the ring may be gone.
        const bool due =
            ring != nullptr && (why != refusal::none || ring->ring.size_guess() >= session_->mark());
        slot_->announced.end();
        if (ring == nullptr) ++elsewhere_;
        if (due) session_->wake();
        return why == refusal::none;
    }

    [[nodiscard]] bool attached() const noexcept { return session_ != nullptr; }
    /// What its records are numbered by, from 1 on.
    [[nodiscard]] std::uint32_t number() const noexcept { return session_ == nullptr ? 0 : slot_->number; }
    /// Writes that went nowhere.
    [[nodiscard]] std::uint64_t elsewhere() const noexcept { return elsewhere_; }

  private:
    friend session;
    writer(session& to, bool attached) {
        if (!attached) return;
        const std::lock_guard lock(to.mutex_);
        slot_ = &to.take_slot();
        slot_->number = ++to.writers_;
        if (to.options_.mode == deployment::per_thread) make_place(to);
        slot_->taken = true;
        session_ = &to;
    }

    void make_place(session& to) {
        auto made = std::make_unique<place>();
        made->thread = slot_->number;
        // What can fail is over before anything has changed.
        std::array<std::unique_ptr<open_ring>, most_events> rings;
        for (event which = 0; which != to.events_.size(); ++which)
            if (to.events_[which].mapped && !to.events_[which].closing)
                rings[which] = to.ring_for(*made, which);
        to.rings_.reserve(to.rings_.size() + rings.size());
        to.places_.push_back(std::move(made));
        own_ = to.places_.back().get();
        for (event which = 0; which != rings.size(); ++which)
            to.install(*own_, which, std::move(rings[which]));
        for (event which = 0; which != to.events_.size(); ++which)
            if (const event other = to.events_[which].output; other != none)
                Barriers::announce(own_->to[which], address(own_->own[other]));
    }

    /// Where an event is written from here, for as long as the thread stays: nullptr, nowhere.
    [[nodiscard]] open_ring* find(event which) const noexcept {
        const place* where = own_;
        if (where == nullptr) {
            const std::size_t cpu = restartable::missing() == nullptr ? Barriers::template cpu<restartable>()
                                                                      : restartable::hint();
            if (cpu >= session_->place_of_cpu_.size()) return nullptr;
            where = session_->place_of_cpu_[cpu];
            if (where == nullptr) return nullptr;
        }
        return reinterpret_cast<open_ring*>(
            static_cast<std::uintptr_t>(Barriers::announced(where->to[which])));
    }

    session* session_ = nullptr;
    slot* slot_ = nullptr;
    place* own_ = nullptr; ///< of a thread's rings
    std::uint64_t elsewhere_ = 0;
};

} // namespace ringproof
