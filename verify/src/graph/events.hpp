// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sequence of events that grows and shrinks at its end. Of each there is no more than its head and the known
// groups of its clocks: 144 bytes in a program of up to four threads, not 480.

#include "event.hpp"
#include "growing.hpp"

#include <cstddef>
#include <cstring>
#include <new>

namespace ringproof::verify {

class events {
  public:
    std::size_t size() const { return size_; }
    event& operator[](std::size_t i) { return *reinterpret_cast<event*>(bytes_.begin() + i * each_); }
    const event& operator[](std::size_t i) const {
        return *reinterpret_cast<const event*>(bytes_.begin() + i * each_);
    }
    event& back() { return (*this)[size_ - 1]; }

    event& emplace_back() { return *new (&(*this)[size_++]) event; }
    void push_back(const event& e) {
        constexpr std::size_t group = clocks_together<3>::group_bytes;
        auto* const to = reinterpret_cast<char*>(&(*this)[size_++]);
        const auto* const from = reinterpret_cast<const char*>(&e);
        std::memcpy(to, from, event_head); // sizes that the compiler knows
        for (std::size_t at = event_head; at < each_; at += group) std::memcpy(to + at, from + at, group);
    }
    /// Appends those of another sequence from the `first` on.
    void append(const events& from, std::size_t first) {
        std::memcpy(static_cast<void*>(&(*this)[size_]), static_cast<const void*>(&from[first]),
                    (from.size_ - first) * each_);
        size_ += from.size_ - first;
    }
    void pop_back() { --size_; }
    /// Takes off all but the first `size`.
    void shrink(std::size_t size) { size_ = size; }

    /// Makes room in each for the groups of clocks that are known by now. No reference to one stays good.
    void fit() {
        const std::size_t now = event_head + clocks_together<3>::known_bytes();
        char* const at = bytes_.begin();
        for (std::size_t i = size_; now > each_ && i-- > 0;) {
            std::memmove(at + i * now, at + i * each_, each_);
            std::memset(at + i * now + each_, 0, now - each_);
        }
        each_ = now;
    }

  private:
    growing<char> bytes_; ///< its own end is not used
    std::size_t size_ = 0;
    std::size_t each_ = event_head + clocks_together<3>::group_bytes;
};

} // namespace ringproof::verify
