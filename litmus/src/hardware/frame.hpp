// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of a generated library that are the same for every dialect, as C text: the declarations
// of abi.hpp, counting of final states, cache hints, and the table that the runner reads. A dialect
// adds `run_T` for each thread T (and steps, if it has them).

#include "../parse/assembly.hpp"
#include "../parse/condition.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::litmus::frame {

/// A register or local variable that final states show, kept in member `vN` of the thread's out_T.
struct output {
    std::size_t state_index;
    int bits;
};

struct description {
    std::vector<variable> variables;
    std::vector<std::vector<output>> outputs; ///< per thread
    /// Variables that the thread loads, and stores to: indices.
    std::vector<std::vector<std::size_t>> loads, stores;
};

/// "int" or "i64"
const char* type_of(int bits);

std::string prologue();
/// struct out_T, wide members first so that none lies misaligned.
std::string out_struct(const description& d, std::size_t thread);
/// Opens run_T and its loop: `p` is the instance, `o[k]` the thread's outputs. Close with "    }\n}\n".
std::string run_head(std::size_t thread);
std::string hints(const description& d, std::size_t thread);
std::string collect(const description& d, const std::vector<location>& shown);

struct steps {
    std::size_t count = 0; ///< functions in the array steps_T; 0: there is no such array
    std::size_t words = 0; ///< of saved registers
};
std::string table(const description& d, const std::vector<steps>& of);

} // namespace ringproof::litmus::frame
