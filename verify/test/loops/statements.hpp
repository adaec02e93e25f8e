// SPDX-License-Identifier: Apache-2.0
#pragma once
// What generated programs with loops are put together from.

#include "program.hpp"

#include <string_view>

namespace ringproof::verify::loops {

enum class kind : std::uint8_t {
    spin,      ///< until a location has a value
    exits,     ///< two ways out, or an assertion in the round
    push,      ///< compare-exchange that is tried again, with the value it saw or with one read anew
    nodes,     ///< the same after a store into a node of one's own; pops
    take_back, ///< adds, and takes back when that was too much
    lock,      ///< test-and-set and its kin
    ticket,    ///< and who is served
    seqlock,   ///< a pair that is read again until nothing came between
    gives_up,  ///< counts its rounds
    remembers, ///< the round after does something else because of what this one saw
    any,       ///< anything at random

    // What programs of users do beside: see users.hpp.
    counted,  ///< yields or sleeps in each round, gives up after so many, and goes another way then
    told,     ///< the same, and how many rounds there were is told
    rounding, ///< the mode in which floating-point results are rounded tells rounds apart
    flags,    ///< whether one was exact does
    numbers,  ///< a number in a floating-point register does
    pages,    ///< memory is obtained and given back, once or in each round; what is in it may tell them apart
    mapped,   ///< the same by mmap
    printed   ///< any of the above whose private memory is written by a library that the checker doesn't see
};
inline constexpr kind first_of_users = kind::counted;
inline constexpr std::array kind_names = std::to_array<std::string_view>(
    {"spin", "exits", "push", "nodes", "take-back", "lock", "ticket", "seqlock", "gives-up", "remembers",
     "any", "counted", "told", "rounding", "flags", "numbers", "pages", "mapped", "printed"});
static_assert(kind_names.size() == static_cast<std::size_t>(kind::printed) + 1);

/// Random numbers (SplitMix64, Steele, Lea, Flood, OOPSLA 2014).
class chooser {
  public:
    constexpr explicit chooser(std::uint64_t seed) : state_(seed) {}
    constexpr int below(int bound) {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(bound));
    }
    constexpr bool chance(int percent) { return below(100) < percent; }

  private:
    std::uint64_t state_;
};

class statements {
  protected:
    constexpr statements(kind what, std::uint64_t seed)
        : kind_(what), choose_(seed * 64 + static_cast<std::uint64_t>(what)) {}

    using mo = std::memory_order;

    constexpr mo load_order() {
        if (strong_) return mo::seq_cst;
        return proper_ || choose_.chance(50) ? mo::acquire : mo::relaxed;
    }
    constexpr mo store_order() {
        if (strong_) return mo::seq_cst;
        return proper_ || choose_.chance(50) ? mo::release : mo::relaxed;
    }
    constexpr mo change_order() {
        if (strong_) return mo::seq_cst;
        constexpr std::array<mo, 4> all = {mo::relaxed, mo::acquire, mo::release, mo::acq_rel};
        return proper_ ? mo::acq_rel : all[static_cast<std::size_t>(choose_.below(4))];
    }
    /// Of what takes a lock: acquire, or now and then something else.
    constexpr mo taking_order() {
        if (strong_) return mo::seq_cst;
        return choose_.chance(80) ? mo::acquire : change_order();
    }
    /// Not stronger than that of success, which compilers warn of.
    constexpr mo failure_order(mo success) {
        const mo order = load_order();
        return success == mo::relaxed || success == mo::release ? mo::relaxed : order;
    }
    constexpr int other() const { return 1 - x_; }
    constexpr int value() { return 1 + choose_.below(2); }
    constexpr comparison relation() {
        return choose_.chance(60) ? comparison::equal : static_cast<comparison>(choose_.below(4));
    }
    constexpr void maybe_yield(writer& w) {
        if (choose_.chance(25)) w.yield();
    }
    constexpr void maybe_report(writer& w, int which) {
        if (choose_.chance(50)) w.report(which);
    }

    // Arguments are evaluated in any order: only one of them may choose.
    constexpr writer& leave(writer& w, operand left, operand than) {
        return w.break_if(left, relation(), than);
    }
    constexpr writer& leave(writer& w, operand left) { return leave(w, left, value()); }
    constexpr writer& when(writer& w, operand left, operand than) { return w.when(left, relation(), than); }
    constexpr writer& store(writer& w, int x, int what) { return w.store(x, what, store_order()); }
    constexpr writer& exchange(writer& w, int x) {
        const int what = choose_.below(3);
        return w.exchange(no_register, x, what, change_order());
    }
    constexpr writer& compare(writer& w, int target, int x, int expected, operand desired) {
        const mo order = change_order();
        return w.compare(target, x, expected, desired, order, failure_order(order));
    }

    /// Register 0 is what is waited for: a value, or just anything.
    constexpr void awaited(writer& w) {
        if (choose_.chance(60))
            w.break_if(reg(0), choose_.chance(50) ? comparison::not_equal : comparison::greater, 0);
        else
            leave(w, reg(0));
    }

    /// One access without a loop.
    constexpr void straight(writer& w) {
        const int x = choose_.chance(65) ? x_ : other();
        const int r = 4 + choose_.below(2);
        switch (choose_.below(6)) {
        case 0:
            w.load(r, x, load_order()).report(r);
            break;
        case 1:
            w.add(r, x, 1, change_order()).report(r);
            break;
        case 2:
            exchange(w, x);
            break;
        case 3:
            w.set(4, choose_.below(2));
            compare(w, 5, x, 4, value());
            break;
        default:
            store(w, x, choose_.below(3));
        }
    }

    kind kind_;
    chooser choose_;
    program made_;
    bool strong_ = false; ///< everything is seq_cst
    bool proper_ = false; ///< loads acquire, stores release
    int x_ = 0;           ///< the location that is waited for
};

} // namespace ringproof::verify::loops
