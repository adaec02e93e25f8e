// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/document.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

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

json make_document(std::string_view schema, const std::vector<std::string>& invocation) {
    return {{"schema", schema},
            {"tool", {{"name", "ringproof"}, {"version", RINGPROOF_VERSION}, {"commit", RINGPROOF_COMMIT}}},
            {"environment", environment()},
            {"invocation", invocation},
            {"results", json::array()}};
}

void write_document(const json& document, const std::string& path) {
    const std::string text = document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
    if (path == "-") {
        if (!(std::cout << text << std::flush))
            throw std::runtime_error("standard output: cannot write all of the document");
        return;
    }
    // A device or a pipe is written to; a file beside it must not take its place.
    std::error_code ignored;
    const auto there = std::filesystem::status(path, ignored);
    const bool in_place = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
    const std::string temporary = in_place ? path : fmt::format("{}.{}.tmp", path, getpid());
    const auto fail = [&](int error) {
        if (!in_place) std::remove(temporary.c_str());
        throw std::runtime_error(fmt::format("{}: cannot write: {}", path, std::strerror(error)));
    };
    std::FILE* file = std::fopen(temporary.c_str(), "w");
    if (!file) fail(errno);
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int write_error = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written) fail(write_error);
    if (!closed) fail(errno);
    if (!in_place && std::rename(temporary.c_str(), path.c_str()) != 0) fail(errno);
}

json read_document(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    std::ostringstream text;
    text << file.rdbuf();
    const std::string content = text.str();
    try {
        return json::parse(content);
    } catch (const json::parse_error& error) {
        const std::size_t end = error.byte > 0 ? std::min(error.byte - 1, content.size()) : 0;
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < end; ++i) content[i] == '\n' ? (++line, column = 1) : ++column;
        std::string what = error.what(); // "[json.exception…] parse error at line …: syntax error …"
        if (const auto colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
        throw std::runtime_error(fmt::format("{}:{}:{}: {}", path, line, column, what));
    }
}

} // namespace ringproof::command
