// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include <algorithm>

namespace ringproof::verify::linear {
namespace {

std::vector<made_call> kinds_of(const test& t) {
    std::vector<made_call> all;
    const auto operations = static_cast<std::uint16_t>(t.operations.size());
    for (std::uint16_t o = 0; o < operations; ++o) {
        if (t.operations[o].arguments.empty()) all.push_back({o, 0, 0, {}});
        for (const std::int64_t a : t.operations[o].arguments) all.push_back({o, 0, a, {}});
    }
    return all;
}

/// A thread that waits for another one's call would wait for ever where that one is stopped.
unsigned most_waits(const linear_options& o) {
    return is_of_progress(o.promise) ? 0 : std::min(o.synchronisations, max_waits);
}

} // namespace

registered_test::registered_test(const test& t)
    : test_(t), kinds_(kinds_of(t)), bounds_{static_cast<unsigned>(kinds_.size()),
                                             std::min(t.options.threads, max_threads),
                                             std::min(t.options.calls, max_calls), most_waits(t.options)},
      in_all_(std::min(t.options.in_all, max_in_all)) {
    if (in_all_ != 0) bounds_ = {bounds_.kinds, in_all_, in_all_, in_all_ * (in_all_ - 1) / 2};
}

const std::vector<client>& registered_test::clients() const {
    if (!clients_.empty()) return clients_;
    if (in_all_ != 0) return clients_ = clients_of_calls(owners(), in_all_);
    clients_ = clients_within(bounds_);
    const auto breaks = [this](const client& c) { return !keeps_to_one_thread(c); };
    clients_.erase(std::remove_if(clients_.begin(), clients_.end(), breaks), clients_.end());
    return clients_;
}

/// Of each kind of call 0, or one more than the first operation of those that one thread calls with it.
std::vector<unsigned> registered_test::owners() const {
    std::vector<unsigned> all;
    for (const made_call& kind : kinds_) {
        std::uint16_t o = kind.operation;
        while (o > 0 && test_.operations[o].with_previous) --o;
        all.push_back(test_.operations[o].one_thread ? o + 1u : 0);
    }
    return all;
}

/// Whether each operation that only one thread calls is called by one at most, and those of an owner by the same.
bool registered_test::keeps_to_one_thread(const client& c) const {
    std::vector<std::size_t> caller(test_.operations.size(), c.threads.size());
    for (std::size_t t = 0; t < c.threads.size(); ++t)
        for (const std::uint32_t kind : c.threads[t]) {
            std::uint16_t o = kinds_[kind].operation;
            while (o > 0 && test_.operations[o].with_previous)
                --o; // the first of those that one thread calls
            if (test_.operations[o].one_thread && caller[o] != c.threads.size() && caller[o] != t)
                return false;
            caller[o] = t;
        }
    return true;
}

/// A fresh argument is the number of the call in its client.
made_call registered_test::call_at(unsigned client, unsigned thread, unsigned call) const {
    const auto& threads = clients()[client].threads;
    made_call c = kinds_[threads[thread][call]];
    c.thread = static_cast<std::uint16_t>(thread);
    if (!test_.operations[c.operation].fresh) return c;
    c.argument = call + 1;
    for (unsigned t = 0; t < thread; ++t) c.argument += static_cast<std::int64_t>(threads[t].size());
    return c;
}

void registered_test::prepare() {
    clients(); // made now: later the program runs, and what is allocated then is the program's
    if (test_.allows || alone_ || is_of_progress(test_.options.promise)) return;
    std::vector<client_calls> all;
    for (unsigned n = 0; n < clients().size(); ++n) {
        if (!clients_[n].waits.empty()) continue; // the same calls without them are another client
        client_calls calls(clients_[n].threads.size());
        for (unsigned t = 0; t < calls.size(); ++t)
            for (unsigned k = 0; k < clients_[n].threads[t].size(); ++k) calls[t].push_back(call_at(n, t, k));
        all.push_back(std::move(calls));
    }
    alone_ = std::make_unique<alone>(test_, all);
}

bool registered_test::allows(const made_call* calls, std::size_t n) const {
    return test_.allows ? test_.allows(calls, n) : alone_->allows(calls, n);
}

std::vector<registered_test>& registry() {
    static std::vector<registered_test> all;
    return all;
}

const registered_test* find_registered(std::string_view name) {
    for (const registered_test& t : registry())
        if (t.of().name == name) return &t;
    return nullptr;
}

std::string_view promise_name(promise p) {
    switch (p) {
    case promise::linearizable:
        return "linearizable";
    case promise::sequentially_consistent:
        return "sequentially consistent";
    case promise::lock_free:
        return "lock-free";
    case promise::obstruction_free:
        return "obstruction-free";
    case promise::wait_free:
        return "wait-free";
    }
    return "";
}

std::string claim_text(const registered_test& t) {
    const client_bounds& b = t.bounds();
    std::string text = std::string(promise_name(t.of().options.promise)) + ": ";
    if (t.in_all() != 0)
        text += "every client of up to " + std::to_string(t.in_all()) +
                " calls, however its threads make and order them, by " + std::to_string(t.clients().size()) +
                " in which each call has its own";
    else
        text += std::to_string(t.clients().size()) + " clients up to " + std::to_string(b.threads) + " x " +
                std::to_string(b.calls);
    const linear_options& options = t.of().options;
    const bool progress = is_of_progress(options.promise);
    if (options.promise == promise::wait_free)
        text += ", at most " + std::to_string(options.steps) + " steps a call";
    if (options.promise == promise::lock_free || options.promise == promise::wait_free)
        text += ", all threads but one stopped behind any of their writes, or not";
    else if (progress)
        text += ", all threads but one stopped behind any of their first " + std::to_string(options.writes) +
                " writes, or not";
    else if (t.in_all() == 0)
        text += ", " + std::to_string(b.waits) + (b.waits == 1 ? " synchronisation" : " synchronisations");
    if (t.of().allows && !progress) text += ", by the specification given";
    for (const operation& o : t.of().operations) {
        if (o.one_thread) text += ", " + o.name + (o.with_previous ? " by the same one" : " by one thread");
        if (o.may_fail && !progress) text += ", " + o.name + " may fail while others work";
    }
    return text;
}

} // namespace ringproof::verify::linear
