// SPDX-License-Identifier: Apache-2.0
#include "attempt.hpp"

#include "../outcome/silence.hpp"
#include "../program/facts.hpp"
#include "../trace/token.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ringproof::verify {
namespace {

using nlohmann::json;

/// After a weaker order was refuted: enough to see most of the executions that fail in scenarios of this size.
constexpr std::uint64_t shorter_steps = 20'000;

bool same_place(const order_site& a, const order_site& b) {
    return a.at.known() && a.at.file == b.at.file && a.at.line == b.at.line && a.what == b.what &&
           a.asked == b.asked;
}

} // namespace

std::string search_of::name() const { return fmt::format("{} [{}]", what->name, model_name(model)); }

std::string pack(const attempt& a) {
    return json{static_cast<int>(a.verdict),
                a.message,
                a.executions,
                a.events,
                a.longest,
                a.seconds,
                a.token,
                a.executed,
                a.among,
                a.failing}
        .dump(-1, ' ', true, json::error_handler_t::replace);
}

attempt unpack(const std::string& text) {
    attempt a;
    const json all = text.empty() ? json() : json::parse(text, nullptr, false);
    if (!all.is_array() || all.size() != 10) {
        a.verdict = verdict::inconclusive;
        a.message = "not finished";
        return a;
    }
    a.verdict = static_cast<verify::verdict>(all[0].get<int>());
    a.message = all[1];
    a.executions = all[2];
    a.events = all[3];
    a.longest = all[4];
    a.seconds = all[5];
    a.token = all[6];
    a.executed = all[7].get<std::vector<std::uint64_t>>();
    a.among = all[8];
    a.failing = all[9];
    return a;
}

void attempts::put(const std::vector<order_change>& changes) {
    table_.reset(strongest_);
    for (const order_change& c : changes)
        for (const std::uint64_t key : c.site->keys) table_.set(key, c.to);
}

attempt attempts::run(const search_of& search, const std::vector<order_change>& changes, double seconds) {
    // A copy of a changed site may be met that nobody has met before. It is changed too, and the search repeated.
    std::vector<order_site> wider;
    wider.reserve(changes.size());
    for (const order_change& c : changes) wider.push_back(*c.site);
    std::vector<order_change> now;
    for (std::size_t i = 0; i < changes.size(); ++i) now.push_back({&wider[i], changes[i].to});
    for (;;) {
        attempt a;
        put(now);
        command_options options = options_;
        options.jobs = 1;
        options.random = 0;
        options.shortest = !changes.empty() && !strongest_;
        options.shorter_steps = shorter_steps;
        options.seconds = seconds;
        subject plain = *search.what; // its verdict is of what it states, not of what it covers
        plain.options.covers.clear();
        plain.options.expect = verdict::verified;
        command::progress silent(true);
        {
            const order_table::in_use given(table_);
            const silence quiet(!options_.verbose);
            const outcome o = verify::run(plain, search.model, options, names_, silent);
            a.verdict = o.verdict;
            a.message = o.example ? o.example->message : o.message;
            a.executions = o.result.executions;
            a.events = o.result.events;
            a.longest = o.result.longest;
            a.among = o.among;
            a.failing = o.result.failing;
            a.seconds = o.result.seconds;
            if (o.verdict == verdict::refuted)
                a.token = encode({name_hash(search.what->name), search.model, o.result.steps});
        }
        a.executed = table_.executed();
        bool again = false;
        if (!changes.empty())
            for (const order_site& met : sites_of(a.executed, names_))
                for (order_site& changed : wider)
                    for (const std::uint64_t key : met.keys)
                        if (same_place(met, changed) &&
                            std::find(changed.keys.begin(), changed.keys.end(), key) == changed.keys.end()) {
                            changed.keys.push_back(key);
                            again = true;
                        }
        if (!again) return a;
    }
}

counterexample attempts::show(const search_of& search, const std::vector<order_change>& changes,
                              const std::string& token) {
    put(changes);
    const order_table::in_use given(table_);
    const silence quiet(true);
    exploration_options exploring;
    exploring.model = search.model;
    exploring.limits = limits_of(options_, *search.what);
    counterexample example =
        explain(replay(search.what->body, decode(token).steps, exploring), search.model, names_);
    example.replay = token;
    return example;
}

double attempts::time_for(const search_of& search) const {
    return options_.seconds > 0 ? options_.seconds : std::max(10.0, 30 * search.seconds);
}

} // namespace ringproof::verify
