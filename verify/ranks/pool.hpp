// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who of many searches what: the parts of searches that wait, those that somebody has, and what to ask of whom when
// somebody has nothing. It knows nothing of processes, files or messages, and takes the time from outside, so that a
// simulation of thousands of machines asks the same pool.
//
// Invariant: each part that is left is in exactly one place, waiting or with one rank, as it was last told. What a rank
// found belongs to the assignment it had; an assignment that was taken away is not heard any more. So a rank that
// dies, or is only thought dead, costs the time since it last told, and nothing is counted twice.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

using rank_id = std::uint32_t;

/// A part of a search.
struct piece {
    std::uint64_t id = 0;
    std::string search; ///< which search it is of
    std::string text;   ///< what the searcher goes on with
    /// Executions that are left, about. As long as it takes, when nobody knows: then it comes first.
    double size = std::numeric_limits<double>::infinity();
    double share =
        1; ///< of the tree of its search: exact, but subtrees of one share may take very unlike times
    double keep = 0;    ///< seconds for which nobody asks for some of it, as it could not be divided before
    bool whole = false; ///< the search was not divided yet
    bool indivisible = false; ///< and cannot be
    unsigned deaths = 0;      ///< of those who had it
    double seconds = 0;       ///< that went into those
    std::uint64_t found = 0;  ///< executions that were found and belong to it
};

/// What somebody is told to do.
struct order {
    enum class kind { work, stop, cancel } what = kind::work;
    rank_id to = 0;
    std::uint64_t assignment = 0;
    const piece* on = nullptr; ///< for work
    /// Into how many positions to divide what is left after a while; 0: not at all; 1: it is searched to its end.
    unsigned divide = 0;
};

/// Divides a part in at most `into`; one where it cannot be divided.
using divider = std::function<std::vector<piece>(const piece&, std::size_t into)>;

class pool {
  public:
    struct rules {
        /// Seconds that a rank keeps a part before others may ask for some of it; and as many times what it takes to start
        /// a searcher.
        double shortest_turn = 0.25;
        double turn_per_start = 10;
        std::size_t expected = 1; ///< ranks; some may not have said yet that they are there
        unsigned positions = 8;   ///< for each rank, into which a search is divided the first time
        unsigned most_positions = 8192;
    };
    pool(rules r, divider divides) : rules_(r), divides_(std::move(divides)) {}

    void add(piece p);

    /// This rank has nothing to do, and is there.
    void idle(rank_id who);
    /// It will do nothing any more. What it had waits again.
    void lost(rank_id who);

    /// Beside searching, a turn took so many seconds.
    void note_start(double seconds);
    /// What a rank tells of what it was given. @return the part; nothing where it has it no longer, which is no error
    const piece* current(rank_id who, std::uint64_t assignment) const;
    /// It is searched to its end.
    void done(rank_id who);
    /// What is left of it: the rank was asked, or its turn is over.
    /// @return the parts that come of it, which have to be kept instead; they are in the pool
    std::vector<piece> left(rank_id who, piece rest);
    /// The searcher died. The part waits again. @return how often it died on this part
    unsigned died(rank_id who);

    /// Nothing more of this search is wanted.
    void drop(const std::string& search);

    /// What is to be told now. Each is told once.
    std::vector<order> orders(double now);
    /// Instead of those: that everybody gives back what is left, and gets nothing more.
    std::vector<order> stop_all();

    std::uint64_t new_id() { return next_piece_++; }
    /// Others have those up to `last`.
    void begin_ids_after(std::uint64_t last) { next_piece_ = std::max(next_piece_, last + 1); }
    bool finished() const { return waiting_.empty() && busy_.empty(); }
    std::size_t ranks() const { return busy_.size() + idle_.size(); }
    std::size_t busy() const { return busy_.size(); }
    /// Of each piece that is left, as it was last told.
    void each(const std::function<void(const piece&)>& look) const;

  private:
    struct turn {
        piece what;
        std::uint64_t assignment = 0;
        double since = 0;
        bool asked = false; ///< for what is left
    };
    void give(rank_id who, double now, std::vector<order>& told);
    void ask(double now, std::vector<order>& told);
    double shortest_turn() const;
    std::size_t shares() const;

    rules rules_;
    divider divides_;
    std::vector<piece> waiting_; ///< the largest last
    std::map<rank_id, turn> busy_;
    std::vector<rank_id> idle_;
    std::vector<order> cancelled_;
    double start_ = 0; ///< seconds, of late
    std::uint64_t next_piece_ = 1, next_assignment_ = 1;
};

} // namespace ringproof::verify::ranks
