// SPDX-License-Identifier: Apache-2.0
#include "machines.hpp"

#include "../../ranks/pool.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <random>
#include <stdexcept>

namespace ringproof::verify::ranks {
namespace {

/// Leaves from `from` to `to`; of the first one, `done` seconds are searched.
struct interval {
    std::size_t from = 0, to = 0;
    double done = 0;
};
using intervals = std::vector<interval>;

/// Dividing as the checker divides positions: at the first decision with an open way, the greater half of these.
class tree_divider {
  public:
    tree_divider(const recorded_tree& tree, double misjudged) : tree_(tree), misjudged_(misjudged) {}

    double seconds(const interval& i) const { return tree_.before[i.to] - tree_.before[i.from] - i.done; }
    /// What is left of it after so many seconds.
    interval behind(interval i, double searched) const {
        constexpr double nothing = 1e-6; // the sum of many seconds is not exact
        if (searched >= seconds(i) - nothing) return {i.to, i.to, 0};
        const double there = tree_.before[i.from] + i.done + searched;
        const auto begin = tree_.before.begin();
        const auto next = std::upper_bound(begin + static_cast<std::ptrdiff_t>(i.from),
                                           begin + static_cast<std::ptrdiff_t>(i.to), there);
        i.from = static_cast<std::size_t>(next - begin) - 1;
        i.done = there - tree_.before[i.from];
        return i;
    }
    /// As the search thinks: each time that it looks at the same subtree, the same.
    double size(const interval& i) const {
        std::mt19937 random(static_cast<std::uint32_t>(i.from * 2'654'435'761u ^ i.to));
        std::lognormal_distribution<double> error(-misjudged_ * misjudged_ / 2, misjudged_);
        return seconds(i) * error(random);
    }

    /// @return the part that is given away; empty where there is no open way
    interval split_off(interval& i) const {
        if (i.to - i.from < 2) return {};
        const auto& first = tree_.leaves[i.from].ways;
        const auto& last = tree_.leaves[i.to - 1].ways;
        const auto at = static_cast<std::size_t>(
            std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first - first.begin());
        const std::uint32_t way = first.at(at), end = last.at(at) + 1;
        const std::uint32_t from = way + 1 + (end - way - 1) / 2;
        std::size_t cut = i.from + 1;
        const auto begins = [&](const leaf& l) { return l.ways.at(at) < from; };
        cut = static_cast<std::size_t>(
            std::partition_point(tree_.leaves.begin() + static_cast<std::ptrdiff_t>(cut),
                                 tree_.leaves.begin() + static_cast<std::ptrdiff_t>(i.to), begins) -
            tree_.leaves.begin());
        if (cut >= i.to) cut = i.to - 1; // ways that no execution takes
        interval off{cut, i.to, 0};
        i.to = cut;
        return off;
    }

    /// Pieces, four for a part, the largest first to the part that has the least.
    std::vector<intervals> divide(const intervals& all, std::size_t into) const {
        const auto smaller = [&](const interval& a, const interval& b) { return size(a) < size(b); };
        std::vector<interval> heap = all, pieces;
        std::make_heap(heap.begin(), heap.end(), smaller);
        while (!heap.empty() && heap.size() + pieces.size() < 4 * into) {
            std::pop_heap(heap.begin(), heap.end(), smaller);
            const interval off = split_off(heap.back());
            if (off.to == 0) {
                pieces.push_back(heap.back());
                heap.pop_back();
                continue;
            }
            std::push_heap(heap.begin(), heap.end(), smaller);
            heap.push_back(off);
            std::push_heap(heap.begin(), heap.end(), smaller);
        }
        pieces.insert(pieces.end(), heap.begin(), heap.end());
        std::sort(pieces.begin(), pieces.end(),
                  [&](const auto& a, const auto& b) { return size(a) > size(b); });
        std::vector<intervals> parts(std::min(into, pieces.size()));
        using load = std::pair<double, std::size_t>;
        std::priority_queue<load, std::vector<load>, std::greater<>> least;
        for (std::size_t p = 0; p < parts.size(); ++p) least.emplace(0, p);
        for (const interval& i : pieces) {
            const auto [has, p] = least.top();
            least.pop();
            parts[p].push_back(i);
            least.emplace(has + size(i), p);
        }
        return parts;
    }

  private:
    const recorded_tree& tree_;
    double misjudged_;
};

struct event {
    enum class kind { told, ends, hears, dies, back, thought_dead } what;
    double at = 0;
    rank_id rank = 0;
    std::uint64_t assignment = 0; ///< or, of a rank, which life it is
    order::kind said = order::kind::work;
    bool operator>(const event& other) const { return at > other.at; }
};

struct machine {
    std::uint64_t assignment = 0, life = 0;
    intervals has;
    bool whole = false;
    double since = 0; ///< it searches; before that it starts
    bool alive = true;
};

class simulation {
  public:
    simulation(const recorded_tree& tree, const cluster& c, unsigned seed)
        : tree_(tree), cluster_(c), divider_(tree, c.misjudged), random_(seed), ranks_(c.ranks),
          pool_({}, [this](const piece& p, std::size_t into) { return divided(p, into); }) {
        piece whole = store({{0, tree.leaves.size(), 0}});
        whole.whole = true;
        whole.size = std::numeric_limits<double>::infinity();
        pool_.add(whole);
        for (rank_id r = 0; r < c.ranks; ++r) {
            pool_.idle(r);
            plan_death(r, 0);
        }
        pool_.note_start(c.start);
    }

    simulated run() {
        tell(0);
        double now = 0;
        while (!pool_.finished()) {
            if (events_.empty()) throw std::logic_error("the machines have stopped");
            const event e = events_.top();
            events_.pop();
            now = e.at;
            handle(e);
            // Whoever is to be asked later is asked then.
            if (now >= next_look_) tell(now), next_look_ = now + 0.05;
        }
        result_.seconds = now;
        result_.efficiency = tree_.before.back() / (now * cluster_.ranks);
        return result_;
    }

  private:
    piece store(intervals all) {
        piece p;
        p.text = std::to_string(parts_.size());
        p.size = 0;
        for (const interval& i : all) p.size += divider_.size(i);
        parts_.push_back(std::move(all));
        ++result_.parts;
        return p;
    }
    intervals& of(const piece& p) { return parts_.at(std::stoul(p.text)); }

    std::vector<piece> divided(const piece& p, std::size_t into) {
        std::vector<piece> all;
        for (intervals& part : divider_.divide(of(p), into)) all.push_back(store(std::move(part)));
        return all;
    }

    void plan(event e) { events_.push(e); }
    void plan_death(rank_id r, double now) {
        if (cluster_.dying <= 0 || r == 0) return;
        std::exponential_distribution<double> lives(cluster_.dying / 3600);
        plan({event::kind::dies, now + lives(random_), r, ranks_[r].life});
    }

    double seconds(const intervals& all) const {
        double sum = 0;
        for (const interval& i : all) sum += divider_.seconds(i);
        return sum;
    }

    /// What a rank is told comes after the latency; rank 0 tells one after the other.
    void tell(double now) {
        for (const order& o : pool_.orders(now)) {
            ++result_.messages;
            event e{event::kind::hears, now + cluster_.latency, o.to, o.assignment, o.what};
            if (o.what == order::kind::work) given_[o.assignment] = {of(*o.on), o.divide > 1};
            plan(e);
        }
    }

    void handle(const event& e) {
        machine& m = ranks_[e.rank];
        switch (e.what) {
        case event::kind::hears:
            return hear(e, m);
        case event::kind::ends: // the searcher: to its end, or its turn is over
            if (m.alive && m.assignment == e.assignment) give_back(e.at, e.rank);
            return;
        case event::kind::told:
            return told(e);
        case event::kind::dies:
            if (m.life != e.assignment || !m.alive) return;
            m.alive = false;
            ++result_.deaths;
            plan({event::kind::thought_dead, e.at + cluster_.lost_after, e.rank});
            plan({event::kind::back, e.at + cluster_.lost_after + cluster_.back_after, e.rank});
            return;
        case event::kind::thought_dead:
            pool_.lost(e.rank);
            m.assignment = 0;
            return;
        case event::kind::back:
            m.alive = true;
            ++m.life;
            pool_.idle(e.rank);
            plan_death(e.rank, e.at);
            return;
        }
    }

    void hear(const event& e, machine& m) {
        if (!m.alive) return;
        if (e.said == order::kind::work) {
            m.assignment = e.assignment;
            m.has = given_.at(e.assignment).first;
            m.whole = given_.at(e.assignment).second;
            given_.erase(e.assignment);
            m.since = e.at + cluster_.start;
            const double turn = m.whole ? cluster_.first_turn : cluster_.turn;
            plan({event::kind::ends, m.since + std::min(turn, seconds(m.has)), e.rank, e.assignment});
        } else if (m.assignment == e.assignment) {
            give_back(std::max(e.at, m.since), e.rank);
        }
    }

    /// What is left of what it had goes to rank 0, which reads one message after the other.
    void give_back(double now, rank_id r) {
        machine& m = ranks_[r];
        double searched = std::max(now - m.since, 0.0);
        intervals rest;
        for (const interval& i : m.has) {
            const double all = divider_.seconds(i);
            if (const interval left = divider_.behind(i, searched); left.from < left.to) rest.push_back(left);
            searched = std::max(searched - all, 0.0);
        }
        const double dividing = m.whole ? cluster_.first_turn : 0;
        rests_[m.assignment] = {m.has, rest};
        plan({event::kind::told, now + dividing + cluster_.latency, r, m.assignment});
        m.assignment = 0;
    }

    void told(const event& e) {
        if (e.at < serving_until_) { // its message waits
            plan({event::kind::told, serving_until_, e.rank, e.assignment});
            return;
        }
        serving_until_ = e.at + cluster_.serve;
        result_.served += cluster_.serve;
        ++result_.messages;
        const auto [had, rest] = rests_.at(e.assignment);
        rests_.erase(e.assignment);
        if (!pool_.current(e.rank, e.assignment)) return;
        result_.searched += seconds(had) - seconds(rest);
        if (rest.empty())
            pool_.done(e.rank);
        else
            pool_.left(e.rank, store(rest));
        tell(serving_until_);
    }

    const recorded_tree& tree_;
    const cluster cluster_;
    tree_divider divider_;
    std::mt19937 random_;
    std::vector<machine> ranks_;
    pool pool_;
    std::vector<intervals> parts_;
    std::map<std::uint64_t, std::pair<intervals, bool>> given_;
    std::map<std::uint64_t, std::pair<intervals, intervals>> rests_;
    std::priority_queue<event, std::vector<event>, std::greater<>> events_;
    double serving_until_ = 0, next_look_ = 0;
    simulated result_;
};

} // namespace

simulated simulate(const recorded_tree& tree, const cluster& machines, unsigned seed) {
    return simulation(tree, machines, seed).run();
}

} // namespace ringproof::verify::ranks
