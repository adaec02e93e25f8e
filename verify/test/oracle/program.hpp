// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small concurrent program as a value: threads of straight-line operations with forward skips.
// The same value is given to the enumerator (enumerate.hpp) and run by real threads under the
// checker (engine_program.hpp); their execution counts and outcomes must agree.
//
// Everything starts at 0. A reading operation puts what it read (a read-modify-write: the old value)
// into its register; a register that was never written is 0. Storage is fixed-size on purpose: the
// threads under test only index, and allocate when they are told to (engine_program.hpp).

#include <array>
#include <atomic> // std::memory_order
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace ringproof::verify::oracle {

inline constexpr int max_threads = 6;
inline constexpr int max_operations = 16; // per thread
inline constexpr int max_registers = 10;  // per thread
inline constexpr int max_atomics = 6;
inline constexpr int max_data = 4;
inline constexpr int max_mutexes = 2;
inline constexpr int window_bytes = 16; // plain memory that is accessed in pieces of any size
inline constexpr int no_register = -1;

enum class operation_kind : std::uint8_t {
    load,
    store,
    fetch_add,
    exchange,
    compare_exchange,
    fence,
    await,       ///< waits until `location` compares as wanted with `value`; one read in a finished execution
    plain_load,  ///< non-atomic, of a data location
    plain_store, ///< non-atomic, of a data location
    lock,
    unlock,
    skip_if,      ///< control flow: passes over the next `skip` operations if `subject` compares with `value`
    counted_wait, ///< reads until `location` compares as wanted with `value`, but at most `size` times
    bytes_load,   ///< non-atomic, of `size` bytes of the window from `location` on; reads their digest()
    bytes_store,  ///< non-atomic, the same bytes: each becomes `value`
    own_load,     ///< of the thread's own word, which begins at 0
    own_store,
    renew ///< gives the memory of the own word back and obtains new memory: the word is 0
};

enum class comparison : std::uint8_t { equal, not_equal, less, greater };

constexpr bool holds(int left, comparison how, int right) {
    switch (how) {
    case comparison::equal:
        return left == right;
    case comparison::not_equal:
        return left != right;
    case comparison::less:
        return left < right;
    case comparison::greater:
        return left > right;
    }
    return false;
}

/// A constant, or a register plus a constant.
struct operand {
    int base = no_register;
    int constant = 0;

    constexpr operand() = default;
    constexpr operand(int value) : constant(value) {} // implicit: `store(x, 1, order)`
    constexpr operand(int base_register, int addend) : base(base_register), constant(addend) {}

    constexpr operand operator+(int addend) const { return {base, constant + addend}; }
    friend constexpr bool operator==(const operand&, const operand&) = default;
};

using register_file = std::array<int, max_registers>;

constexpr int evaluate(const operand& what, const register_file& registers) {
    return what.constant + (what.base == no_register ? 0 : registers[static_cast<std::size_t>(what.base)]);
}

struct operation {
    operation_kind kind = operation_kind::fence;
    int location = 0;         ///< index among the atomics, the data or the mutexes, as the kind says
    int target = no_register; ///< register that receives what was read
    operand value{};          ///< stored, added, desired, awaited; right side of a skip
    operand expected{};       ///< compare_exchange
    std::memory_order order = std::memory_order_seq_cst;
    std::memory_order failure = std::memory_order_relaxed; ///< compare_exchange
    comparison how = comparison::equal;                    ///< await, counted_wait, skip_if
    int subject = no_register;                             ///< skip_if: left side
    int skip = 0;                                          ///< skip_if: operations passed over
    int size = 0;                                          ///< bytes, or rounds

    friend bool operator==(const operation&, const operation&) = default;
};

struct thread_code {
    std::array<operation, max_operations> operations{};
    int size = 0;

    thread_code() = default;
    thread_code(std::initializer_list<operation> list) {
        for (const operation& next : list) append(next);
    }
    void append(const operation& next) {
        if (size == max_operations) throw std::length_error("oracle: a thread has too many operations");
        operations[static_cast<std::size_t>(size++)] = next;
    }
    const operation& operator[](int at) const { return operations[static_cast<std::size_t>(at)]; }
    friend bool operator==(const thread_code&, const thread_code&) = default;
};

/// A handler that may interrupt one thread. Its n-th run in an execution has registers of its own, from
/// handler_registers + 2n on; its code counts them from 0.
struct handler_code {
    int thread = -1; ///< none
    int times = 1;   ///< it runs so often, at most
    int depth = 1;   ///< so many of its runs inside each other, at most
    thread_code code{};

    friend bool operator==(const handler_code&, const handler_code&) = default;
};
inline constexpr int handler_registers = 6;

/// Where memory comes from. All of it is zero at first.
enum class storage : std::uint8_t {
    stack,
    heap,
    mapped,         ///< by mmap, given back by munmap
    thread_variable ///< thread_local
};

/// What the program is made of. Its executions and final states depend on none of this, so the enumerators
/// do not look at it.
struct surroundings {
    storage shared = storage::stack;               ///< atomics, data, mutexes and the window
    storage own = storage::stack;                  ///< each thread's own word
    bool sleeps = false;                           ///< while it waits, instead of a yield
    std::array<std::uint8_t, max_atomics> width{}; ///< bytes of each atomic: 1, 2, 4, 8, 16; 0: an int

    friend bool operator==(const surroundings&, const surroundings&) = default;
};

struct program {
    std::array<thread_code, max_threads> threads{};
    int size = 0;
    handler_code handler{}; ///< for enumerate(), see placements.hpp
    surroundings within{};

    program() = default;
    program(std::initializer_list<thread_code> list) {
        for (const thread_code& next : list) append(next);
    }
    void append(const thread_code& next) {
        if (size == max_threads) throw std::length_error("oracle: a program has too many threads");
        threads[static_cast<std::size_t>(size++)] = next;
    }
    const thread_code& operator[](int at) const { return threads[static_cast<std::size_t>(at)]; }
    friend bool operator==(const program&, const program&) = default;
};

using window = std::array<std::uint8_t, window_bytes>;

/// What a bytes_load makes of what it read: small, as all values are, and different for most contents.
constexpr int digest(const std::uint8_t* bytes, int size) {
    unsigned sum = 0;
    for (int i = size; i-- > 0;) sum = sum * 3 + bytes[i];
    return static_cast<int>(sum % 97);
}

/// Whether some wait gives up after more than one round.
bool counts_rounds(const program& what);
/// Whether it has a loop that waits.
bool waits(const program& what);

/// What one finished execution leaves behind: registers, and the last value of every location.
struct outcome {
    std::array<register_file, max_threads> registers{};
    std::array<int, max_atomics> atomics{};
    std::array<int, max_data> data{};
    window bytes{};

    friend auto operator<=>(const outcome&, const outcome&) = default;
};

/// One line a thread, e.g. `T0: x0.store(1, relaxed); r0 = x1.load(acquire)`.
std::string to_string(const program& what);
std::string to_string(const operation& what);
/// Only what the program touches, e.g. `T0:r0=1 T1:r0=0 x0=1 x1=1`.
std::string to_string(const outcome& what, const program& of);

// Shorthand for writing programs down. `reg(0) + 1` is an operand.
namespace write {
using order = std::memory_order;
inline constexpr order rlx = std::memory_order_relaxed;
inline constexpr order acq = std::memory_order_acquire;
inline constexpr order rel = std::memory_order_release;
inline constexpr order ar = std::memory_order_acq_rel;
inline constexpr order sc = std::memory_order_seq_cst;

constexpr operand reg(int which) { return {which, 0}; }
operation load(int location, order how, int target = no_register);
operation store(int location, operand value, order how);
operation fetch_add(int location, operand value, order how, int target = no_register);
operation exchange(int location, operand value, order how, int target = no_register);
operation cas(int location, operand expected, operand desired, order success, order failure,
              int target = no_register);
operation fence(order how);
operation await(int location, operand value, order how, int target = no_register);
operation await(int location, comparison until, operand value, order how, int target = no_register);
operation plain_load(int location, int target = no_register);
operation plain_store(int location, operand value);
operation lock(int mutex);
operation unlock(int mutex);
operation skip_if(int subject, comparison how, operand value, int count);
operation counted_wait(int location, comparison until, operand value, int rounds, order how,
                       int target = no_register);
operation bytes_load(int first, int size, int target = no_register);
operation bytes_store(int first, int size, operand value);
operation own_load(int target);
operation own_store(operand value);
operation renew();
} // namespace write

} // namespace ringproof::verify::oracle
