// SPDX-License-Identifier: Apache-2.0
#include "assembly.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {

void label_list::define(const scanner& in, std::size_t offset, std::string_view name,
                        std::size_t instruction) {
    for (const auto& label : labels_)
        if (label.first == name) in.fail(offset, fmt::format("label '{}' is defined twice", name));
    labels_.emplace_back(std::string(name), instruction);
}

bool label_list::has(std::string_view name) const {
    return std::any_of(labels_.begin(), labels_.end(),
                       [&](const auto& label) { return label.first == name; });
}

std::size_t label_list::target(const source& from, std::size_t offset, std::string_view name) const {
    for (const auto& label : labels_)
        if (label.first == name) return label.second;
    throw syntax_error(from, offset, fmt::format("there is no label '{}' in this thread", name));
}

std::string label_list::name_of(std::size_t instruction) const {
    for (const auto& label : labels_)
        if (label.second == instruction) return label.first;
    return {};
}

std::string label_value(std::size_t thread, std::string_view label) {
    return fmt::format("label:\"P{}:{}\"", thread, label);
}

std::string parse_label_value(scanner& in) {
    const std::size_t back = in.offset();
    const auto none = [&] {
        in.seek(back);
        return std::string();
    };
    const bool quoted = in.accept_word("label");
    if (quoted && (!in.accept(":") || !in.accept("\""))) return none();
    std::size_t thread = 0;
    if (quoted && in.at_number()) {
        thread = static_cast<std::size_t>(in.number("a thread number"));
    } else {
        const std::string_view word = in.identifier();
        if (word.size() < 2 || word.size() > 5 || word[0] != 'P') return none();
        for (const char c : word.substr(1)) {
            if (c < '0' || c > '9') return none();
            thread = 10 * thread + static_cast<std::size_t>(c - '0');
        }
    }
    if (!in.accept(":")) return none();
    const std::string label(in.identifier());
    if (label.empty()) in.expected("the name of a label");
    if (quoted) in.expect("\"", "'\"' after the name of a label");
    return label_value(thread, label);
}

std::size_t find_variable(const std::vector<variable>& all, std::string_view name) {
    std::size_t index = 0;
    while (index < all.size() && all[index].name != name) ++index;
    return index;
}

} // namespace ringproof::litmus
