// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

namespace ringproof::verify::oracle {
namespace {

std::string name(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed:
        return "relaxed";
    case std::memory_order_consume:
        return "consume";
    case std::memory_order_acquire:
        return "acquire";
    case std::memory_order_release:
        return "release";
    case std::memory_order_acq_rel:
        return "acq_rel";
    case std::memory_order_seq_cst:
        return "seq_cst";
    }
    return "?";
}

std::string name(comparison how) {
    switch (how) {
    case comparison::equal:
        return "==";
    case comparison::not_equal:
        return "!=";
    case comparison::less:
        return "<";
    case comparison::greater:
        return ">";
    }
    return "?";
}

std::string name(const operand& what) {
    if (what.base == no_register) return std::to_string(what.constant);
    std::string text = "r" + std::to_string(what.base);
    if (what.constant > 0) text += " + " + std::to_string(what.constant);
    if (what.constant < 0) text += " - " + std::to_string(-what.constant);
    return text;
}

std::string bytes_of(const operation& what) {
    return what.size == 1 ? "b[" + std::to_string(what.location) + "]"
                          : "b[" + std::to_string(what.location) + ".." +
                                std::to_string(what.location + what.size - 1) + "]";
}

} // namespace

std::string to_string(const operation& what) {
    const std::string atomic = "x" + std::to_string(what.location);
    const std::string data = "d" + std::to_string(what.location);
    const std::string mutex = "m" + std::to_string(what.location);
    const std::string order = name(what.order);
    const std::string into = what.target == no_register ? "" : "r" + std::to_string(what.target) + " = ";
    switch (what.kind) {
    case operation_kind::load:
        return into + atomic + ".load(" + order + ")";
    case operation_kind::store:
        return atomic + ".store(" + name(what.value) + ", " + order + ")";
    case operation_kind::fetch_add:
        return into + atomic + ".fetch_add(" + name(what.value) + ", " + order + ")";
    case operation_kind::exchange:
        return into + atomic + ".exchange(" + name(what.value) + ", " + order + ")";
    case operation_kind::compare_exchange:
        return into + atomic + ".cas(" + name(what.expected) + " -> " + name(what.value) + ", " + order +
               ", " + name(what.failure) + ")";
    case operation_kind::fence:
        return "fence(" + order + ")";
    case operation_kind::await:
        return into + atomic + ".await(" + name(what.how) + " " + name(what.value) + ", " + order + ")";
    case operation_kind::plain_load:
        return into + data;
    case operation_kind::plain_store:
        return data + " = " + name(what.value);
    case operation_kind::lock:
        return mutex + ".lock()";
    case operation_kind::unlock:
        return mutex + ".unlock()";
    case operation_kind::skip_if:
        return "if (r" + std::to_string(what.subject) + " " + name(what.how) + " " + name(what.value) +
               ") skip " + std::to_string(what.skip);
    case operation_kind::counted_wait:
        return into + atomic + ".await(" + name(what.how) + " " + name(what.value) + ", " + order +
               ", rounds " + std::to_string(what.size) + ")";
    case operation_kind::bytes_load:
        return into + bytes_of(what);
    case operation_kind::bytes_store:
        return bytes_of(what) + " = " + name(what.value);
    case operation_kind::own_load:
        return into + "own";
    case operation_kind::own_store:
        return "own = " + name(what.value);
    case operation_kind::renew:
        return "renew own";
    }
    return "?";
}

bool waits(const program& what) {
    for (int thread = 0; thread < what.size; ++thread)
        for (int at = 0; at < what[thread].size; ++at)
            if (what[thread][at].kind == operation_kind::await ||
                what[thread][at].kind == operation_kind::counted_wait)
                return true;
    return false;
}

bool counts_rounds(const program& what) {
    for (int thread = 0; thread < what.size; ++thread)
        for (int at = 0; at < what[thread].size; ++at)
            if (what[thread][at].kind == operation_kind::counted_wait && what[thread][at].size > 1)
                return true;
    return false;
}

std::string to_string(const surroundings& what) {
    if (what == surroundings{}) return "";
    constexpr const char* places[] = {"stack", "heap", "mapped", "thread_local"};
    std::string text = "memory: " + std::string(places[static_cast<std::size_t>(what.shared)]) +
                       ", own: " + places[static_cast<std::size_t>(what.own)] + ", bytes of atomics:";
    for (const std::uint8_t width : what.width) text += " " + std::to_string(width == 0 ? 4 : width);
    return text + (what.sleeps ? ", waits sleep\n" : "\n");
}

std::string to_string(const program& what) {
    std::string text = to_string(what.within);
    for (int thread = 0; thread < what.size; ++thread) {
        text += "T" + std::to_string(thread) + ":";
        for (int at = 0; at < what[thread].size; ++at)
            text += (at == 0 ? " " : "; ") + to_string(what[thread][at]);
        text += "\n";
    }
    const handler_code& h = what.handler;
    if (h.thread < 0) return text;
    text += "interrupts T" + std::to_string(h.thread) + ", " + std::to_string(h.times) + " times, depth " +
            std::to_string(h.depth) + ":";
    for (int at = 0; at < h.code.size; ++at) text += (at == 0 ? " " : "; ") + to_string(h.code[at]);
    return text + "\n";
}

std::string to_string(const outcome& what, const program& of) {
    std::string text;
    std::array<bool, max_atomics> atomic_used{};
    std::array<bool, max_data> data_used{};
    bool bytes_used = false;
    for (int thread = 0; thread < of.size; ++thread) {
        std::array<bool, max_registers> shown{};
        for (int at = 0; at < of[thread].size; ++at) {
            const operation& step = of[thread][at];
            const auto location = static_cast<std::size_t>(step.location);
            switch (step.kind) {
            case operation_kind::plain_load:
            case operation_kind::plain_store:
                data_used[location] = true;
                break;
            case operation_kind::load:
            case operation_kind::store:
            case operation_kind::fetch_add:
            case operation_kind::exchange:
            case operation_kind::compare_exchange:
            case operation_kind::await:
            case operation_kind::counted_wait:
                atomic_used[location] = true;
                break;
            case operation_kind::bytes_load:
            case operation_kind::bytes_store:
                bytes_used = true;
                break;
            default:
                break;
            }
            if (step.target == no_register) continue;
            const auto target = static_cast<std::size_t>(step.target);
            if (shown[target]) continue;
            shown[target] = true;
            text += "T" + std::to_string(thread) + ":r" + std::to_string(step.target) + "=" +
                    std::to_string(what.registers[static_cast<std::size_t>(thread)][target]) + " ";
        }
    }
    for (std::size_t x = 0; x < atomic_used.size(); ++x)
        if (atomic_used[x]) text += "x" + std::to_string(x) + "=" + std::to_string(what.atomics[x]) + " ";
    for (std::size_t d = 0; d < data_used.size(); ++d)
        if (data_used[d]) text += "d" + std::to_string(d) + "=" + std::to_string(what.data[d]) + " ";
    if (bytes_used) {
        text += "b=";
        for (const std::uint8_t byte : what.bytes) text += std::to_string(byte) + ",";
        text.back() = ' ';
    }
    if (of.handler.thread >= 0) {
        text += "handler:";
        for (std::size_t r = handler_registers; r < max_registers; ++r)
            text += std::to_string(what.registers[static_cast<std::size_t>(of.handler.thread)][r]) + ",";
    }
    if (!text.empty()) text.pop_back();
    return text;
}

namespace write {
namespace {
void check(int index, int limit, const char* what) {
    if (index < 0 || index >= limit) throw std::out_of_range(std::string("oracle: no such ") + what);
}
operation access(operation_kind kind, int location, operand value, order how, int target) {
    check(location, max_atomics, "atomic location");
    if (target != no_register) check(target, max_registers, "register");
    operation made;
    made.kind = kind;
    made.location = location;
    made.value = value;
    made.order = how;
    made.target = target;
    return made;
}
operation on_mutex(operation_kind kind, int mutex) {
    check(mutex, max_mutexes, "mutex");
    return access(kind, mutex, 0, kind == operation_kind::lock ? acq : rel, no_register);
}
operation on_bytes(operation_kind kind, int first, int size, operand value, int target) {
    check(first, window_bytes, "byte");
    check(size - 1, window_bytes - first, "number of bytes");
    operation made = access(kind, 0, value, rlx, target);
    made.location = first;
    made.size = size;
    return made;
}
} // namespace

operation load(int location, order how, int target) {
    return access(operation_kind::load, location, 0, how, target);
}
operation store(int location, operand value, order how) {
    return access(operation_kind::store, location, value, how, no_register);
}
operation fetch_add(int location, operand value, order how, int target) {
    return access(operation_kind::fetch_add, location, value, how, target);
}
operation exchange(int location, operand value, order how, int target) {
    return access(operation_kind::exchange, location, value, how, target);
}
operation cas(int location, operand expected, operand desired, order success, order failure, int target) {
    operation made = access(operation_kind::compare_exchange, location, desired, success, target);
    made.expected = expected;
    made.failure = failure;
    return made;
}
operation fence(order how) { return access(operation_kind::fence, 0, 0, how, no_register); }
operation await(int location, operand value, order how, int target) {
    return await(location, comparison::equal, value, how, target);
}
operation await(int location, comparison until, operand value, order how, int target) {
    operation made = access(operation_kind::await, location, value, how, target);
    made.how = until;
    return made;
}
operation plain_load(int location, int target) {
    check(location, max_data, "data location");
    return access(operation_kind::plain_load, location, 0, rlx, target);
}
operation plain_store(int location, operand value) {
    check(location, max_data, "data location");
    return access(operation_kind::plain_store, location, value, rlx, no_register);
}
operation lock(int mutex) { return on_mutex(operation_kind::lock, mutex); }
operation unlock(int mutex) { return on_mutex(operation_kind::unlock, mutex); }
operation skip_if(int subject, comparison how, operand value, int count) {
    check(subject, max_registers, "register");
    operation made;
    made.kind = operation_kind::skip_if;
    made.subject = subject;
    made.how = how;
    made.value = value;
    made.skip = count;
    return made;
}
operation counted_wait(int location, comparison until, operand value, int rounds, order how, int target) {
    check(rounds - 1, 100, "number of rounds");
    operation made = access(operation_kind::counted_wait, location, value, how, target);
    made.how = until;
    made.size = rounds;
    return made;
}
operation bytes_load(int first, int size, int target) {
    return on_bytes(operation_kind::bytes_load, first, size, 0, target);
}
operation bytes_store(int first, int size, operand value) {
    return on_bytes(operation_kind::bytes_store, first, size, value, no_register);
}
operation own_load(int target) { return access(operation_kind::own_load, 0, 0, rlx, target); }
operation own_store(operand value) { return access(operation_kind::own_store, 0, value, rlx, no_register); }
operation renew() { return access(operation_kind::renew, 0, 0, rlx, no_register); }
} // namespace write
} // namespace ringproof::verify::oracle
