// SPDX-License-Identifier: Apache-2.0
#include "stored_hidden.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

namespace ringproof::verify {
namespace {

using by_kind = std::array<std::uint8_t, all_access_kinds.size()>; ///< masks, or threads

by_kind by_kind_of(const json& from) {
    by_kind all{};
    if (!from.is_array() || from.size() != all.size()) refuse("it lists accesses of no kind");
    for (std::size_t k = 0; k < from.size(); ++k)
        all[k] = static_cast<std::uint8_t>(
            number(from[k], std::numeric_limits<std::uint8_t>::max(), "mask or thread"));
    return all;
}

/// In hexadecimal, as sets of bits and addresses are read.
std::string text_of(std::uint64_t bits) { return fmt::format("{:x}", bits); }

std::uint64_t bits_of(const json& from) {
    const auto* const text = from.get_ptr<const std::string*>();
    std::uint64_t bits = 0;
    if (!text) refuse("it has an access that may race at no place");
    const char* const end = text->data() + text->size();
    const auto read = std::from_chars(text->data(), end, bits, 16);
    if (read.ec != std::errc{} || read.ptr != end) refuse("it has an access that may race at no place");
    return bits;
}

} // namespace

json to_json(const hidden_races& hidden, const std::function<std::uint64_t(std::uintptr_t)>& from_program) {
    const auto all = [&](const std::map<std::uintptr_t, hidden_races::noted_accesses>& noted) {
        json list = json::array();
        for (const auto& [granule, made] : noted) {
            json sites = json::array();
            for (const std::uint64_t of_kind : made.sites) sites.push_back(text_of(of_kind));
            list.push_back({text_of(from_program(granule)), made.by.bytes, sites});
        }
        return list;
    };
    json in_dropped = json::array();
    for (const auto& [granule, who] : hidden.in_dropped)
        in_dropped.push_back({text_of(from_program(granule)), who.by});
    return {{"left_out", all(hidden.left_out)},
            {"behind", all(hidden.behind)},
            {"in_dropped", in_dropped},
            {"dropped", hidden.dropped}};
}

hidden_races hidden_of(const json& from, const std::function<std::uintptr_t(std::uint64_t)>& in_process) {
    hidden_races hidden;
    const auto each = [&](const char* name, std::size_t size, auto&& note) {
        if (!from.at(name).is_array()) refuse("its accesses that may race are no list");
        for (const json& one : from.at(name)) {
            if (!one.is_array() || one.size() != size) refuse("it lists an access that is none");
            note(in_process(bits_of(one[0])), one);
        }
    };
    const auto made = [](const json& one) {
        hidden_races::noted_accesses all;
        all.by.bytes = by_kind_of(one[1]);
        if (!one[2].is_array() || one[2].size() != all.sites.size()) refuse("it lists places of no kind");
        for (std::size_t k = 0; k < all.sites.size(); ++k) all.sites[k] = bits_of(one[2][k]);
        return all;
    };
    each("left_out", 3, [&](std::uintptr_t g, const json& one) { hidden.note_left_out(g, made(one)); });
    each("behind", 3, [&](std::uintptr_t g, const json& one) { hidden.note_behind(g, made(one)); });
    each("in_dropped", 2,
         [&](std::uintptr_t g, const json& one) { hidden.note_in_dropped(g, {by_kind_of(one[1])}); });
    if (!from.at("dropped").is_boolean()) refuse("it doesn't say whether a dropped branch may race");
    if (from.at("dropped").get<bool>()) hidden.dropped = true;
    return hidden;
}

} // namespace ringproof::verify
