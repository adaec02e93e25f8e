// SPDX-License-Identifier: Apache-2.0
#include "../program/program.hpp"
#include "orders.hpp"

namespace ringproof::verify {

order_table* order_table::active_ = nullptr;

order order_table::look_up(const call_site& site) {
    auto at = orders_.find(site.key());
    if (at == orders_.end()) {
        const program::engine_runs engine; // what is allocated is not the program's
        at = orders_.emplace(site.key(), entry{unchanged(site), false}).first;
    }
    at->second.executed = true;
    return at->second.given;
}

order order_table::unchanged(const call_site& site) const {
    // What is no fence is none with any order.
    const bool absent =
        site.asked == order::relaxed && (site.what == ordered::fence || site.what == ordered::signal_fence);
    return strongest_ && !absent ? orders_of(site.what).front() : site.asked;
}

void order_table::reset(bool strongest) {
    strongest_ = strongest;
    for (auto& [key, e] : orders_) e = {unchanged(call_site::of(key)), false};
}

std::vector<std::uint64_t> order_table::executed() const {
    std::vector<std::uint64_t> all;
    for (const auto& [key, e] : orders_)
        if (e.executed) all.push_back(key);
    return all;
}

} // namespace ringproof::verify
