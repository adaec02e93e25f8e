// SPDX-License-Identifier: Apache-2.0
#include "stale.hpp"

#include <fmt/format.h>

namespace ringproof::verify {
namespace {

/// Beyond, an example is too long to be read, and to be searched read by read.
constexpr std::size_t most_events = 2000;

using ways = std::vector<std::vector<std::size_t>>;

/// From each event, by its id, back to those before it.
ways ways_back(const counterexample& example) {
    ways back(example.events.size() + 1);
    for (const auto* pairs : {&example.po, &example.rf, &example.co, &example.fr, &example.sw})
        for (const auto& [from, to] : *pairs) back[to].push_back(from);
    return back;
}

/// Whether each event comes before event `id`.
std::vector<bool> before(const ways& back, std::size_t id) {
    std::vector<bool> known(back.size());
    std::vector<std::size_t> left{id};
    while (!left.empty()) {
        const std::size_t at = left.back();
        left.pop_back();
        for (const std::size_t from : back[at])
            if (!known[from]) {
                known[from] = true;
                left.push_back(from);
            }
    }
    return known;
}

} // namespace

void note_stale_reads(counterexample& example, const std::vector<const recorded_event*>& raw) {
    if (example.events.size() > most_events) return;
    const ways back = ways_back(example);
    for (std::size_t r = 0; r < raw.size(); ++r) {
        if (!raw[r]->reads() || !raw[r]->complete || raw[r]->location == recorded_event{}.location) continue;
        shown_event& read = example.events[r];
        const std::uint32_t seen = read.rf == shown_event::nowhere ? 0 : raw[read.rf - 1]->co;
        if (read.rf == shown_event::nowhere && !read.from_initial) continue;
        std::vector<bool> earlier;
        std::uint32_t newest = seen;
        for (std::size_t w = 0; w < raw.size(); ++w) {
            if (w == r || raw[w]->location != raw[r]->location || raw[w]->co <= newest) continue;
            if (earlier.empty()) earlier = before(back, r + 1);
            if (!earlier[w + 1]) continue;
            newest = raw[w]->co;
            read.misses = w + 1;
        }
    }
}

std::string stale_text(const counterexample& example) {
    std::string text;
    for (std::size_t r = 0; r < example.events.size(); ++r) {
        const shown_event& read = example.events[r];
        if (read.misses == shown_event::nowhere) continue;
        const shown_event& missed = example.events[read.misses - 1];
        const std::string at = short_position(missed.source);
        text +=
            fmt::format("    #{} is stale: it does not see #{} ({}: {}{}), which came before it\n", r + 1,
                        read.misses, thread_name(missed.thread), missed.label, at.empty() ? "" : ", " + at);
    }
    return text;
}

} // namespace ringproof::verify
