// SPDX-License-Identifier: Apache-2.0
#include "event_name.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace ringproof::record_command {
namespace {

struct entry {
    std::string_view name;
    std::uint32_t type;
    std::uint64_t config;
};

constexpr entry table[] = {
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};

/// The number under which the kernel knows a tracepoint.
std::uint64_t tracepoint(std::string_view group, std::string_view name) {
    int why = ENOENT;
    for (const char* root : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
        const std::string path = fmt::format("{}/events/{}/{}/id", root, group, name);
        errno = 0;
        std::ifstream file(path);
        std::uint64_t id = 0;
        if (file >> id) return id;
        if (errno == EACCES || errno == EPERM) why = EACCES;
    }
    if (why == EACCES)
        throw std::system_error(
            why, std::generic_category(),
            fmt::format("tracepoint {}:{}: /sys/kernel/tracing may not be read; `mount -o "
                        "remount,mode=755 /sys/kernel/tracing` as root allows it",
                        group, name));
    throw std::invalid_argument(
        fmt::format("no tracepoint '{0}:{1}': there is no events/{0}/{1} in /sys/kernel/tracing (is tracefs "
                    "mounted? `mount -t tracefs tracefs /sys/kernel/tracing`)",
                    group, name));
}

void apply_modifiers(std::string_view text, std::string_view modifiers, perf_event_attr& attr) {
    if (modifiers.empty())
        throw std::invalid_argument(fmt::format("event '{}': nothing after the colon", text));
    attr.exclude_user = attr.exclude_kernel = attr.exclude_hv = 1;
    for (const char one : modifiers) switch (one) {
        case 'u':
            attr.exclude_user = 0;
            break;
        case 'k':
            attr.exclude_kernel = 0;
            break;
        case 'h':
            attr.exclude_hv = 0;
            break;
        default:
            throw std::invalid_argument(
                fmt::format("event '{}': no modifier '{}'; there are u, k and h", text, one));
        }
}

} // namespace

named_event parse_event(std::string_view text) {
    named_event result{std::string(text), {}};
    result.attr.size = attribute_size;
    const auto colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const auto* const found =
        std::find_if(std::begin(table), std::end(table), [&](const entry& one) { return one.name == name; });
    if (found != std::end(table)) {
        result.attr.type = found->type;
        result.attr.config = found->config;
        if (colon != std::string_view::npos) apply_modifiers(text, text.substr(colon + 1), result.attr);
        return result;
    }
    if (colon == std::string_view::npos || name.empty())
        throw std::invalid_argument(
            fmt::format("no event '{}'; `ringproof record --list` shows the names, and tracepoints are "
                        "GROUP:NAME",
                        text));
    const std::string_view rest = text.substr(colon + 1);
    const auto second = rest.find(':');
    result.attr.type = PERF_TYPE_TRACEPOINT;
    result.attr.config = tracepoint(name, rest.substr(0, second));
    if (second != std::string_view::npos) apply_modifiers(text, rest.substr(second + 1), result.attr);
    return result;
}

std::vector<named_event> parse_events(std::string_view text) {
    std::vector<named_event> result;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        result.push_back(parse_event(text.substr(at, end - at)));
        at = end + 1;
    }
    return result;
}

std::vector<std::string_view> known_events() {
    std::vector<std::string_view> result;
    for (const entry& one : table) result.push_back(one.name);
    return result;
}

} // namespace ringproof::record_command
