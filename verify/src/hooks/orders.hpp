// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory orders that a program asks for, by the place of the call, and what it is given instead: they arrive at
// run time, so that one can be weakened without compiling anything again.

#include "../graph/event.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ringproof::verify {

/// What an order is asked for. A compare-exchange has two: where it takes place, and where it fails.
enum class ordered : std::uint8_t { load, store, modify, compare, failed_compare, fence, signal_fence };

std::string_view name_of(ordered what);
/// "acquire"; "none" for a fence that is not there.
std::string_view name_of(order o, ordered what);

/// The orders one step weaker. A fence that is `relaxed` is none.
std::vector<order> one_step_weaker(ordered what, order from);
/// Whether whatever `a` orders `b` orders too.
bool no_stronger(order a, order b);
/// All orders that make sense, the strongest first.
std::vector<order> orders_of(ordered what);

/// One call in the machine code, with one order.
struct call_site {
    std::uintptr_t pc = 0; ///< return address
    ordered what = ordered::load;
    order asked = order::relaxed;

    std::uint64_t key() const {
        return static_cast<std::uint64_t>(pc) << 16 | static_cast<std::uint64_t>(what) << 8 |
               static_cast<std::uint64_t>(asked);
    }
    static call_site of(std::uint64_t key) {
        return {static_cast<std::uintptr_t>(key >> 16), static_cast<ordered>(key >> 8 & 0xff),
                static_cast<order>(key & 0xff)};
    }
};

class order_table {
  public:
    /// While it lives, programs are given what is in `table`. One at a time.
    class in_use {
      public:
        explicit in_use(order_table& table) { active_ = &table; }
        ~in_use() { active_ = nullptr; }
        in_use(const in_use&) = delete;
        in_use& operator=(const in_use&) = delete;
    };

    /// For the hooks: what the program is given.
    static order given(std::uintptr_t pc, ordered what, order asked) {
        return active_ ? active_->look_up({pc, what, asked}) : asked;
    }

    void set(std::uint64_t key, order to) { orders_[key].given = to; }
    /// All as asked, or as strong as can be; none executed.
    void reset(bool strongest);
    /// The calls that have been executed since the last reset.
    std::vector<std::uint64_t> executed() const;

  private:
    struct entry {
        order given = order::relaxed;
        bool executed = false;
    };
    order look_up(const call_site& site);

    order unchanged(const call_site& site) const;

    static order_table* active_;
    bool strongest_ = false;
    std::unordered_map<std::uint64_t, entry> orders_;
};

} // namespace ringproof::verify
