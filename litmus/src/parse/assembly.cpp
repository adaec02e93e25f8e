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

std::size_t find_variable(const std::vector<variable>& all, std::string_view name) {
    std::size_t index = 0;
    while (index < all.size() && all[index].name != name) ++index;
    return index;
}

} // namespace ringproof::litmus
