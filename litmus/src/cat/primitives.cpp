// SPDX-License-Identifier: Apache-2.0
// What the language brings along: functions on sets and relations that no model can write.
#include "interpretation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace interpreting {

val interpreter::call_primitive(const std::string& name, const val& v, std::size_t offset) {
    const auto relation = [&](const val& r) { return want(to_node(r, offset), false, offset); };
    const auto set = [&](const val& s) { return want(to_node(s, offset), true, offset); };
    const auto two = [&] {
        if (v.what != val::kind::tuple || v.parts.size() != 2)
            fail(offset, fmt::format("'{}' takes (set, relation)", name));
    };
    if (name == "domain") return of(graph_.make(op::domain, true, relation(v)));
    if (name == "range") return of(graph_.make(op::range, true, relation(v)));
    if (name == "toid") return of(graph_.make(op::identity_on, false, set(v)));
    // Of page tables, which no test of ours has.
    if (name == "same-oa" || name == "at-least-one-writable") return of(graph_.make(op::empty, false));
    if (name == "oa-changes") return of(graph_.make(op::empty, true));
    if (name == "different-values") return of(graph_.make(op::different_values, false, relation(v)));
    if (name == "tag2set" || name == "tag2events" || name == "tag2instrs") {
        if (v.what != val::kind::tag) fail(offset, fmt::format("'{}' takes a tag", name));
        return of(graph_.base(set_of_tag(v.name), true));
    }
    if (name == "generate_orders" || name == "generate_cos") {
        val order;
        order.what = val::kind::order;
        if (name == "generate_cos") {
            order.node = set(lookup("W", offset, scope_));
            order.extends = relation(v);
        } else {
            two();
            order.node = set(v.parts[0]);
            order.extends = relation(v.parts[1]);
        }
        // The enumerator sees to it that the final write is the last one.
        if (order.extends == initial_coherence()) order.extends = graph_.base("co0", false);
        return order;
    }
    if (name == "classes-loc" || name == "partition") return partition(set(v), offset);
    if (name == "linearisations") {
        two();
        const node_id extends = relation(v.parts[1]);
        if (graph_.at(extends).needs == stage::paths && setting_.execution)
            return linearisations(set(v.parts[0]), extends, offset);
        val order; // to be chosen from, when what it extends is known
        order.what = val::kind::order;
        order.node = set(v.parts[0]);
        order.extends = extends;
        order.first = 1;
        return order;
    }
    return cross(v, offset); // cross
}

val interpreter::partition(node_id set, std::size_t offset) {
    const std::vector<word> bits = force(set, offset);
    const std::vector<word> loc = force(graph_.base("loc", false), offset);
    std::vector<word> left = bits;
    val all;
    all.what = val::kind::values;
    const std::size_t words = setting_.size.words;
    each_bit(bits.data(), words, [&](std::size_t i) {
        if (!test_bit(left.data(), i)) return;
        std::vector<word> one(words, 0);
        for (std::size_t w = 0; w < words; ++w) one[w] = left[w] & loc[i * words + w];
        set_bit(one.data(), i);
        for (std::size_t w = 0; w < words; ++w) left[w] &= ~one[w];
        all.parts.push_back(of(graph_.constant(one, true)));
    });
    return all;
}

val interpreter::linearisations(node_id set, node_id extends, std::size_t offset) {
    const std::vector<word> bits = force(set, offset);
    const std::vector<word> before = force(extends, offset);
    std::vector<std::size_t> left;
    each_bit(bits.data(), setting_.size.words, [&](std::size_t i) { left.push_back(i); });
    val all;
    all.what = val::kind::values;
    std::vector<std::size_t> line;
    const std::function<void()> extend = [&] {
        if (all.parts.size() > most_members) fail(offset, "there are too many linear orders of this set");
        spend(setting_.size.relation() + 100, offset);
        if (left.empty()) {
            std::vector<word> r(setting_.size.relation(), 0);
            for (std::size_t a = 0; a < line.size(); ++a)
                for (std::size_t b = a + 1; b < line.size(); ++b)
                    set_bit(r.data() + line[a] * setting_.size.words, line[b]);
            all.parts.push_back(of(graph_.constant(std::move(r), false)));
            return;
        }
        for (std::size_t k = 0; k < left.size(); ++k) {
            const std::size_t next = left[k];
            if (std::any_of(left.begin(), left.end(), [&](std::size_t o) {
                    return test_bit(before.data() + o * setting_.size.words, next);
                }))
                continue;
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
            line.push_back(next);
            extend();
            line.pop_back();
            left.insert(left.begin() + static_cast<std::ptrdiff_t>(k), next);
        }
    };
    extend();
    return all;
}

val interpreter::cross(const val& v, std::size_t offset) {
    val all;
    all.what = val::kind::values;
    all.parts.push_back(of(graph_.make(op::empty, false)));
    for (const val& options : members(v, offset)) {
        val next;
        next.what = val::kind::values;
        for (const val& o : members(options, offset)) {
            if (next.parts.size() + all.parts.size() > most_members)
                fail(offset, "this set has too many members");
            spend(1000 * all.parts.size(), offset);
            for (const val& so_far : all.parts)
                next.parts.push_back(of(unite(so_far.node, to_node(o, offset), offset)));
        }
        all = std::move(next);
    }
    return all;
}

} // namespace interpreting
} // namespace ringproof::litmus::cat
