// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vector clocks over the threads of one execution. clock[t] == i means: events 1..i of thread t are
// included.
//
// Clocks that are used together lie together, as most programs have few threads: the first four lanes (threads)
// of each of them, then the next four, and so on.
//
//     porf 0..3 | hb 0..3 | release 0..3 | porf 4..7 | hb 4..7 | release 4..7 | ...
//
// There is room for all lanes, but only the groups of four that some thread has been met for are ever written,
// read or copied: in a program of up to four threads an event has 48 bytes of clocks.

#include <array>
#include <cstdint>
#include <cstring>

namespace ringproof::verify {

/// Threads one program may create in all, main included.
inline constexpr unsigned max_threads = 32;
/// The most events of an execution, whatever --max-events says: some words hold an event number and flag bits.
inline constexpr unsigned max_events = 1u << 28;

using thread_id = std::uint16_t;
/// Place of an event in its thread, from 1. SSE2 compares signed numbers, so 31 bits are used.
using lane = std::int32_t;

/// The groups of lanes that clocks have by now: a number of the search, which only grows.
class clock_groups {
  public:
    static constexpr unsigned size = 4, most = max_threads / size;
    static unsigned known() { return known_; }
    static bool cover(thread_id t) { return t < known_ * size; }
    static void reset() { known_ = 1; }
    static void extend_to(thread_id t) {
        while (!cover(t)) ++known_;
    }

  private:
    static inline unsigned known_ = 1;
};

/// A group of lanes. By hand, since g++ 12 leaves loops over single numbers as they are at -O2.
using lanes [[gnu::vector_size(sizeof(lane) * clock_groups::size)]] = lane;

inline lanes latest(lanes a, lanes b) { return a < b ? b : a; }

/// One of `Beside` clocks that lie together.
template <class Lane, unsigned Beside>
class clock_among {
  public:
    explicit clock_among(Lane* first) : first_(first) {}
    operator clock_among<const lane, Beside>() const { return clock_among<const lane, Beside>(first_); }

    lane operator[](thread_id t) const { return first_[place(t)]; }
    /// Whether event `index` of thread `t` is included.
    bool includes(thread_id t, unsigned index) const { return static_cast<lane>(index) <= (*this)[t]; }

    void set(thread_id t, unsigned index) const { first_[place(t)] = static_cast<lane>(index); }
    void clear() const {
        each_group([&](unsigned g) { store(g, lanes{}); });
    }
    template <class From>
    void copy(From from) const {
        each_group([&](unsigned g) { store(g, from.load(g)); });
    }
    /// The pointwise maximum: everything either clock includes.
    template <class From>
    void join(From from) const {
        each_group([&](unsigned g) { store(g, latest(load(g), from.load(g))); });
    }

    /// Whether there is an event that this includes and the other does not.
    template <class From>
    bool exceeds(From from) const {
        lanes more{};
        each_group([&](unsigned g) { more |= load(g) > from.load(g); });
        return (more[0] | more[1] | more[2] | more[3]) != 0;
    }

    lanes load(unsigned g) const {
        lanes group;
        std::memcpy(&group, first_ + g * clock_groups::size * Beside, sizeof group);
        return group;
    }
    void store(unsigned g, lanes group) const {
        std::memcpy(first_ + g * clock_groups::size * Beside, &group, sizeof group);
    }

  private:
    static unsigned place(thread_id t) {
        constexpr unsigned within = clock_groups::size - 1;
        return (t & ~within) * Beside + (t & within);
    }
    template <class Function>
    static void each_group(Function f) {
        const unsigned known = clock_groups::known(); // which f does not change
        for (unsigned g = 0; g < known; ++g) f(g);
    }

    Lane* first_;
};

/// Memory for `Count` clocks. Lanes behind the known groups are zero, or their owner sets them before they are known.
template <unsigned Count>
struct alignas(16) clocks_together {
    std::array<lane, Count * max_threads> all;

    static std::size_t known_bytes() { return clock_groups::known() * group_bytes; }
    static constexpr std::size_t group_bytes = sizeof(lane) * clock_groups::size * Count;

    template <unsigned Nth>
    clock_among<lane, Count> clock() {
        static_assert(Nth < Count);
        return clock_among<lane, Count>(all.data() + Nth * clock_groups::size);
    }
    template <unsigned Nth>
    clock_among<const lane, Count> clock() const {
        static_assert(Nth < Count);
        return clock_among<const lane, Count>(all.data() + Nth * clock_groups::size);
    }
};

} // namespace ringproof::verify
