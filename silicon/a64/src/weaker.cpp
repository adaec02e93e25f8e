// SPDX-License-Identifier: Apache-2.0
#include "weaker.hpp"

#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

/// B and H of bytes and half words.
std::string size_of(const instruction& i) { return i.bytes == 1 ? "b" : i.bytes == 2 ? "h" : ""; }

std::string name_of_barrier(const barrier& b) {
    if (b.instructions) return "isb";
    if (b.write_read) return "dmb ish";
    if (b.read_read) return "dmb ishld";
    return b.write_write ? "dmb ishst" : "no barrier";
}

std::string name_of_exchange(const instruction& i) {
    static const char* const names[] = {"swp",    "ldadd",  "ldclr",  "ldeor",  "ldset",
                                        "ldsmax", "ldsmin", "ldumax", "ldumin", "cas"};
    return fmt::format("{}{}{}{}{}", names[static_cast<unsigned>(i.does)], i.count == 2 ? "p" : "",
                       i.acquire ? "a" : "", i.release ? "l" : "", size_of(i));
}

std::vector<instruction> weaker_barriers(const instruction& i) {
    std::vector<instruction> all(1, i);
    all[0].fence = {};
    if (!i.fence.write_read) return all;
    all.resize(3, i);
    all[1].fence = {false, false, false, true, false};
    all[2].fence = {true, true, false, false, false};
    return all;
}

std::vector<instruction> weaker_accesses(const instruction& i) {
    instruction plain = i;
    plain.acquire = plain.acquire_pc = plain.release = false;
    std::vector<instruction> all(1, plain);
    if (i.what == kind::load && i.acquire && !i.exclusive) {
        all.push_back(plain);
        all.back().acquire_pc = true;
    }
    if (i.acquire && i.release) {
        all.resize(3, plain);
        all[1].acquire = all[2].release = true;
    }
    return all;
}

} // namespace

std::string name_of_any(const instruction& i) {
    const char* const exclusive = i.exclusive ? "x" : "";
    const char* const register_or_pair = i.count == 2 ? "p" : "r";
    switch (i.what) {
    case kind::barrier:
        return name_of_barrier(i.fence);
    case kind::exchange:
        return name_of_exchange(i);
    case kind::load:
        return fmt::format("ld{}{}{}{}",
                           i.acquire      ? "a"
                           : i.acquire_pc ? "ap"
                                          : "",
                           exclusive, register_or_pair, size_of(i));
    default:
        return fmt::format("st{}{}{}{}", i.release ? "l" : "", exclusive, register_or_pair, size_of(i));
    }
}

std::string name_of(const instruction& i) {
    const bool orders = i.what == kind::barrier || i.acquire || i.acquire_pc || i.release;
    return orders ? name_of_any(i) : "";
}

std::vector<weaker_instruction> weaker_forms(const instruction& i) {
    std::vector<weaker_instruction> forms;
    if (name_of(i).empty()) return forms;
    for (const instruction& w : i.what == kind::barrier ? weaker_barriers(i) : weaker_accesses(i))
        forms.push_back({name_of_any(w), w});
    return forms;
}

} // namespace ringproof::silicon::a64
