// SPDX-License-Identifier: Apache-2.0
#include "placement.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>

namespace ringproof::bench {
namespace {

int parse_cpu(std::string_view text) {
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        throw std::invalid_argument("'" + std::string(text) + "' is not a CPU number");
    return value;
}

/// Threads share CPUs as evenly as they can, the consumer alone as long as that is possible.
placement oversubscribe(const std::vector<cpu>& cpus, std::size_t producers) {
    placement p{distance::oversubscribed, {}, cpus.front().index};
    const std::size_t others = cpus.size() > 1 ? cpus.size() - 1 : 1;
    const std::size_t first = cpus.size() > 1 ? 1 : 0;
    for (std::size_t i = 0; i < producers; ++i) p.producers.push_back(cpus[first + i % others].index);
    return p;
}

/// Producer 0 at `kind` from some consumer; the others on the CPUs nearest to the consumer but not nearer
/// than `kind`, then on whatever is left.
std::optional<placement> place_at(const machine& m, distance kind, std::size_t producers) {
    for (const cpu& consumer : m.cpus) {
        std::vector<std::pair<distance, int>> order;
        for (const cpu& c : m.cpus)
            if (c.index != consumer.index) order.emplace_back(distance_between(c, consumer), c.index);
        std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
            return std::pair(a.first < kind, a.first) < std::pair(b.first < kind, b.first);
        });
        if (order.size() < producers || order.empty() || order.front().first != kind) continue;
        placement p{kind, {}, consumer.index};
        for (std::size_t i = 0; i < producers; ++i) p.producers.push_back(order[i].second);
        return p;
    }
    return std::nullopt;
}

placement place_on(const machine& m, const placement_request& request, std::size_t producers) {
    const auto known = [&](int index) -> const cpu& {
        if (const cpu* c = m.find(index)) return *c;
        throw std::invalid_argument("CPU " + std::to_string(index) + " is not there or not allowed");
    };
    placement p{distance::oversubscribed, {}, known(request.consumer).index};
    std::set<int> distinct{p.consumer};
    for (std::size_t i = 0; i < producers; ++i) {
        p.producers.push_back(known(request.producers[i % request.producers.size()]).index);
        distinct.insert(p.producers.back());
    }
    if (distinct.size() == producers + 1) p.kind = distance_between(known(p.producers[0]), known(p.consumer));
    return p;
}

} // namespace

placement_request parse_placement(std::string_view text) {
    placement_request request;
    if (text == "auto") return request;
    request.automatic = false;
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        request.classes.push_back(parse_distance(text));
        return request;
    }
    request.consumer = parse_cpu(text.substr(colon + 1));
    std::string_view list = text.substr(0, colon);
    for (;;) {
        const auto comma = list.find(',');
        request.producers.push_back(parse_cpu(list.substr(0, comma)));
        if (comma == std::string_view::npos) return request;
        list.remove_prefix(comma + 1);
    }
}

std::vector<placement> place(const machine& m, const placement_request& request, std::size_t producers) {
    if (request.consumer >= 0) return {place_on(m, request, producers)};
    std::vector<distance> classes = request.classes;
    if (request.automatic)
        classes = {distance::smt_sibling, distance::same_l2, distance::same_l3, distance::same_package,
                   distance::other_package};
    std::vector<placement> result;
    for (const distance kind : classes) {
        if (kind == distance::oversubscribed) {
            // Asked for by name: squeeze the threads onto one CPU fewer than they are.
            std::vector<cpu> few = m.cpus;
            few.resize(std::min(few.size(), producers));
            result.push_back(oversubscribe(few, producers));
        } else if (const auto p = place_at(m, kind, producers)) {
            result.push_back(*p);
        }
    }
    if (result.empty() && request.automatic) result.push_back(oversubscribe(m.cpus, producers));
    return result;
}

} // namespace ringproof::bench
