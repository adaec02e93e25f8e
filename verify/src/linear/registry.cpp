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

} // namespace

registered_test::registered_test(const test& t)
    : test_(t), kinds_(kinds_of(t)), bounds_{static_cast<unsigned>(kinds_.size()),
                                             std::min(t.options.threads, max_threads),
                                             std::min(t.options.calls, max_calls),
                                             std::min(t.options.synchronisations, max_waits)} {}

const std::vector<client>& registered_test::clients() const {
    if (!clients_.empty()) return clients_;
    clients_ = clients_within(bounds_);
    const auto breaks = [this](const client& c) { return !keeps_to_one_thread(c); };
    clients_.erase(std::remove_if(clients_.begin(), clients_.end(), breaks), clients_.end());
    return clients_;
}

/// Whether each operation that only one thread calls is called by one at most.
bool registered_test::keeps_to_one_thread(const client& c) const {
    std::vector<std::size_t> caller(test_.operations.size(), c.threads.size());
    for (std::size_t t = 0; t < c.threads.size(); ++t)
        for (const std::uint32_t kind : c.threads[t]) {
            const std::uint16_t o = kinds_[kind].operation;
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
    if (test_.allows || alone_) return;
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
    return p == promise::linearizable ? "linearizable" : "sequentially consistent";
}

std::string claim_text(const registered_test& t) {
    const client_bounds& b = t.bounds();
    std::string text = std::string(promise_name(t.of().options.promise)) + ": " +
                       std::to_string(t.clients().size()) + " clients up to " + std::to_string(b.threads) +
                       " x " + std::to_string(b.calls) + ", " + std::to_string(b.waits) +
                       (b.waits == 1 ? " synchronisation" : " synchronisations");
    if (t.of().allows) text += ", by the specification given";
    for (const operation& o : t.of().operations) {
        if (o.one_thread) text += ", " + o.name + " by one thread";
        if (o.may_fail) text += ", " + o.name + " may fail while others work";
    }
    return text;
}

} // namespace ringproof::verify::linear
