// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

namespace ringproof::verify::loops {
namespace {

std::string text(const operand& what) {
    if (what.base == no_register) return std::to_string(what.constant);
    const std::string name = "r" + std::to_string(what.base);
    if (what.constant == 0) return name;
    return name + (what.constant < 0 ? " - " : " + ") +
           std::to_string(what.constant < 0 ? -what.constant : what.constant);
}

std::string text(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed:
        return "relaxed";
    case std::memory_order_consume:
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

std::string text(const instruction& what) {
    constexpr const char* comparisons[] = {" == ", " != ", " < ", " > "};
    const std::string location = "x" + std::to_string(what.location);
    const std::string cell = "own[" + std::to_string(what.location) + "]";
    const std::string target =
        what.target == no_register ? std::string() : "r" + std::to_string(what.target) + " = ";
    const std::string order = text(what.order);
    const std::string condition =
        text(what.left) + comparisons[static_cast<int>(what.how)] + text(what.value);
    switch (what.what) {
    case op::load:
        return target + location + ".load(" + order + ")";
    case op::store:
        return location + ".store(" + text(what.value) + ", " + order + ")";
    case op::add:
        return target + location + ".fetch_add(" + text(what.value) + ", " + order + ")";
    case op::exchange:
        return target + location + ".exchange(" + text(what.value) + ", " + order + ")";
    case op::compare:
        return target + location + ".compare_exchange(r" + std::to_string(what.expected) + ", " +
               text(what.value) + ", " + order + ", " + text(what.failure) + ")";
    case op::fence:
        return "fence(" + order + ")";
    case op::cell_load:
        return target + "cell[" + text(what.value) + "]";
    case op::cell_store:
        return "cell = " + text(what.value);
    case op::put:
        return cell + " = " + text(what.value);
    case op::get:
        return target + cell;
    case op::set:
        return target + text(what.value);
    case op::yield:
        return "yield";
    case op::sleep:
        return "sleep";
    case op::fail:
        return "fail";
    case op::set_rounding:
        return "rounding mode = " + text(what.value);
    case op::get_rounding:
        return target + "rounding mode";
    case op::divide:
        return "divide";
    case op::clear_flags:
        return "clear flags";
    case op::get_flag:
        return target + "inexact";
    case op::number_set:
        return "number = half of " + text(what.value);
    case op::number_add:
        return "number += half of " + text(what.value);
    case op::number_get:
        return target + "number, rounded";
    case op::obtain:
        return "obtain page";
    case op::give_back:
        return "give page back";
    case op::page_put:
        return "page[" + std::to_string(what.location) + "] = " + text(what.value);
    case op::page_get:
        return target + "page[" + std::to_string(what.location) + "]";
    case op::loop:
        return "loop";
    case op::break_if:
        return "break if " + condition;
    case op::when:
        return "if " + condition;
    case op::end:
        return "end";
    }
    return "?";
}

} // namespace

std::string to_string(const program& what) {
    constexpr const char* places[] = {"heap", "own stack", "another thread's stack", "a mapped page",
                                      "thread_local memory"};
    std::string all = "own[] on " + std::string(places[static_cast<std::size_t>(what.private_memory)]) +
                      (what.maps_pages ? ", pages from mmap" : "") +
                      (what.prints ? ", written by a library\n" : "\n");
    for (int thread = 0; thread < what.size; ++thread) {
        all += "T" + std::to_string(thread) + ":\n";
        std::size_t depth = 1;
        for (int at = 0; at < what[thread].size; ++at) {
            const instruction& each = what[thread][at];
            if (each.what == op::end) --depth;
            all += std::string(4 * depth, ' ') + text(each) + "\n";
            if (each.what == op::loop || each.what == op::when) ++depth;
        }
    }
    return all;
}

std::string to_string(const outcome& what, const program& of) {
    std::string all;
    for (int thread = 0; thread < of.size; ++thread)
        for (int r = 0; r < max_registers; ++r)
            if ((of[thread].reported >> r & 1u) != 0)
                all += "T" + std::to_string(thread) + ":r" + std::to_string(r) + "=" +
                       std::to_string(
                           what.reported[static_cast<std::size_t>(thread)][static_cast<std::size_t>(r)]) +
                       " ";
    for (std::size_t x = 0; x < what.locations.size(); ++x)
        all += "x" + std::to_string(x) + "=" + std::to_string(what.locations[x]) + " ";
    return all;
}

} // namespace ringproof::verify::loops
