// SPDX-License-Identifier: Apache-2.0
#include "c_program.hpp"

#include <stdexcept>

namespace ringproof::verify::oracle {
namespace {

std::string text(std::memory_order order) {
    constexpr const char* names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
    return std::string("memory_order_") + names[static_cast<int>(order)];
}

std::string text(comparison how) {
    constexpr const char* names[] = {" == ", " != ", " < ", " > "};
    return names[static_cast<int>(how)];
}

std::string text(const operand& what) {
    const std::string constant = std::to_string(what.constant);
    return what.base == no_register ? constant : "r" + std::to_string(what.base) + " + " + constant;
}

std::string statement(const operation& step) {
    const std::string number = std::to_string(step.location), x = "&x" + number;
    const std::string into = step.target == no_register ? "" : "r" + std::to_string(step.target) + " = ";
    const std::string order = ", " + text(step.order) + ")";
    switch (step.kind) {
    case operation_kind::load:
        return into + "atomic_load_explicit(" + x + order + ";";
    case operation_kind::store:
        return "atomic_store_explicit(" + x + ", " + text(step.value) + order + ";";
    case operation_kind::fetch_add:
        return into + "atomic_fetch_add_explicit(" + x + ", " + text(step.value) + order + ";";
    case operation_kind::exchange:
        return into + "atomic_exchange_explicit(" + x + ", " + text(step.value) + order + ";";
    case operation_kind::compare_exchange:
        return "{ int seen = " + text(step.expected) + "; atomic_compare_exchange_strong_explicit(" + x +
               ", &seen, " + text(step.value) + ", " + text(step.order) + ", " + text(step.failure) + "); " +
               into + "seen; }";
    case operation_kind::fence:
        return "atomic_thread_fence(" + text(step.order) + ");";
    case operation_kind::await:
        return "{ int seen; while (!((seen = atomic_load_explicit(" + x + order + ")" + text(step.how) +
               text(step.value) + ")) sched_yield(); " + into + "seen; }";
    case operation_kind::counted_wait:
        return "{ int seen = 0; for (int i = 0; i < " + std::to_string(step.size) +
               "; ++i) { if ((seen = atomic_load_explicit(" + x + order + ")" + text(step.how) +
               text(step.value) + ") break; sched_yield(); } " + into + "seen; }";
    case operation_kind::plain_load:
        return into + "d" + number + ";";
    case operation_kind::plain_store:
        return "d" + number + " = " + text(step.value) + ";";
    case operation_kind::lock:
        return "pthread_mutex_lock(&m" + number + ");";
    case operation_kind::unlock:
        return "pthread_mutex_unlock(&m" + number + ");";
    default:
        throw std::invalid_argument("oracle: no C for " + to_string(step));
    }
}

std::string block(const thread_code& code, int from, int to, const std::string& indent) {
    std::string all;
    for (int at = from; at < to; ++at) {
        const operation& step = code[at];
        if (step.kind != operation_kind::skip_if) {
            all += indent + statement(step) + "\n";
            continue;
        }
        all += indent + "if (!(r" + std::to_string(step.subject) + text(step.how) + text(step.value) +
               ")) {\n" + block(code, at + 1, at + 1 + step.skip, indent + "    ") + indent + "}\n";
        at += step.skip;
    }
    return all;
}

} // namespace

std::string to_c(const program& what, const condition& fails) {
    if (what.handler.thread >= 0) throw std::invalid_argument("oracle: no C for a handler");
    std::string all = "#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n\n";
    // Not static: compilers leave out a static variable that the program never reads, and its races.
    for (int x = 0; x < max_atomics; ++x) all += "atomic_int x" + std::to_string(x) + ";\n";
    for (int d = 0; d < max_data; ++d) all += "int d" + std::to_string(d) + ";\n";
    for (int m = 0; m < max_mutexes; ++m)
        all += "pthread_mutex_t m" + std::to_string(m) + " = PTHREAD_MUTEX_INITIALIZER;\n";
    all += "int last[" + std::to_string(max_threads) + "];\n\n";
    std::string started, joined;
    for (int t = 0; t < what.size; ++t) {
        const std::string number = std::to_string(t);
        all += "static void* thread" + number + "(void* unused) {\n    int";
        for (int r = 0; r < max_registers; ++r) all += (r == 0 ? " r" : ", r") + std::to_string(r) + " = 0";
        all += ";\n" + block(what[t], 0, what[t].size, "    ");
        if (t == fails.thread) all += "    last[" + number + "] = r" + std::to_string(fails.which) + ";\n";
        // What a thread returns is nobody's failure.
        all += "    return &last[0];\n}\n";
        started += "    pthread_create(&threads[" + number + "], 0, thread" + number + ", 0);\n";
        joined += "    pthread_join(threads[" + number + "], 0);\n";
    }
    return all + "int main(void) {\n    pthread_t threads[" + std::to_string(max_threads) + "];\n" + started +
           joined + "    return last[" + std::to_string(fails.thread) +
           "] == " + std::to_string(fails.value) + " ? " + std::to_string(fails.code) + " : 0;\n}\n";
}

} // namespace ringproof::verify::oracle
