// SPDX-License-Identifier: Apache-2.0
// The only code of the comparison that the checker sees. All of it has to be seen: a register that
// changed unseen makes two loads in a row look like a waiting loop.
#include "code.hpp"

#include <thread>

namespace ringproof::litmus::witness {
namespace {

using kind = step::kind;
using sign = step::sign;

std::int64_t load(const int* where, int order) { return __atomic_load_n(where, order); }
void store(int* where, int value, int order) { __atomic_store_n(where, value, order); }
std::int64_t exchange(int* where, int value, int order) { return __atomic_exchange_n(where, value, order); }
bool compare_exchange(int* where, int* expected, int desired, int order, int failure) {
    return __atomic_compare_exchange_n(where, expected, desired, false, order, failure);
}
std::int64_t fetch(int* where, int value, sign how, int order) {
    switch (how) {
    case sign::subtract:
        return __atomic_fetch_sub(where, value, order);
    case sign::bit_and:
        return __atomic_fetch_and(where, value, order);
    case sign::bit_or:
        return __atomic_fetch_or(where, value, order);
    case sign::bit_xor:
        return __atomic_fetch_xor(where, value, order);
    default:
        return __atomic_fetch_add(where, value, order);
    }
}
void fence(int order) { __atomic_thread_fence(order); }
std::int64_t plain_load(const int* where) { return *where; }
void plain_store(int* where, int value) { *where = value; }

std::int64_t compute(sign how, std::int64_t a, std::int64_t b) {
    const auto u = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    switch (how) {
    case sign::add:
        return a + b;
    case sign::subtract:
        return a - b;
    case sign::multiply:
        return a * b;
    case sign::bit_and:
        return a & b;
    case sign::bit_or:
        return a | b;
    case sign::bit_xor:
        return a ^ b;
    case sign::equal:
        return a == b;
    case sign::less:
        return a < b;
    case sign::less_equal:
        return a <= b;
    case sign::shift_left:
        return static_cast<std::int64_t>(u(a) << (u(b) & 63));
    case sign::shift_right:
        return static_cast<std::int64_t>(u(a) >> (u(b) & 63));
    }
    return 0;
}

void run_thread(const step* code, std::size_t size, int* memory, std::int64_t* registers) {
    for (std::size_t at = 0; at < size; ++at) {
        const step& s = code[at];
        int* where = memory + s.location;
        const auto value = static_cast<int>(registers[s.a]);
        switch (s.what) {
        case kind::number:
            registers[s.target] = s.number;
            break;
        case kind::copy:
            registers[s.target] = registers[s.a];
            break;
        case kind::compute:
            registers[s.target] = compute(s.how, registers[s.a], registers[s.b]);
            break;
        case kind::load:
            registers[s.target] = load(where, s.order);
            break;
        case kind::store:
            store(where, value, s.order);
            break;
        case kind::exchange:
            registers[s.target] = exchange(where, value, s.order);
            break;
        case kind::fetch:
            registers[s.target] = fetch(where, value, s.how, s.order);
            break;
        case kind::compare_exchange: {
            auto expected = static_cast<int>(registers[s.b]);
            const bool done = compare_exchange(where, &expected, value, s.order, s.failure);
            registers[s.b] = expected;
            registers[s.target] = done;
            break;
        }
        case kind::plain_load:
            registers[s.target] = plain_load(where);
            break;
        case kind::plain_store:
            plain_store(where, value);
            break;
        case kind::fence:
            fence(s.order);
            break;
        case kind::jump:
            at = static_cast<std::size_t>(s.number) - 1;
            break;
        case kind::jump_if_zero:
            if (registers[s.a] == 0) at = static_cast<std::size_t>(s.number) - 1;
            break;
        }
    }
}

} // namespace

void run_once(const executable& what, ending& end) {
    int memory[most_locations];
    for (std::size_t l = 0; l < most_locations; ++l)
        memory[l] = l < what.initial.size() ? static_cast<int>(what.initial[l]) : 0;
    std::array<std::array<std::int64_t, most_registers>, most_threads> registers{};
    std::array<std::thread, most_threads> threads;
    for (std::size_t t = 0; t < what.threads.size(); ++t) {
        registers[t] = what.registers[t];
        threads[t] = std::thread([&what, &memory, &registers, t] {
            run_thread(what.threads[t].data(), what.threads[t].size(), memory, registers[t].data());
        });
    }
    for (std::size_t t = 0; t < what.threads.size(); ++t) threads[t].join();
    end.registers = registers;
    // After every store, so there is one value to read.
    for (std::size_t l = 0; l < most_locations; ++l) end.memory[l] = load(&memory[l], __ATOMIC_RELAXED);
}

} // namespace ringproof::litmus::witness
