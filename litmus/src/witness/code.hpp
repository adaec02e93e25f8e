// SPDX-License-Identifier: Apache-2.0
#pragma once
// A litmus test as something that really runs: a list of steps per thread, each at most one access by
// the compiler's own atomic operations. The checker of `verify` explores all executions of it.
//
// Nothing here allocates once it is made: the checker saves and restores the program's memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::litmus::witness {

constexpr std::size_t most_registers = 48, most_locations = 16, most_threads = 8;

struct step {
    enum class kind : std::uint8_t {
        number,           ///< target = number
        copy,             ///< target = a
        compute,          ///< target = a (sign) b
        load,             ///< target = location
        store,            ///< location = a
        exchange,         ///< target = location, location = a
        fetch,            ///< target = location, location = location (sign) a
        compare_exchange, ///< target = done; a: desired; b: expected, replaced on failure
        plain_load,
        plain_store,
        fence,
        jump,        ///< to step `number`
        jump_if_zero ///< of a
    };
    enum class sign : std::uint8_t {
        add,
        subtract,
        multiply,
        bit_and,
        bit_or,
        bit_xor,
        equal,
        less,
        less_equal,
        shift_left,
        shift_right
    };
    kind what = kind::number;
    sign how = sign::add;
    std::uint8_t target = 0, a = 0, b = 0; ///< registers
    std::uint8_t location = 0;
    int order = 0;   ///< of the compiler: __ATOMIC_SEQ_CST and its kin
    int failure = 0; ///< of a compare-exchange that fails
    std::int64_t number = 0;
};

using code = std::vector<step>;

struct executable {
    std::vector<code> threads;
    std::vector<std::int64_t> initial;                               ///< of each location
    std::vector<std::array<std::int64_t, most_registers>> registers; ///< at the start
    /// What a final state shows: a register of a thread, or with thread -1 a location.
    struct place {
        int thread = -1;
        std::size_t index = 0;
    };
    std::vector<place> shown;
};

/// A finished execution: what every thread and the memory hold.
struct ending {
    std::array<std::array<std::int64_t, most_registers>, most_threads> registers{};
    std::array<std::int64_t, most_locations> memory{};
};

/// Runs it on real threads once. Compiled with the checker's instrumentation.
void run_once(const executable& what, ending& end);

} // namespace ringproof::litmus::witness
