// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small concurrent program with loops, as a value: what the judge (machine.hpp) explores exhaustively,
// what the interpreter (interpreter.hpp) runs under the checker, and what the compiler turns into machine code
// (compiled.hpp). All three have to agree on the final states, on failures, and on who waits for ever.
//
// Control flow is structured: `loop … end`, left by `break_if`; `when … end`. Everything starts at 0.
// Locations are atomics that all threads share; cells are plain memory, one made by each thread on the heap,
// that others may come to know; a thread's private memory nobody else ever sees.

#include <array>
#include <atomic> // std::memory_order
#include <cstdint>
#include <string>

namespace ringproof::verify::loops {

inline constexpr int max_threads = 3;
inline constexpr int max_instructions = 32; // per thread
inline constexpr int max_registers = 6;     // per thread
inline constexpr int max_locations = 3;
inline constexpr int private_cells = 2; // per thread
inline constexpr int no_register = -1;

enum class op : std::uint8_t {
    load,       ///< target = location
    store,      ///< location = value
    add,        ///< target = location, location += value, at once
    exchange,   ///< target = location, location = value, at once
    compare,    ///< target = whether it took place; `expected`, a register, is what was there
    fence,      ///< of `order`
    cell_load,  ///< target = the cell of thread number `value`
    cell_store, ///< own cell = value
    put,        ///< private memory[location] = value
    get,        ///< target = private memory[location]
    set,        ///< target = value
    yield,      ///< says that the round had no effect
    sleep,      ///< so does this
    fail,       ///< an assertion that does not hold

    // The floating-point environment, and a number in a floating-point register.
    set_rounding, ///< mode `value`: to nearest, down, up, towards zero
    get_rounding, ///< target = the mode
    divide,       ///< with a result that is not exact: raises a flag
    clear_flags,
    get_flag,   ///< target = whether a result was not exact
    number_set, ///< number = value / 2.0
    number_add, ///< number += value / 2.0
    number_get, ///< target = the number, rounded: raises the flag unless that is exact

    // Memory that comes and goes. Without it, accesses do nothing and read 0.
    obtain, ///< a page of zeros, unless there is one
    give_back,
    page_put, ///< page[location] = value
    page_get, ///< target = page[location]

    loop,
    break_if, ///< leaves the innermost loop if `left` compares with `value`
    when,     ///< passes over what is up to its end unless `left` compares with `value`
    end
};

enum class comparison : std::uint8_t { equal, not_equal, less, greater };

constexpr bool holds(int left, comparison how, int right) {
    return how == comparison::equal       ? left == right
           : how == comparison::not_equal ? left != right
           : how == comparison::less      ? left < right
                                          : left > right;
}

/// A constant, or a register plus a constant.
struct operand {
    int base = no_register;
    int constant = 0;

    constexpr operand() = default;
    constexpr operand(int value) : constant(value) {} // implicit: `store(0, 1)`
    constexpr operand(int base_register, int addend) : base(base_register), constant(addend) {}
};
constexpr operand reg(int which, int addend = 0) { return {which, addend}; }

using registers = std::array<int, max_registers>;

constexpr int evaluate(const operand& what, const registers& all) {
    return what.constant + (what.base == no_register ? 0 : all[static_cast<std::size_t>(what.base)]);
}

struct instruction {
    op what = op::fence;
    int location = 0;
    int target = no_register;
    int expected = no_register;
    operand left{}, value{};
    comparison how = comparison::equal;
    std::memory_order order = std::memory_order_seq_cst;
    std::memory_order failure = std::memory_order_seq_cst; ///< compare
    int jump = 0; ///< loop, when: behind their end; break_if: behind the loop's; a loop's end: back to it
};

struct thread_code {
    std::array<instruction, max_instructions> instructions{};
    int size = 0;
    unsigned reported = 0; ///< bits of the registers that are part of the final state

    constexpr const instruction& operator[](int at) const {
        return instructions[static_cast<std::size_t>(at)];
    }
};

/// Where threads have their private memory.
enum class placement : std::uint8_t {
    heap,
    own_stack,
    others_stack,   ///< in a local variable of the thread that started them
    mapped,         ///< by mmap
    thread_variable ///< thread_local
};

struct program {
    std::array<thread_code, max_threads> threads{};
    int size = 0;
    placement private_memory = placement::heap;
    bool uses_cells = false;
    bool maps_pages = false; ///< by mmap; otherwise they are of the heap
    bool prints = false;     ///< a library writes private memory

    constexpr const thread_code& operator[](int thread) const {
        return threads[static_cast<std::size_t>(thread)];
    }
};

/// What a finished execution leaves behind.
struct outcome {
    std::array<registers, max_threads> reported{}; ///< those that are not are 0
    std::array<int, max_locations> locations{};

    friend auto operator<=>(const outcome&, const outcome&) = default;
};

/// Indented, one instruction a line.
std::string to_string(const program& what);
/// E.g. `T0:r0=1 T1:r2=0 x0=1 x1=1`: what is reported, and locations.
std::string to_string(const outcome& what, const program& of);

/// Writes a thread's code down, as in
///     writer().loop().load(0, x, acquire).break_if(0, comparison::equal, 1).end()
class writer {
  public:
    constexpr writer& load(int target, int location, std::memory_order order) {
        return append({.what = op::load, .location = location, .target = target, .order = order});
    }
    constexpr writer& store(int location, operand value, std::memory_order order) {
        return append({.what = op::store, .location = location, .value = value, .order = order});
    }
    constexpr writer& add(int target, int location, operand value, std::memory_order order) {
        return append(
            {.what = op::add, .location = location, .target = target, .value = value, .order = order});
    }
    constexpr writer& exchange(int target, int location, operand value, std::memory_order order) {
        return append(
            {.what = op::exchange, .location = location, .target = target, .value = value, .order = order});
    }
    constexpr writer& compare(int target, int location, int expected, operand value, std::memory_order order,
                              std::memory_order failure) {
        return append({.what = op::compare,
                       .location = location,
                       .target = target,
                       .expected = expected,
                       .value = value,
                       .order = order,
                       .failure = failure});
    }
    constexpr writer& fence(std::memory_order order) { return append({.what = op::fence, .order = order}); }
    constexpr writer& cell_load(int target, operand owner) {
        return append({.what = op::cell_load, .target = target, .value = owner});
    }
    constexpr writer& cell_store(operand value) { return append({.what = op::cell_store, .value = value}); }
    constexpr writer& put(int cell, operand value) {
        return append({.what = op::put, .location = cell, .value = value});
    }
    constexpr writer& get(int target, int cell) {
        return append({.what = op::get, .location = cell, .target = target});
    }
    constexpr writer& set(int target, operand value) {
        return append({.what = op::set, .target = target, .value = value});
    }
    constexpr writer& yield() { return append({.what = op::yield}); }
    constexpr writer& sleep() { return append({.what = op::sleep}); }
    constexpr writer& set_rounding(operand mode) { return append({.what = op::set_rounding, .value = mode}); }
    constexpr writer& get_rounding(int target) {
        return append({.what = op::get_rounding, .target = target});
    }
    constexpr writer& divide() { return append({.what = op::divide}); }
    constexpr writer& clear_flags() { return append({.what = op::clear_flags}); }
    constexpr writer& get_flag(int target) { return append({.what = op::get_flag, .target = target}); }
    constexpr writer& number_set(operand halves) { return append({.what = op::number_set, .value = halves}); }
    constexpr writer& number_add(operand halves) { return append({.what = op::number_add, .value = halves}); }
    constexpr writer& number_get(int target) { return append({.what = op::number_get, .target = target}); }
    constexpr writer& obtain() { return append({.what = op::obtain}); }
    constexpr writer& give_back() { return append({.what = op::give_back}); }
    constexpr writer& page_put(int cell, operand value) {
        return append({.what = op::page_put, .location = cell, .value = value});
    }
    constexpr writer& page_get(int target, int cell) {
        return append({.what = op::page_get, .location = cell, .target = target});
    }
    constexpr writer& fail() { return append({.what = op::fail}); }
    constexpr writer& loop() { return open({.what = op::loop}); }
    constexpr writer& break_if(operand left, comparison how, operand value) {
        return append({.what = op::break_if, .left = left, .value = value, .how = how});
    }
    constexpr writer& when(operand left, comparison how, operand value) {
        return open({.what = op::when, .left = left, .value = value, .how = how});
    }
    constexpr writer& end() {
        const int begin = open_[static_cast<std::size_t>(--depth_)];
        instruction& head = code_.instructions[static_cast<std::size_t>(begin)];
        const bool loops = head.what == op::loop;
        append({.what = op::end, .jump = loops ? begin : code_.size + 1});
        head.jump = code_.size;
        if (loops) {
            int inner = 0;
            for (int at = begin + 1; at < code_.size; ++at) {
                instruction& each = code_.instructions[static_cast<std::size_t>(at)];
                if (each.what == op::loop) ++inner;
                if (each.what == op::end && each.jump < at) --inner;
                if (each.what == op::break_if && inner == 0) each.jump = code_.size;
            }
        }
        return *this;
    }
    /// The register is part of the final state.
    constexpr writer& report(int which) {
        code_.reported |= 1u << which;
        return *this;
    }
    constexpr int size() const { return code_.size; }
    constexpr const thread_code& done() const { return code_; }

  private:
    constexpr writer& append(const instruction& next) {
        code_.instructions[static_cast<std::size_t>(code_.size++)] = next; // throws nothing: constexpr tells
        return *this;
    }
    constexpr writer& open(const instruction& head) {
        open_[static_cast<std::size_t>(depth_++)] = code_.size;
        return append(head);
    }

    thread_code code_;
    std::array<int, 4> open_{};
    int depth_ = 0;
};

} // namespace ringproof::verify::loops
