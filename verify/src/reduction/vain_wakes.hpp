// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <optional>
#include <vector>

namespace ringproof::verify {

/// Waits that ended early or timed out, in loops that look again: vain_wakes.cpp.
class vain_wakes : public reduction {
  public:
    using reduction::reduction;
    bool woke_in_vain(thread_state& t);
    /// Whether `t`, which has stopped after such a wait, goes on because another thread has noticed that it had a mutex.
    bool was_noticed(const thread_state& t) const;
    /// Whether `t`, which is in a timed wait that nobody will end, would time out again and again, and do nothing else:
    /// when no thread can go on.
    bool polls_for_ever(thread_state& t);

  private:
    enum class trial : std::uint8_t { comes_back, does_something_else, unknown };
    bool left_value(const thread_state& t, const event& e) const;
    static bool lets_go(const event& e);
    bool only_locked(const thread_state& t, unsigned from, unsigned until) const;
    unsigned taken_before(const thread_state& t, unsigned release) const;
    void add_who_noticed(const thread_state& t, unsigned taken, unsigned released,
                         std::vector<const event*>& found) const;
    std::optional<std::vector<const event*>> noticed_since(const thread_state& t, unsigned from) const;
    bool stops_since(thread_state& t, unsigned from, const event& early);
    bool waits_again(const thread_state& t, const event& early);
    bool looked_at_clock(const thread_state& t, unsigned since) const { return t.looked_at > since; }
    static std::function<bool(std::uintptr_t)> deadline_of(const thread_state& t);
    bool note_cut(const event& early);
    trial time_out_again(thread_state& t, const event& wait, bool passes);
    std::optional<value_t> only_sees(const request& what) const;
    trial look_again(thread_state& t, const event& wait);
    std::uintptr_t mutex_of(const event& wait) const;

    void bound_by(std::uintptr_t site);

    std::vector<std::uintptr_t> cut_;    ///< waits of which a time-out was left out
    std::vector<std::uintptr_t> untold_; ///< waits of which it was not told whether they time out for ever
};

} // namespace ringproof::verify
