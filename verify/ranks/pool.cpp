// SPDX-License-Identifier: Apache-2.0
#include "pool.hpp"

#include <algorithm>

namespace ringproof::verify::ranks {
namespace {

bool smaller(const piece& a, const piece& b) {
    return a.size < b.size || (a.size == b.size && a.id > b.id); // of alike ones, the earlier is taken first
}

} // namespace

void pool::add(piece p) {
    if (p.id == 0) p.id = next_piece_;
    begin_ids_after(p.id);
    const auto at = std::upper_bound(waiting_.begin(), waiting_.end(), p, smaller);
    waiting_.insert(at, std::move(p));
}

void pool::idle(rank_id who) {
    if (busy_.contains(who) || std::find(idle_.begin(), idle_.end(), who) != idle_.end()) return;
    idle_.push_back(who);
}

void pool::lost(rank_id who) {
    std::erase(idle_, who);
    const auto had = busy_.find(who);
    if (had == busy_.end()) return;
    add(std::move(had->second.what));
    busy_.erase(had);
}

const piece* pool::current(rank_id who, std::uint64_t assignment) const {
    const auto has = busy_.find(who);
    return has != busy_.end() && has->second.assignment == assignment ? &has->second.what : nullptr;
}

void pool::done(rank_id who) {
    busy_.erase(who);
    idle(who);
}

unsigned pool::died(rank_id who) {
    piece again = std::move(busy_.at(who).what);
    done(who);
    const unsigned deaths = ++again.deaths;
    add(std::move(again));
    return deaths;
}

void pool::note_start(double seconds) {
    seconds = std::max(seconds, 0.0);
    start_ = start_ == 0 ? seconds : 0.8 * start_ + 0.2 * seconds;
}

double pool::shortest_turn() const { return std::max(rules_.shortest_turn, rules_.turn_per_start * start_); }

/// In how many a part is divided that somebody gives back: one for them, and for each of whom nothing waits.
std::size_t pool::shares() const {
    std::size_t asked = 0; // who will give something back, too
    for (const auto& [who, t] : busy_) asked += t.asked;
    const std::size_t without = idle_.size() > waiting_.size() ? idle_.size() - waiting_.size() : 0;
    return 1 + (without + asked) / (1 + asked);
}

std::vector<piece> pool::left(rank_id who, piece rest) {
    const bool first = busy_.at(who).what.whole && !rest.whole;
    rest.id = busy_.at(who).what.id;
    rest.keep = busy_.at(who).what.keep;
    busy_.erase(who);
    const std::size_t into = shares() * (first ? 2 : 1);
    idle(who);
    std::vector<piece> parts;
    if (into > 1 && !rest.whole) parts = divides_(rest, into);
    if (parts.size() <= 1) {
        // A long execution, or ways that are all one: whoever has it is left alone for longer each time.
        if (into > 1) rest.keep = std::max(2 * rest.keep, 2 * shortest_turn());
        add(rest);
        return {std::move(rest)};
    }
    for (piece& p : parts) {
        p.id = next_piece_++;
        add(p);
    }
    return parts;
}

void pool::drop(const std::string& search) {
    std::erase_if(waiting_, [&](const piece& p) { return p.search == search; });
    for (auto at = busy_.begin(); at != busy_.end();) {
        const auto [who, t] = *at++;
        if (t.what.search != search) continue;
        cancelled_.push_back({order::kind::cancel, who, t.assignment});
        done(who);
    }
}

void pool::give(rank_id who, double now, std::vector<order>& told) {
    turn& t = busy_[who];
    t = {std::move(waiting_.back()), next_assignment_++, now};
    waiting_.pop_back();
    order work{order::kind::work, who, t.assignment, &t.what};
    const std::size_t shared_by = std::max(ranks(), rules_.expected);
    if (t.what.indivisible)
        work.divide = 1;
    else if (t.what.whole && shared_by > 1)
        work.divide =
            static_cast<unsigned>(std::min<std::size_t>(rules_.positions * shared_by, rules_.most_positions));
    told.push_back(work);
}

/// Asks those with the most for what is left of it: one for each who has nothing.
void pool::ask(double now, std::vector<order>& told) {
    const double shortest = shortest_turn();
    std::vector<std::pair<double, rank_id>> can;
    std::size_t asked = 0;
    for (const auto& [who, t] : busy_) {
        asked += t.asked;
        // A search that was never divided comes back by itself.
        if (!t.asked && !t.what.whole && now - t.since >= std::max(shortest, t.what.keep))
            can.emplace_back(t.what.size, who);
    }
    const std::size_t wanted = idle_.size() > asked ? idle_.size() - asked : 0;
    std::sort(can.rbegin(), can.rend());
    can.resize(std::min(can.size(), wanted));
    for (const auto& [size, who] : can) {
        turn& t = busy_.at(who);
        t.asked = true;
        told.push_back({order::kind::stop, who, t.assignment});
    }
}

std::vector<order> pool::orders(double now) {
    std::vector<order> told = std::move(cancelled_);
    cancelled_.clear();
    while (!idle_.empty() && !waiting_.empty()) {
        const rank_id who = idle_.front();
        idle_.erase(idle_.begin());
        give(who, now, told);
    }
    if (!idle_.empty()) ask(now, told);
    return told;
}

std::vector<order> pool::stop_all() {
    std::vector<order> told = std::move(cancelled_);
    cancelled_.clear();
    idle_.clear();
    for (auto& [who, t] : busy_) {
        if (!t.asked) told.push_back({order::kind::stop, who, t.assignment});
        t.asked = true;
    }
    return told;
}

void pool::each(const std::function<void(const piece&)>& look) const {
    for (const piece& p : waiting_) look(p);
    for (const auto& [who, t] : busy_) look(t.what);
}

} // namespace ringproof::verify::ranks
