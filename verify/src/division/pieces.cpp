// SPDX-License-Identifier: Apache-2.0
#include "pieces.hpp"

#include <algorithm>

namespace ringproof::verify {

double share_of(const search_position& p) {
    double open = 0, size = 1;
    for (std::size_t i = 0; i < p.ways.size(); ++i) {
        size /= p.all[i];
        open += (p.ends[i] - p.ways[i] - 1.0) * size;
    }
    return open + size; // and the way it is on
}

namespace {

/// The first decision that has an open way; as many as there are where none has.
std::size_t first_open(const search_position& p) {
    std::size_t at = 0;
    while (at < p.ways.size() && p.ways[at] + 1 == p.ends[at]) ++at;
    return at;
}
bool has_open_way(const search_position& p) { return first_open(p) < p.ways.size(); }

} // namespace

double size_of(const search_position& p) { return p.weight > 0 ? p.weight : share_of(p); }

std::optional<search_position> split_off(search_position& p) {
    if (!has_open_way(p)) return {};
    const std::size_t at = first_open(p);
    const double share = share_of(p);
    const std::uint32_t from = p.ways[at] + 1 + (p.ends[at] - p.ways[at] - 1) / 2;
    const auto as_far = [&](const std::vector<std::uint32_t>& decisions) {
        return std::vector(decisions.begin(), decisions.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    };
    search_position off{as_far(p.ways), as_far(p.ends), as_far(p.all), p.threads};
    off.ways[at] = from;
    p.ends[at] = from;
    off.weight = p.weight * share_of(off) / share;
    p.weight -= off.weight;
    return off;
}

namespace {

/// Divides the largest piece, again and again, until there are `wanted`.
std::vector<search_position> divide_once(std::vector<search_position> all, std::size_t wanted,
                                         const runner& by) {
    struct piece {
        search_position at;
        double size;
    };
    const auto smaller = [](const piece& a, const piece& b) { return a.size < b.size; };
    std::vector<piece> heap;
    std::vector<search_position> divided; // those that cannot be divided further, and in the end the others
    const auto add = [&](search_position p) {
        if (by.weigh) p.weight = by.weigh(p);
        const double size = size_of(p);
        heap.push_back({std::move(p), size});
        std::push_heap(heap.begin(), heap.end(), smaller);
    };
    for (search_position& p : all) add(std::move(p));
    while (!heap.empty() && heap.size() + divided.size() < wanted) {
        std::pop_heap(heap.begin(), heap.end(), smaller);
        search_position largest = std::move(heap.back().at);
        heap.pop_back();
        if (std::optional<search_position> off = split_off(largest)) {
            add(std::move(largest));
            add(std::move(*off));
        } else if (!by.search_on) {
            divided.push_back(std::move(largest));
        } else if (std::optional<search_position> further = by.search_on(largest)) {
            if (has_open_way(*further))
                add(std::move(*further));
            else
                divided.push_back(std::move(largest));
        }
    }
    for (piece& p : heap) divided.push_back(std::move(p.at));
    return divided;
}

} // namespace

std::vector<search_position> divide(std::vector<search_position> all, std::size_t wanted, const runner& by) {
    if (!by.weigh) return divide_once(std::move(all), wanted, by);
    // What is weighed later is weighed better, as each look at the program tells more: each round weighs all anew.
    for (const std::size_t enough : {wanted / 8, wanted / 4, wanted / 2, wanted})
        all = divide_once(std::move(all), enough, by);
    for (search_position& p : all) p.weight = by.weigh(p);
    return all;
}

} // namespace ringproof::verify
