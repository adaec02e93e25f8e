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

std::optional<search_position> split_off(search_position& p) {
    if (!has_open_way(p)) return {};
    const std::size_t at = first_open(p);
    const std::uint32_t from = p.ways[at] + 1 + (p.ends[at] - p.ways[at] - 1) / 2;
    const auto as_far = [&](const std::vector<std::uint32_t>& decisions) {
        return std::vector(decisions.begin(), decisions.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    };
    search_position off{as_far(p.ways), as_far(p.ends), as_far(p.all), p.threads};
    off.ways[at] = from;
    p.ends[at] = from;
    return off;
}

std::vector<piece> divide(std::vector<search_position> all, std::size_t wanted,
                          const searching_on& search_on) {
    const auto smaller = [](const piece& a, const piece& b) { return a.share < b.share; };
    std::vector<piece> heap, whole; // those that cannot be divided
    const auto add = [&](search_position p) {
        const double share = share_of(p);
        heap.push_back({std::move(p), share});
        std::push_heap(heap.begin(), heap.end(), smaller);
    };
    for (search_position& p : all) add(std::move(p));
    while (!heap.empty() && heap.size() + whole.size() < wanted) {
        std::pop_heap(heap.begin(), heap.end(), smaller);
        piece largest = std::move(heap.back());
        heap.pop_back();
        if (std::optional<search_position> off = split_off(largest.at)) {
            add(std::move(largest.at));
            add(std::move(*off));
        } else if (!search_on) {
            whole.push_back(std::move(largest));
        } else if (std::optional<search_position> further = search_on(largest.at)) {
            if (has_open_way(*further))
                add(std::move(*further));
            else
                whole.push_back(std::move(largest));
        }
    }
    heap.insert(heap.end(), std::make_move_iterator(whole.begin()), std::make_move_iterator(whole.end()));
    return heap;
}

} // namespace ringproof::verify
