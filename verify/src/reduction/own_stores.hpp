// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <compare>
#include <set>

namespace ringproof::verify {

/// Stores of a loop to memory that its thread has for itself, as in a lock's queue node: own_stores.cpp.
class own_stores : public reduction {
  public:
    using reduction::reduction;

    /// From now on they are looked for: in a search that is no part of another one.
    void use() { uses_ = facts_.limits.reduce.own_store; }
    /// Whether any place in the program is known to make them.
    bool are_known() const { return !places_.empty(); }

    /// Whether the pending store of `t` only writes again what the thread has written there last. @throws anew when its place in the program becomes known for that
    bool writes_again(const thread_state& t);
    /// Judges the last event of `t`, an access. @throws anew when it shows that the location is not one thread's
    void note_access(const thread_state& t);

    /// The search begins anew. @return whether that is for what was learnt here, which is no lesson for a resumed search
    bool begins_anew();

  private:
    /// Where a thread makes stores: the same for alike threads. In code that isn't optimised all stores are made in one
    /// function, but not all at one place of the stack.
    struct store_place {
        std::uintptr_t site;
        std::uintptr_t depth; ///< of the location in the thread's own stack; 0: it is elsewhere
        auto operator<=>(const store_place&) const = default;
    };
    store_place place_of(thread_id by, std::uintptr_t site, std::uintptr_t address) const;
    bool may_be_used() const;
    bool goes_on_for_long(const thread_state& t) const;
    bool is_known(const event& e) const;
    bool tells(const event& e) const;
    bool has_told_since(const event& write, thread_clock by) const;
    bool repeats(const thread_state& t, const event& before, bool known) const;
    [[noreturn]] void give_up(const event& e);
    [[noreturn]] void begin_anew();

    std::set<store_place> places_;   ///< whose stores are such
    std::set<store_place> given_up_; ///< that made others
    unsigned begun_ = 0;             ///< searches that this has begun anew
    bool uses_ = false, begins_anew_ = false;
};

} // namespace ringproof::verify
