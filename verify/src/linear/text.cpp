// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>

namespace ringproof::verify::linear {
namespace {

std::string answer_text(answer_form form, const answer& a) {
    switch (form) {
    case answer_form::nothing:
        return "";
    case answer_form::value:
        return " = " + std::to_string(a.first);
    case answer_form::success:
        return a.first != 0 ? " = true" : " = false";
    case answer_form::optional:
        return a.first != 0 ? " = " + std::to_string(a.second) : " = nothing";
    }
    return "";
}

bool comes_before(const history& h, std::size_t a, std::size_t b) { return (h.before[b] >> a & 1) != 0; }

/// The column in which each call begins: one behind those that come before it.
std::vector<std::size_t> columns_of(const history& h) {
    const std::size_t n = h.calls.size();
    std::vector<std::size_t> column(n, 0);
    for (std::size_t again = 0; again < n; ++again)
        for (std::size_t b = 0; b < n; ++b)
            for (std::size_t a = 0; a < n; ++a)
                if (comes_before(h, a, b)) column[b] = std::max(column[b], column[a] + 1);
    return column;
}

/// Of calls in different threads those of which one has to come before the other.
std::string pairs_in_order(const history& h, const std::vector<operation>& operations) {
    std::string text;
    const auto name = [&](std::size_t i) {
        return h.names[h.calls[i].thread] + "'s " + call_text(operations[h.calls[i].operation], h.calls[i]);
    };
    for (std::size_t b = 0; b < h.calls.size(); ++b)
        for (std::size_t a = 0; a < h.calls.size(); ++a)
            if (comes_before(h, a, b) && h.calls[a].thread != h.calls[b].thread)
                text += (text.empty() ? "" : "; ") + name(a) + " before " + name(b);
    return text.empty() ? "calls of different threads are in no order" : "in order are only: " + text;
}

} // namespace

std::string call_text(const operation& o, std::int64_t argument) {
    const bool takes_one = o.fresh || !o.arguments.empty();
    return o.name + "(" + (takes_one ? std::to_string(argument) : "") + ")";
}

std::string call_text(const operation& o, const made_call& c) {
    return call_text(o, c.argument) + answer_text(o.form, c.given);
}

std::string drawing(const history& h, const std::vector<operation>& operations) {
    const std::size_t n = h.calls.size();
    const std::vector<std::size_t> begins = columns_of(h);
    const std::size_t columns = 1 + *std::max_element(begins.begin(), begins.end());
    std::vector<std::size_t> ends(n, columns); // where the first begins that comes behind it
    std::size_t width = 0;
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b)
            if (comes_before(h, a, b)) ends[a] = std::min(ends[a], begins[b]);
        width = std::max(width, call_text(operations[h.calls[a].operation], h.calls[a]).size() + 5);
    }
    std::string text;
    for (unsigned t = 0; t < h.names.size(); ++t) {
        std::string line(columns * width, ' ');
        for (std::size_t i = 0; i < n; ++i) {
            if (h.calls[i].thread != t) continue;
            const std::string label = call_text(operations[h.calls[i].operation], h.calls[i]);
            const std::size_t from = begins[i] * width, to = ends[i] * width - 1;
            line.replace(from, to - from, to - from, '-');
            line[from] = line[to - 1] = '|';
            line.replace(from + 2, label.size(), label);
            line[from + 1] = line[from + 2 + label.size()] = ' ';
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::string name = h.names[t];
        name.resize(std::max<std::size_t>(name.size(), 4), ' ');
        text += "      " + name + "  " + line + "\n";
    }
    bool shows_more = false;
    for (std::size_t b = 0; b < n; ++b)
        for (std::size_t a = 0; a < n; ++a)
            shows_more = shows_more || (ends[a] <= begins[b] && !comes_before(h, a, b));
    if (shows_more) text += "      " + pairs_in_order(h, operations) + "\n";
    return text;
}

std::string reason(const history& h, const std::vector<operation>& operations, const explanation& e) {
    std::string text;
    std::uint32_t done = 0;
    for (const unsigned i : e.order) {
        text += (text.empty() ? "" : ", ") + call_text(operations[h.calls[i].operation], h.calls[i]);
        done |= std::uint32_t{1} << i;
    }
    text = e.order.empty() ? "no call can be the first: "
                           : "no order goes further than " + text + ": next cannot be ";
    bool first = true;
    for (std::size_t i = 0; i < h.calls.size(); ++i) {
        if ((done >> i & 1) != 0 || (h.before[i] & ~done) != 0) continue;
        text += (first ? "" : " or ") + call_text(operations[h.calls[i].operation], h.calls[i]);
        first = false;
    }
    return text;
}

} // namespace ringproof::verify::linear
