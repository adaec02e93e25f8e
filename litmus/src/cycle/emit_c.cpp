// SPDX-License-Identifier: Apache-2.0
#include "emit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ringproof::litmus::cycles {
namespace {

using kind = edge::kind;

bool is_plain(const dialect& d, const placed& p) {
    return d.marks[static_cast<std::size_t>(p.mark)].word == "Na";
}

std::string_view order_of(const dialect& d, int mark) {
    const std::string_view word = d.marks[static_cast<std::size_t>(mark)].word;
    if (word == "Acq") return "memory_order_acquire";
    if (word == "Rel") return "memory_order_release";
    return word == "Sc" ? "memory_order_seq_cst" : "memory_order_relaxed";
}

/// The order of a read-modify-write whose halves have these marks.
std::string_view order_of_both(const dialect& d, int read, int write) {
    if (order_of(d, read) == "memory_order_acquire" && order_of(d, write) == "memory_order_release")
        return "memory_order_acq_rel";
    return order_of(d, read == 0 ? write : read);
}

} // namespace

std::string emit_c_thread(const dialect& d, const cycle& c, thread_range r, int thread,
                          std::vector<std::string>& registers) {
    std::set<int> named;
    std::string parameters;
    for (std::size_t i = r.begin; i < r.end; ++i) {
        const int l = c.accesses[i].location;
        if (!named.insert(l).second) continue;
        const bool plain = std::all_of(c.accesses.begin(), c.accesses.end(),
                                       [&](const placed& p) { return p.location != l || is_plain(d, p); });
        parameters += fmt::format("{}{}* {}", parameters.empty() ? "" : ", ", plain ? "int" : "atomic_int",
                                  location_name(l));
    }
    std::string body, indent = "  ";
    int loads = 0;
    std::string last_register;
    const auto line = [&](const std::string& text) { body += indent + text + "\n"; };
    for (std::size_t i = r.begin; i < r.end; ++i) {
        const placed& p = c.accesses[i];
        const std::string x = location_name(p.location);
        const bool from_data = i > r.begin && c.accesses[i - 1].out.what == kind::data;
        const auto stored = [&](int value) {
            // The value depends on the load's, and is always the same.
            return from_data ? fmt::format("{} + ({} ^ {})", value, last_register, last_register)
                             : std::to_string(value);
        };
        if (p.what == access::read) {
            last_register = fmt::format("r{}", loads++);
            registers[i] = last_register;
            if (p.out.what == kind::rmw) {
                const placed& w = c.accesses[++i];
                line(fmt::format("int {} = atomic_exchange_explicit({}, {}, {});", last_register, x, w.value,
                                 order_of_both(d, p.mark, w.mark)));
            } else if (is_plain(d, p)) {
                line(fmt::format("int {} = *{};", last_register, x));
            } else {
                line(fmt::format("int {} = atomic_load_explicit({}, {});", last_register, x,
                                 order_of(d, p.mark)));
            }
        } else if (is_plain(d, p)) {
            line(fmt::format("*{} = {};", x, stored(p.value)));
        } else {
            line(fmt::format("atomic_store_explicit({}, {}, {});", x, stored(p.value), order_of(d, p.mark)));
        }
        const placed& last = c.accesses[i]; // of a read-modify-write, its store
        if (last.out.what == kind::fence)
            line(fmt::format("atomic_thread_fence({});",
                             d.fences[static_cast<std::size_t>(last.out.fence)].code));
        if (last.out.what == kind::ctrl) {
            line(fmt::format("if ({} == {}) {{", last_register, last.value));
            indent += "  ";
        }
    }
    while (indent.size() > 2) {
        indent.resize(indent.size() - 2);
        line("}");
    }
    return fmt::format("P{}({}) {{\n{}}}\n", thread, parameters, body);
}

} // namespace ringproof::litmus::cycles
