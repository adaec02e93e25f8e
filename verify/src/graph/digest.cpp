// SPDX-License-Identifier: Apache-2.0
#include "digest.hpp"

#include <vector>

namespace ringproof::verify {

/// Reads that saw a lock taken are left out: how often a thread looked before it got the lock is the search's affair.
std::uint64_t digest_of(const graph& g) {
    std::uint64_t sum = 0;
    std::vector<std::uint32_t> index(g.size()); // without those
    std::vector<std::uint32_t> of_thread(max_threads);
    for (event_id id = 0; id < g.size(); ++id) {
        const event& e = g.at(id);
        if (e.kind == event_kind::init || e.blocked) continue;
        index[id] = ++of_thread[e.thread];
    }
    for (event_id id = 0; id < g.size(); ++id) {
        const event& e = g.at(id);
        if (e.kind == event_kind::init || e.blocked) continue;
        std::uint64_t hash = 0xcbf2'9ce4'8422'2325u; // FNV-1a
        const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100'0000'01b3u; };
        add(static_cast<std::uint64_t>(e.kind) << 32 | e.thread);
        add(index[id]);
        add(e.site);
        add(static_cast<std::uint64_t>(e.value));
        if (e.is_access()) add(g.loc(e.location).address);
        if (e.is_read()) add(std::uint64_t{g.at(e.rf).thread} << 32 | index[e.rf]);
        sum += hash ^ hash >> 29;
    }
    return sum * 0x9e37'79b9'7f4a'7c15u ^ sum >> 31; // each execution counts as a whole
}

} // namespace ringproof::verify
