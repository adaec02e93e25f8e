// SPDX-License-Identifier: Apache-2.0
#include "coordinator.hpp"

#include "part_text.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/progress.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace ringproof::verify::ranks {

using command::json;

coordinator::coordinator(rules r, store& s, std::vector<piece> open, teller warn)
    : rules_(r), store_(s), warn_(std::move(warn)), pool_({.expected = r.ranks}, divided) {
    pool_.begin_ids_after(store_.last_id());
    for (piece& p : open) {
        executions_.emplace(p.search, 0);
        pool_.add(std::move(p));
    }
    for (rank_id who = 0; who < rules_.ranks; ++who) known_[who] = {};
}

std::string coordinator::name(rank_id who) const {
    const std::string& host = known_.at(who).host;
    return host.empty() ? fmt::format("rank {}", who) : fmt::format("rank {} on {}", who, host);
}

void coordinator::hear(rank_id from, message m, double now) {
    const auto known = known_.find(from);
    if (known == known_.end()) throw std::invalid_argument("a message of a rank that there is not");
    known->second.heard = now;
    if (m.what == message::kind::here) return here(from, m);
    if (!pool_.current(from, m.assignment)) return; // it was given to another, who tells the same
    try {
        switch (m.what) {
        case message::kind::done:
            return done(from, m);
        case message::kind::left:
            return left(from, m);
        case message::kind::learnt:
            return learnt(from, m);
        case message::kind::died:
            return died(from, m);
        case message::kind::unusable:
            return unusable(from, m);
        default:
            return;
        }
    } catch (const json::exception& error) {
        throw std::invalid_argument(
            fmt::format("what {} tells cannot be read: {}", name(from), error.what()));
    }
}

void coordinator::here(rank_id from, const message& m) {
    known_rank& k = known_.at(from);
    k.host = m.text;
    if (lost_.erase(from) > 0) warn_(name(from) + " is there again");
    if (m.assignment != 0 && !pool_.current(from, m.assignment))
        to_send_.emplace_back(from, message{message::kind::cancel, m.assignment});
    if (!k.there && !unusable_.contains(from)) pool_.idle(from);
    k.there = true;
}

void coordinator::done(rank_id from, const message& m) {
    const piece p = *pool_.current(from, m.assignment);
    const json result = json::parse(m.result).at("results").at(0);
    pool_.note_start(m.seconds - (result.at("seconds").get<double>() - p.seconds));
    store_.finish(p.id, m.result);
    executions_[p.search] += result.at("executions").get<std::uint64_t>();
    pool_.done(from);
    if (result.at("verdict") != "refuted" && result.at("verdict") != "error") return;
    pool_.drop(p.search);
    store_.drop(p.search);
}

void coordinator::left(rank_id from, const message& m) {
    const piece before = *pool_.current(from, m.assignment);
    piece rest = rest_of(before, m.text);
    if (!before.whole)
        pool_.note_start(m.seconds - (rest.seconds - before.seconds)); // the other one is divided, too
    const std::vector<piece> parts = pool_.left(from, std::move(rest));
    if (parts.size() == 1)
        store_.put(parts.front());
    else
        store_.divide(before.id, parts);
}

void coordinator::learnt(rank_id from, const message& m) {
    piece whole = pieces_of(m.text).at(0);
    whole.id = pool_.new_id();
    pool_.drop(whole.search);
    store_.begin_anew(whole);
    executions_[whole.search] = 0;
    estimates_.erase(whole.search); // with what it has learnt, it has other executions
    warn_(fmt::format("'{}' begins anew: {} has learnt something that all its parts have to know",
                      whole.search, name(from)));
    pool_.add(std::move(whole));
}

void coordinator::died(rank_id from, const message& m) {
    const unsigned deaths = pool_.died(from);
    warn_(fmt::format("the searcher of {} died, and its part goes to another: {}", name(from), m.text));
    if (deaths >= rules_.deaths) failure_ = fmt::format("{} searchers died on one part: {}", deaths, m.text);
}

void coordinator::unusable(rank_id from, const message& m) {
    pool_.lost(from);
    unusable_.insert(from);
    warn_(fmt::format("{} cannot search: {}", name(from), m.text));
    if (all_unusable()) failure_ = "no rank can search";
}

void coordinator::look_for_the_lost(double now) {
    for (auto& [who, k] : known_) {
        if (!k.there || now - k.heard < rules_.lost_after) continue;
        k.there = false;
        lost_.insert(who);
        pool_.lost(who);
        warn_(fmt::format("{} has said nothing for {:.0f} s: what it had goes to others, as it last told",
                          name(who), now - k.heard));
    }
}

void coordinator::give_up(double now) {
    if (!gave_up()) gave_up_ = now;
}

std::vector<std::pair<rank_id, message>> coordinator::tell(double now) {
    look_for_the_lost(now);
    if (!gave_up() && rules_.budget > 0 && now >= rules_.budget) give_up(now);
    std::vector<std::pair<rank_id, message>> told = std::move(to_send_);
    to_send_.clear();
    for (const order& o : gave_up() ? pool_.stop_all() : pool_.orders(now)) {
        message m{message::kind::work, o.assignment, o.divide};
        if (o.what == order::kind::work) m.text = o.on->text;
        if (o.what == order::kind::stop) m.what = message::kind::stop;
        if (o.what == order::kind::cancel) m.what = message::kind::cancel;
        told.emplace_back(o.to, std::move(m));
    }
    return told;
}

bool coordinator::over(double now) const {
    constexpr double patience = 10; // seconds for a searcher to come to the end of an execution
    if (!failure_.empty() || pool_.finished()) return true;
    return gave_up() && (pool_.busy() == 0 || now - gave_up_ > patience);
}

void coordinator::note(const estimated_sizes& sizes) {
    for (const auto& [search, size] : sizes) estimates_[search] = size;
}

coordinator::figures coordinator::now() const {
    figures f;
    f.ranks = pool_.ranks();
    f.busy = pool_.busy();
    f.searches = executions_.size();
    std::map<std::string, std::uint64_t> found = executions_;
    std::set<std::string> open;
    double share = 0; // of the trees
    pool_.each([&](const piece& p) {
        found[p.search] += p.found;
        open.insert(p.search);
        share += p.share;
    });
    f.open_searches = open.size();
    for (const auto& [search, executions] : found) f.executions += executions;
    f.all = all_of(found, open);
    const auto searches = static_cast<double>(f.searches);
    if (f.all && f.all->likely > static_cast<double>(f.executions))
        f.done = static_cast<double>(f.executions) / f.all->likely;
    else if (share < searches)
        f.done = 1 - share / searches;
    return f;
}

/// What is done is known, and there is at least that.
std::optional<estimated_size> coordinator::all_of(const std::map<std::string, std::uint64_t>& found,
                                                  const std::set<std::string>& open) const {
    estimated_size all;
    for (const auto& [search, executions] : found) {
        const auto done = static_cast<double>(executions);
        const auto known = estimates_.find(search);
        // More than the most that was thought possible: nothing is known of the rest.
        if (open.contains(search) && (known == estimates_.end() || done > known->second.high)) return {};
        const estimated_size size = open.contains(search) ? known->second : estimated_size{done, done, done};
        all.low += std::max(size.low, done);
        all.likely += std::max(size.likely, done);
        all.high += std::max(size.high, done);
    }
    return all;
}

std::string coordinator::figures::in_words() const {
    const std::string text = fmt::format("{} executions", executions);
    if (!all) return text;
    return text + fmt::format(" of about {} (95 %: {} to {})", command::format_about(all->likely),
                              command::format_about(all->low), command::format_about(all->high));
}

std::map<std::string, std::size_t> coordinator::left() const {
    std::map<std::string, std::size_t> all;
    pool_.each([&](const piece& p) { ++all[p.search]; });
    return all;
}

} // namespace ringproof::verify::ranks
