// SPDX-License-Identifier: Apache-2.0
// From return addresses to lines, by this process' debug information.

#include "program.hpp"

#include <elfutils/libdwfl.h>
#include <map>
#include <unistd.h>

namespace ringproof::opinions {
namespace {

Dwfl* debug_information() {
    static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr,
                                             nullptr};
    Dwfl* all = dwfl_begin(&callbacks);
    if (!all) return nullptr;
    dwfl_linux_proc_report(all, getpid());
    dwfl_report_end(all, nullptr, nullptr);
    return all;
}

std::string line_of(place where) {
    static Dwfl* const all = debug_information();
    Dwfl_Line* line = all ? dwfl_getsrc(all, where - 1) : nullptr; // the call, not what comes after it
    int number = 0;
    const char* file = line ? dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
    return file ? std::string(file) + ":" + std::to_string(number) : std::string();
}

} // namespace

const std::string& place_text(place where) {
    static std::map<place, std::string> known;
    const auto [at, fresh] = known.emplace(where, "");
    if (fresh) at->second = line_of(where);
    return at->second;
}

} // namespace ringproof::opinions
