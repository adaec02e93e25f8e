// SPDX-License-Identifier: Apache-2.0
#pragma once
// The records of linearizable.h, which no C++ can include, as C++ sees them; the same in memory.

#include <ringproof/verify/linear.hpp>

#include <cstdint>

namespace ringproof::verify::linear {

inline constexpr unsigned c_max_ops = 8, c_max_values = 8, c_max_models = 4;

struct c_known {
    std::uint64_t low, high;
};
struct c_record {
    std::int64_t first, second;
    std::uint32_t returned;
    c_known known;
};
struct c_history {
    unsigned thread;
    c_record calls[max_calls];
};
struct c_call {
    std::uint32_t operation;
    std::uint16_t waits_for, sets;
};
struct c_numbers {
    unsigned n;
    std::int64_t at[c_max_values];
};
struct c_op {
    const char* name;
    answer (*call)(void* object, std::int64_t argument);
    c_numbers values;
    bool fresh, may_fail, one_thread, same_thread;
    unsigned result;
};
enum class c_model : unsigned { none, rc11, ra, tso, sc };
struct c_structure {
    void* (*make)();
    void (*destroy)(void* object);
    unsigned threads, calls;
    int synchronisations;
    unsigned writes, steps, promise;
    c_model models[c_max_models];
    bool expect_refuted;
    const char* assumes;
    c_op ops[c_max_ops];
};

memory_model model_of(c_model m);
/// Runs a client: instrumented.
using c_run = void (*)(const c_structure* s, unsigned number, unsigned client);
/// `s` has to live as long as the test.
test test_of(const c_structure& s, const char* name, c_run run);

} // namespace ringproof::verify::linear
