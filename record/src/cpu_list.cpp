// SPDX-License-Identifier: Apache-2.0
#include "cpu_list.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace ringproof::record_command {
namespace {

constexpr int most = 1 << 16; // far beyond any machine: a range is a slip of the finger

int number(std::string_view all, std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value >= most)
        throw std::invalid_argument(fmt::format("CPU list '{}': '{}' is no CPU", all, text));
    return value;
}

} // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
    std::set<int> result;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        const std::string_view part = text.substr(at, end - at);
        const auto dash = part.find('-');
        const int first = number(text, part.substr(0, dash));
        const int last = dash == std::string_view::npos ? first : number(text, part.substr(dash + 1));
        if (last < first)
            throw std::invalid_argument(fmt::format("CPU list '{}': '{}' is empty", text, part));
        for (int cpu = first; cpu <= last; ++cpu) result.insert(cpu);
        at = end + 1;
    }
    return {result.begin(), result.end()};
}

std::vector<int> online_cpus() {
    std::ifstream file("/sys/devices/system/cpu/online");
    std::string text;
    if (std::getline(file, text)) return parse_cpu_list(text);
    std::vector<int> result;
    for (int cpu = 0; cpu < ::sysconf(_SC_NPROCESSORS_ONLN); ++cpu) result.push_back(cpu);
    return result;
}

} // namespace ringproof::record_command
