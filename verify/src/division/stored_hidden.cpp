// SPDX-License-Identifier: Apache-2.0
#include "stored_hidden.hpp"

#include <algorithm>
#include <array>

namespace ringproof::verify {
namespace {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

json masks(const granule_accesses& of) {
    return std::vector<unsigned>(std::begin(of.bytes), std::end(of.bytes));
}

granule_accesses masks_of(const json& from) {
    granule_accesses all;
    if (!from.is_array() || from.size() != std::size(all.bytes)) refuse("it lists accesses of no kind");
    for (std::size_t k = 0; k < from.size(); ++k)
        all.bytes[k] =
            static_cast<std::uint8_t>(number(from[k], std::numeric_limits<std::uint8_t>::max(), "mask"));
    return all;
}

/// Of the place of a granule, as place_of() gives it: below 2^47, as all addresses are.
std::uint64_t granule_number(const json& from) { return number(from, std::uint64_t{1} << 47, "granule"); }

std::uint64_t sites_of(const json& from) {
    const std::uint64_t sites = number(from, any_number, "hash of places");
    if (sites == 0) refuse("it lists an access at no place");
    return sites;
}

} // namespace

json to_json(const hidden_races& hidden, const std::function<std::uint64_t(std::uintptr_t)>& from_program) {
    json left_out = json::array(), behind = json::array();
    for (const auto& [granule, by] : hidden.left_out) left_out.push_back({from_program(granule), masks(by)});
    for (const auto& [granule, by] : hidden.behind)
        behind.push_back({from_program(granule), masks(by.by), by.sites});
    return {{"left_out", left_out}, {"left_at", hidden.left_at}, {"behind", behind}};
}

hidden_races hidden_of(const json& from, const std::function<std::uintptr_t(std::uint64_t)>& in_process) {
    hidden_races hidden;
    const auto each = [&](const char* name, std::size_t size, auto&& note) {
        if (!from.at(name).is_array()) refuse("its accesses that may race are no list");
        for (const json& one : from.at(name)) {
            if (!one.is_array() || one.size() != size) refuse("it lists an access that is none");
            note(in_process(granule_number(one[0])), one);
        }
    };
    each("left_out", 2,
         [&](std::uintptr_t g, const json& one) { hidden.note_left_out(g, masks_of(one[1])); });
    each("behind", 3, [&](std::uintptr_t g, const json& one) {
        hidden.note_behind(g, {masks_of(one[1]), sites_of(one[2])});
    });
    hidden.left_at = number(from.at("left_at"), any_number, "hash of places");
    return hidden;
}

} // namespace ringproof::verify
