// SPDX-License-Identifier: Apache-2.0
#include "replayed_path.hpp"
#include "../cat/evaluator.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::exploring {

silicon::word to_word(const value& v) {
    return {static_cast<std::uint64_t>(v.number), static_cast<std::uint64_t>(v.location + 1)};
}

value from_word(const silicon::word& w) {
    return {static_cast<std::int64_t>(w.low), static_cast<std::int32_t>(w.high) - 1};
}

void replayed_path::settle(const operand_value& address) {
    const load_set from = address.from | address.picked;
    if (!is_known(address)) throw waits_for_loads{from};
    const value a = values().constant_of(address.e);
    if (what().at(a) >= 0) return;
    if (a.is_address())
        throw cat::cannot_evaluate(fmt::format(
            "an access to '{}'+{}, where no location begins: declare an array, whose elements are "
            "accessed whole",
            what().locations[static_cast<std::size_t>(a.location)], a.number));
    throw path_ends{};
}

int replayed_path::read(const operand_value& address, const tag_set& labels, operand_value& result) {
    settle(address);
    const std::size_t index = current().events.size();
    event& e = add(labels);
    e.is_read = true;
    e.address = address.e;
    e.address_from = address.from;
    e.picked_address = address.picked;
    if (index < past_.loaded.size() && past_.loaded[index]) {
        e.loaded = values().constant(from_word(*past_.loaded[index]));
    } else {
        if (variables_.size() <= index) variables_.resize(index + 1, no_expr);
        if (variables_[index] == no_expr) variables_[index] = values().fresh_variable();
        e.loaded = variables_[index];
    }
    result = {e.loaded, load_set{1} << index, load_set{1} << index};
    return static_cast<int>(index);
}

int replayed_path::write(const operand_value& address, const operand_value& data, const tag_set& labels) {
    settle(address);
    return path_builder::write(address, data, labels);
}

const std::uint32_t* replayed_path::chosen(std::uint32_t place) const {
    for (const auto& [at, outcome] : past_.chosen)
        if (at == place) return &outcome;
    return nullptr;
}

bool replayed_path::decide(const operand_value& condition) {
    const std::uint32_t place = places_++;
    const std::uint32_t* const guess = chosen(place);
    if (is_known(condition)) {
        if (guess && (*guess == 0) != is_true(condition)) throw path_ends{};
        return is_true(condition);
    }
    for (const assumption& a : current().assumed)
        if (a.condition == condition.e) return a.holds;
    if (!guess) throw asks_for_choice{place};
    current().assumed.push_back({condition.e, *guess == 0});
    return *guess == 0;
}

bool replayed_path::branch(const operand_value& condition) {
    if (!is_known(condition)) throw waits_for_loads{condition.from | condition.picked};
    control(condition);
    return is_true(condition);
}

bool replayed_path::assume(const operand_value& condition) {
    return !is_known(condition) || is_true(condition);
}

void replayed_path::one_access(int, int) {
    throw cat::cannot_evaluate("--engine explore knows no LDXP and STXP: use --engine enumerate");
}

void replayed_path::in_order(int, int) {
    throw cat::cannot_evaluate("--engine explore knows no LDIAPP and STILP: use --engine enumerate");
}

bool replayed_path::choose() {
    const std::uint32_t place = places_++;
    const std::uint32_t* const outcome = chosen(place);
    if (!outcome) throw asks_for_choice{place};
    return *outcome == 0;
}

} // namespace ringproof::litmus::exploring
