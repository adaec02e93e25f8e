// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/document.hpp>
#include <ringproof/command/file.hpp>

#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <sys/utsname.h>
#include <thread>

namespace ringproof::command {
namespace {

/// The value behind `key` in /proc/cpuinfo, or "unknown".
std::string cpuinfo(std::string_view key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "unknown";
}

bool under_hypervisor() { return (" " + cpuinfo("flags") + " ").find(" hypervisor ") != std::string::npos; }

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm tm{};
    gmtime_r(&now, &tm);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return text;
}

json environment() {
    utsname name{};
    uname(&name);
    return {{"date", utc_now()},
            {"system", fmt::format("{} {}", name.sysname, name.release)},
            {"machine", name.machine},
            {"cpu", cpuinfo("model name")},
            {"cpus", std::thread::hardware_concurrency()},
            {"hypervisor", under_hypervisor()},
#ifdef __clang__
            {"compiler", fmt::format("clang {}", __clang_version__)}
#else
            {"compiler", fmt::format("g++ {}", __VERSION__)}
#endif
    };
}

} // namespace

std::string_view version() { return RINGPROOF_VERSION; }
std::string version_line() {
    constexpr std::string_view commit = RINGPROOF_COMMIT;
    return fmt::format("ringproof {}{}", version(), commit == "unknown" ? "" : fmt::format(" ({})", commit));
}

json make_document(std::string_view schema, const std::vector<std::string>& invocation) {
    return {{"schema", schema},
            {"tool", {{"name", "ringproof"}, {"version", RINGPROOF_VERSION}, {"commit", RINGPROOF_COMMIT}}},
            {"environment", environment()},
            {"invocation", invocation},
            {"results", json::array()}};
}

void write_document(const json& document, const std::string& path) {
    write_text(document.dump(1, ' ', false, json::error_handler_t::replace) + "\n", path);
}

json read_document(const std::string& path) {
    const std::string content = read_text(path);
    try {
        return json::parse(content);
    } catch (const json::parse_error& error) {
        const std::size_t end = error.byte > 0 ? std::min(error.byte - 1, content.size()) : 0;
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < end; ++i) content[i] == '\n' ? (++line, column = 1) : ++column;
        std::string what = error.what(); // "[json.exception…] parse error at line …: syntax error …"
        if (const auto colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
        throw file_error(fmt::format("{}:{}:{}: {}", path, line, column, what));
    }
}

} // namespace ringproof::command
