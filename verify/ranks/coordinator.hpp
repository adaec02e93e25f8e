// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rank 0: hears what ranks tell, keeps it in the folder, and tells who is to do what.

#include "estimator.hpp"
#include "message.hpp"
#include "pool.hpp"
#include "store.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify::ranks {

class coordinator {
  public:
    struct rules {
        rank_id ranks = 1;
        double lost_after = 30; ///< seconds without a sign of life
        double budget = 0;      ///< seconds in all; 0: as long as it takes
        unsigned deaths = 3;    ///< of searchers on one part, until that is the end
    };
    using teller = std::function<void(const std::string&)>;

    /// @param warn for what people should know, a sentence each
    coordinator(rules r, store& s, std::vector<piece> open, teller warn);

    void hear(rank_id from, message m, double now);
    /// To be sent now.
    std::vector<std::pair<rank_id, message>> tell(double now);
    /// After this only what ranks give back is waited for.
    void give_up(double now);

    bool over(double now) const;
    /// Nothing can be done any more: the sentence; empty: all is well.
    const std::string& failure() const { return failure_; }
    bool failed_by_input() const { return all_unusable(); }
    std::size_t lost() const { return lost_.size(); }

    /// Of what is done and what is left, for people.
    struct figures {
        std::size_t ranks = 0, busy = 0, searches = 0, open_searches = 0;
        std::uint64_t executions = 0;
        double done = -1;                  ///< as a part of all of it; negative: nobody knows
        std::optional<estimated_size> all; ///< executions, once each search is estimated
        /// "120 executions of about 4.2 thousand (95 %: 3.9 thousand to 4.6 thousand)"
        std::string in_words() const;
    };
    void note(const estimated_sizes& sizes);
    figures now() const;
    /// For each search that has parts left: how many.
    std::map<std::string, std::size_t> left() const;

  private:
    struct known_rank {
        std::string host;
        double heard = 0;
        bool there = false;
    };
    void here(rank_id from, const message& m);
    void done(rank_id from, const message& m);
    void left(rank_id from, const message& m);
    void learnt(rank_id from, const message& m);
    void died(rank_id from, const message& m);
    void unusable(rank_id from, const message& m);
    void look_for_the_lost(double now);
    std::optional<estimated_size> all_of(const std::map<std::string, std::uint64_t>& found,
                                         const std::set<std::string>& open) const;
    bool all_unusable() const { return unusable_.size() == rules_.ranks; }
    std::string name(rank_id who) const;
    bool gave_up() const { return gave_up_ >= 0; }

    rules rules_;
    store& store_;
    teller warn_;
    pool pool_;
    std::map<rank_id, known_rank> known_;
    std::set<rank_id> lost_, unusable_;
    std::vector<std::pair<rank_id, message>> to_send_;
    std::string failure_;
    std::map<std::string, std::uint64_t> executions_; ///< of parts that are done, by search
    estimated_sizes estimates_;
    double gave_up_ = -1;
};

} // namespace ringproof::verify::ranks
