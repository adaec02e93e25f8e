// SPDX-License-Identifier: Apache-2.0
#pragma once
// Final conditions: what a test asks of the final state. Shared by every dialect and engine.

#include "scanner.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::litmus {

/// A register of a thread ("1:EAX"), or with `thread` < 0 a memory location ("x").
struct location {
    int thread = -1;
    std::string name;
    std::size_t offset = 0; ///< where it was written, for errors

    bool is_register() const { return thread >= 0; }
    /// "1:EAX", "[x]", or "x[1]" for an element of an array
    std::string printed() const;
};
bool operator==(const location& a, const location& b);
/// Registers by thread and name, then memory by name: the order in which states are printed.
bool operator<(const location& a, const location& b);

struct proposition {
    enum class kind { constant, equal, unequal, negation, conjunction, disjunction, implication };
    kind what = kind::constant;
    bool truth = true;              ///< constant
    location left;                  ///< equal, unequal
    std::int64_t number = 0;        ///< the right side, unless it is a symbol
    std::string symbol;             ///< right side that names a memory location's address
    std::optional<location> other;  ///< right side that is a register: its value is compared
    std::vector<proposition> parts; ///< the connectives
};

struct condition {
    enum class quantifier { exists, not_exists, forall };
    quantifier how = quantifier::exists;
    proposition what;
};

/// The value of a location in a final state.
using valuation = std::function<std::int64_t(const location&)>;
bool holds(const proposition& p, const valuation& value_of);

/// Is the condition met by an experiment in which `positive` final states satisfied its proposition
/// and `negative` did not?
bool validated(condition::quantifier how, std::uint64_t positive, std::uint64_t negative);
/// "Never", "Sometimes" or "Always"
const char* observation(std::uint64_t positive, std::uint64_t negative);

std::string to_string(const proposition& p);
std::string to_string(const condition& c);

/// Every location a proposition reads, in order of appearance, once each.
void collect_locations(const proposition& p, std::vector<location>& into);

/// `x`, `[x]`, `*x`, `x[1]` (an element of an array), `1:EAX` and `P1:EAX` (a register).
location parse_location(scanner& in);
/// Name of an element of an array, as a location.
std::string element_name(std::string_view array, std::uint64_t index);
constexpr std::uint64_t most_elements = 1024;
proposition parse_proposition(scanner& in);
/// `exists P`, `~exists P`, `not exists P`, `forall P`
condition parse_condition(scanner& in);

} // namespace ringproof::litmus
