// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "attempts.hpp"
#include "reduction.hpp"

#include "../program/memory_digest.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// Read-modify-writes that are undone by another when they fail: undone_attempts.cpp.
class undone_attempts : public reduction {
  public:
    using reduction::reduction;
    /// What is known of the location at `address`, or null.
    attempts_on* attempts(std::uintptr_t address) {
        return attempts_.empty() ? nullptr : known_attempts(address);
    }
    bool any() const { return !attempts_.empty(); }
    bool is_attempt(const request& what) { return !attempts_.empty() && is_known_attempt(what); }
    /// @throws anew
    void learn_attempt(thread_state& t);
    bool attempt_fails(thread_state& t, value_t seen);
    bool amid_attempts(thread_state& t, value_t seen);
    void write_amid_attempts(const thread_state& t, value_t value);
    bool would_be_undone(thread_state& t);

  private:
    bool is_known_attempt(const request& what);
    attempts_on* known_attempts(std::uintptr_t address);
    [[noreturn]] static void give_up(attempts_on& on);
    bool try_on(thread_state& t, value_t seen);
    std::string own_state(const thread_state& t) const;
    bool is_in(const thread_state& t, const std::string& then);
    bool has_stack(const thread_state& t, const memory_range& own, const char* then);
    bool comes_to(thread_state& t, const attempt_made& made, std::vector<std::string>& waits);
    static std::vector<value_t> values_with(const attempts_on& on, std::size_t size, value_t seen);
    bool is_undone(thread_state& t, value_t seen, const std::vector<value_t>& values);
    std::vector<value_t> values_amid(const thread_state& t, value_t seen, const attempts_on& on) const;
    bool same_way_from_here(thread_state& t, value_t a, const saved_state* elsewhere, value_t b,
                            const std::vector<value_t>& values);
    bool same_way(thread_state& t, const meeting& a, const meeting& b, const attempt_values& of,
                  unsigned far);

    bool fails_as_before(thread_state& t, attempts_on& on, const std::vector<value_t>& values, bool attempt);
    bool fails_untold(thread_state& t, attempts_on& on, const std::vector<value_t>& values, bool attempt);
    bool goes_on_like(thread_state& t, const attempt_made& made);
    bool add_look(memory_digest& digest, const thread_state& t) const;
    std::optional<memory_digest> look_of(const thread_state& t, const std::vector<value_t>& values) const;

    std::vector<attempts_on> attempts_;
    /// Looks amid attempts that nobody can tell, in a state of the thread and the memory; whether they fail.
    std::map<memory_digest::value, bool> tried_;
    /// Whether a thread goes on from one state as from another.
    std::map<memory_digest::value, bool> same_ways_;
    bool asked_of_races_ = false; ///< a trial was decided by what was accessed before
    bool accesses_ =
        false; ///< an attempt that is tried out makes plain accesses of what another thread may know
    bool raced_ = false; ///< or ended in a race
    /// What looked like an attempt, and was none: an attempt that succeeds is followed by what undoes it, too.
    struct no_attempt {
        std::uintptr_t site;
        value_t seen, written;
        bool operator==(const no_attempt&) const = default;
    };
    std::vector<no_attempt> no_attempts_;
};

} // namespace ringproof::verify
