// SPDX-License-Identifier: Apache-2.0
#pragma once
// A test file as every dialect has it: header, initial state, code, final condition. The code stays
// text here, cut into cells; each dialect turns cells into its own instructions (x86.hpp).
//
//     X86 SB                       dialect, name
//     "a comment in quotes"        doc
//     Cycle=Fre PodWR Fre PodWR    meta
//     { x=0; y=0; }                initial state
//      P0          | P1          ;
//      MOV [x],$1  | MOV [y],$1  ;
//      MOV EAX,[y] | MOV EAX,[x] ; a cell per thread and row
//     locations [x; y;]
//     filter (…)
//     exists (0:EAX=0 /\ 1:EAX=0)

#include "condition.hpp"

#include <optional>
#include <utility>

namespace ringproof::litmus {

struct init_entry {
    location where;
    std::string type;        ///< "" if none was written
    std::int64_t number = 0; ///< the value, unless it is an address
    std::string symbol;      ///< the location whose address is the value
    /// Of an array, the values of its elements; then `number` and `symbol` say nothing.
    std::vector<std::int64_t> elements;
    std::size_t offset = 0;
};

/// A stretch of the source: the code of one thread in one row. In a C test each thread is one cell,
/// `(parameters) { statements }`.
struct cell {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct test {
    source from;
    std::string dialect;
    std::string name;
    std::string doc;
    std::vector<std::pair<std::string, std::string>> meta;
    std::vector<init_entry> init;
    std::vector<std::vector<cell>> threads; ///< per thread, its cells that are not blank
    std::vector<location> locations;        ///< to be shown beside those of the condition
    std::optional<proposition> filter;
    condition final;
};

constexpr std::size_t most_threads = 1024;

/// @throws syntax_error
test parse_test(source from);

/// For engines that lay each location out by itself. @throws syntax_error if there is an array, or an instruction's
/// address
void refuse_arrays(const test& t);

/// What a final state shows: the locations of the condition, the filter and
/// `locations`, sorted, once each.
std::vector<location> shown_locations(const test& t);

} // namespace ringproof::litmus
