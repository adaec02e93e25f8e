// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include <algorithm>

namespace ringproof::verify::linear {
namespace {

std::vector<made_call> kinds_of(const test& t) {
    std::vector<made_call> all;
    for (std::uint16_t o = 0; o < t.operations.size(); ++o) {
        if (t.operations[o].arguments.empty()) all.push_back({o, 0, 0, {}});
        for (const std::int64_t a : t.operations[o].arguments) all.push_back({o, 0, a, {}});
    }
    return all;
}

} // namespace

registered_test::registered_test(const test& t)
    : test_(t), kinds_(kinds_of(t)),
      clients_(clients_within({static_cast<unsigned>(kinds_.size()), std::min(t.options.threads, max_threads),
                               std::min(t.options.calls, max_calls),
                               std::min(t.options.synchronisations, max_waits)})) {}

/// A fresh argument is the number of the call in its client.
made_call registered_test::call_at(unsigned client, unsigned thread, unsigned call) const {
    const auto& threads = clients_[client].threads;
    made_call c = kinds_[threads[thread][call]];
    c.thread = static_cast<std::uint16_t>(thread);
    if (!test_.operations[c.operation].fresh) return c;
    c.argument = call + 1;
    for (unsigned t = 0; t < thread; ++t) c.argument += static_cast<std::int64_t>(threads[t].size());
    return c;
}

void registered_test::prepare() {
    if (test_.allows || alone_) return;
    std::vector<client_calls> all;
    for (unsigned n = 0; n < clients_.size(); ++n) {
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

} // namespace ringproof::verify::linear
