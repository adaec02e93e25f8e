// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/memory_digest.hpp"
#include "known_values.hpp"
#include "reduction.hpp"

#include <map>
#include <vector>

namespace ringproof::verify {

/// Iterations that have read a value which was replaced, and fail whatever they read besides: stale_iterations.cpp.
class stale_iterations : public reduction {
  public:
    using reduction::reduction;

    /// From now on they are looked for: in a search that is no part of another one.
    void use() { uses_ = true; }
    /// Whether any was left out in this search.
    bool are_left_out() const { return used_; }
    /// The search has come to its end. @throws anew if it left any out before it knew what it knows now
    void check_end() {
        if (outdated_) begin_anew();
    }
    /// The search begins anew. @return whether that is for what was learnt here, which is no lesson for a resumed search
    bool begins_anew();

    /// Whether `t`, which has come round behind the iteration since waiting_from, comes to nothing else in any execution that
    /// this branch leads to. @throws anew when values have to be known from the beginning of the search
    bool leads_nowhere(thread_state& t);

    bool notes_values() const { return values_.any() && (used_ || (uses_ && is_worth_it())); }
    /// The location `l` was accessed, by `write` if that is not none. @throws anew
    void note_access(location_id l, event_id write);

  private:
    /// An iteration, of whose end its thread has come round.
    struct iteration {
        unsigned first = 0; ///< the index of its first read
        unsigned from = 0;  ///< of the read behind which everything is tried out
        unsigned end = 0;
        bool for_good = false; ///< case (2) of the argument; otherwise case (1)
        unsigned knows =
            0; ///< case (2): the index of A, if none but the thread's own reads can take its place
    };
    /// What a read of a trial sees.
    struct trial_read {
        known_values::value_number what;
        bool spurious = false;
        bool made = false; ///< it is the one that the thread has made
    };
    enum class arrival : std::uint8_t { round, asks, elsewhere };
    struct step {
        arrival at = arrival::elsewhere;
        request asked;
    };

    bool is_worth_it() const;
    bool may_be_used(const thread_state& t) const;
    bool find(const thread_state& t, iteration& i) const;
    bool only_reads(const thread_state& t, const iteration& i) const;
    bool is_stale(const event& read) const;
    bool knows_newer(const thread_state& t, const iteration& i, unsigned k) const;
    bool is_made_at_once(const thread_state& t, unsigned from, unsigned last) const;
    bool knows_values(const thread_state& t, const iteration& i);
    const known_values::values* values_at(std::uintptr_t address);
    [[noreturn]] void begin_anew();

    // Trials, in stale_trials.cpp.
    bool fails_from_its_memory(thread_state& t, const iteration& i);
    bool fails_whatever_it_reads(thread_state& t, const iteration& i);
    bool fails_from_here(thread_state& t, const iteration& i);
    bool succeeds(const thread_state& t, const iteration& i, const request& asked,
                  known_values::value_number next) const;
    std::vector<known_values::value_number> readable(const thread_state& t, const iteration& i, location_id l,
                                                     const event* made) const;
    void note_accessed(const thread_state& t);
    bool fails_with(thread_state& t, const iteration& i, const request& asked, trial_read next);
    step go_along(thread_state& t, const iteration& i);
    bool go_past_fences(thread_state& t);
    bool read(thread_state& t, const trial_read& next);
    const event* next_made(const thread_state& t, const iteration& i) const;
    bool is_exchanged(const thread_state& t, const iteration& i) const;
    bool goes_round(const thread_state& t) const;
    bool has_come_round(thread_state& t, const iteration& i, const saved_state& here);
    bool would_be_here(thread_state& t, const iteration& i, const saved_state& begun);
    bool take_back_writes(const thread_state& t, const saved_state& begun);
    bool is_there_for_good(const known_values::value& one, location_id l, const event& from) const;
    known_values::value_number number_of(const event& read) const;
    value_t value_of(known_values::value_number what) const;
    bool add_to(memory_digest& digest, const thread_state& t, const iteration& i) const;

    known_values values_;
    std::vector<trial_read> path_; ///< of a trial: the reads behind iteration::from
    std::vector<request> asked_;   ///< what was read in the trial, from the first read of the iteration on
    std::vector<tried_access> accessed_; ///< in the trial
    std::vector<tried_access>
        accessed_in_all_; ///< in all trials for the iteration at hand, but for its own stack
    /// What it has read: with acquire, or before a fence that acquires; and without.
    std::vector<known_values::value_number> acquired_, relaxed_;
    unsigned trials_ = 0; ///< for the iteration at hand
    struct outcome {
        bool fails = false;
        std::vector<tried_access> accessed;
    };
    std::map<memory_digest::value, outcome> tried_;
    std::uint64_t cost_ = 0, dropped_ = 0; ///< trials, and branches that ended, since the first search began
    std::uint64_t outdated_at_ = 0;        ///< events
    unsigned begun_ = 0;                   ///< searches that this has begun anew
    bool uses_ = false, used_ = false, outdated_ = false, wants_more_ = false, begins_anew_ = false;
};

} // namespace ringproof::verify
