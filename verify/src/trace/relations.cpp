// SPDX-License-Identifier: Apache-2.0
// The relations of the literature over a counterexample's events. po, co and fr are given as their
// immediate pairs, and of sw what no other pair implies: what they imply is not repeated.

#include "relations.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace ringproof::verify {
namespace {

using what = recorded_event::what;
using raw_events = std::vector<const recorded_event*>;

bool acquires(std::string_view order) {
    return order == "acquire" || order == "acq_rel" || order == "seq_cst";
}
bool releases(std::string_view order) {
    return order == "release" || order == "acq_rel" || order == "seq_cst";
}

/// For each event, its thread's nearest fence that is strong enough, before it or behind it; or nowhere.
template <class Strong>
std::vector<std::size_t> fences(const raw_events& raw, bool before, Strong strong) {
    std::vector<std::size_t> nearest(raw.size());
    std::map<std::uint16_t, std::size_t> last;
    for (std::size_t n = 0; n < raw.size(); ++n) {
        const std::size_t i = before ? n : raw.size() - 1 - n;
        const auto fence = last.find(raw[i]->thread);
        nearest[i] = fence == last.end() ? shown_event::nowhere : fence->second;
        if (raw[i]->kind == what::fence && strong(raw[i]->order)) last[raw[i]->thread] = i;
    }
    return nearest;
}

void program_order(counterexample& example, const raw_events& raw) {
    std::map<std::uint16_t, std::size_t> last;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (const auto before = last.find(raw[i]->thread); before != last.end())
            example.po.emplace_back(before->second + 1, i + 1);
        last[raw[i]->thread] = i;
    }
}

void coherence(counterexample& example, const raw_events& raw) {
    std::map<std::uint32_t, std::vector<std::size_t>> writes;
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (raw[i]->co > 0) writes[raw[i]->location].push_back(i);
    for (auto& [location, all] : writes) {
        std::sort(all.begin(), all.end(),
                  [&](std::size_t a, std::size_t b) { return raw[a]->co < raw[b]->co; });
        for (std::size_t i = 1; i < all.size(); ++i) example.co.emplace_back(all[i - 1] + 1, all[i] + 1);
    }
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (!raw[i]->reads() || !raw[i]->complete) continue;
        const std::size_t from = example.events[i].rf;
        const std::uint32_t seen = from == shown_event::nowhere ? 0 : raw[from - 1]->co;
        const auto& all = writes[raw[i]->location];
        const auto next = std::upper_bound(all.begin(), all.end(), seen,
                                           [&](std::uint32_t co, std::size_t w) { return co < raw[w]->co; });
        if (next != all.end() && *next != i) example.fr.emplace_back(i + 1, *next + 1);
    }
}

/// Reads that acquire with the releases that they read from.
void synchronise_accesses(counterexample& example, const raw_events& raw, memory_model model) {
    const bool all_strong = model != memory_model::rc11;
    const auto acquire = [&](std::string_view order) { return all_strong || acquires(order); };
    const auto release = [&](std::string_view order) { return all_strong || releases(order); };
    const auto released = fences(raw, true, release), acquired = fences(raw, false, acquire);
    for (std::size_t r = 0; r < raw.size(); ++r) {
        if (example.events[r].rf == shown_event::nowhere) continue;
        const std::size_t target = acquire(raw[r]->order) ? r : acquired[r];
        if (target == shown_event::nowhere) continue;
        // The write itself, and the heads of the release sequence that it continues.
        for (std::size_t w = example.events[r].rf; w != shown_event::nowhere;
             w = raw[w - 1]->kind == what::rmw ? example.events[w - 1].rf : shown_event::nowhere) {
            const recorded_event& write = *raw[w - 1];
            const std::size_t source = release(write.order) ? w - 1 : released[w - 1];
            if (source == shown_event::nowhere) continue;
            if (example.sw.empty() || example.sw.back() != std::pair{source + 1, target + 1})
                example.sw.emplace_back(source + 1, target + 1);
            // With the heads before it such a write synchronises itself.
            if (write.kind == what::rmw && source == w - 1 && acquire(write.order)) break;
        }
    }
}

/// Creations with begins, and ends with joins.
void synchronise_threads(counterexample& example, const raw_events& raw) {
    const auto find = [&](what kind, std::uint16_t thread, std::uint16_t other) {
        for (std::size_t i = 0; i < raw.size(); ++i)
            if (raw[i]->kind == kind && raw[i]->thread == thread &&
                (other == 0xffff || raw[i]->other == other))
                return i;
        return shown_event::nowhere;
    };
    for (std::size_t i = 0; i < raw.size(); ++i) {
        std::size_t source = shown_event::nowhere;
        if (raw[i]->other == 0xffff) continue;
        if (raw[i]->kind == what::begin) source = find(what::create, raw[i]->other, raw[i]->thread);
        if (raw[i]->kind == what::join) source = find(what::end, raw[i]->other, 0xffff);
        if (source != shown_event::nowhere) example.sw.emplace_back(source + 1, i + 1);
    }
}

} // namespace

void relate(counterexample& example, const raw_events& raw, memory_model model) {
    program_order(example, raw);
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (example.events[i].rf != shown_event::nowhere)
            example.rf.emplace_back(example.events[i].rf, i + 1);
    coherence(example, raw);
    synchronise_accesses(example, raw, model);
    synchronise_threads(example, raw);
}

} // namespace ringproof::verify
