// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <cstdint>
#include <vector>

namespace ringproof::verify {

/// Read-modify-writes whose results are not used, of a word that no thread looks at in between: commuting_updates.cpp.
class commuting_updates : public reduction {
  public:
    using reduction::reduction;
    bool any() const { return !words_.empty(); }
    /// Before the pending request of `t` is performed: makes an update of it where it is one. @throws anew where the
    /// order matters after all
    void before(thread_state& t) {
        if (t.what.act == action::modify || t.what.act == action::fence) before_update(t);
    }
    /// Before the pending read of `t` of `l` is added, which is no update. @throws anew
    void note_read(const thread_state& t, location_id l);
    /// The same before its pending write.
    void note_write(const thread_state& t);
    /// At the end of a complete execution. @return whether it shows words whose updates commute, for a search that
    /// begins anew
    bool learn();
    /// The search that this one goes on with has met a complete execution before: there is no more to be learnt from one.
    void learn_no_more() { learnt_ = true; }
    /// In how many orders this execution's updates can be, of which this one is explored; 1 where that is not counted.
    double orders() const;

  private:
    /// Operations of one kind give the same result in each order.
    enum class kind : std::uint8_t { other, sum, both, either, parity };
    static kind kind_of_update(rmw_op op);
    struct word {
        std::uintptr_t address;
        kind is;
    };
    /// A word that may be one, as far as the first execution goes.
    struct candidate {
        word what;
        bool may_be;
        std::vector<std::pair<thread_id, unsigned>> updates; ///< threads, and indices of their reads
        bool has(const event& e) const;
    };
    const word* find(std::uintptr_t address) const;
    bool is_update(const thread_state& t) const;
    void become_count(thread_state& t);
    void become_update(thread_state& t);
    bool any_but_latches() const;
    void before_update(thread_state& t);
    void before_fence(const thread_state& t);
    void note_candidate(const thread_state& t);
    bool commute_in(const candidate& c) const;
    bool is_ordered_behind(const thread_state& t, const location& at, bool updates) const;
    bool is_updated_by_several(const location& at) const;
    double orders_of(const location& at) const;
    [[noreturn]] void give_up(std::uintptr_t address);

    std::vector<word> words_;
    std::vector<std::uintptr_t> ordered_; ///< of those whose updates are explored in each order
    std::vector<candidate> candidates_;
    bool learnt_ = false; ///< whether the first execution has been looked at
};

} // namespace ringproof::verify
