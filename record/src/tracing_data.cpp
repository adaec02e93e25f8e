// SPDX-License-Identifier: Apache-2.0
#include "tracing_data.hpp"

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string_view>

#include <unistd.h>

namespace ringproof::record_command {
namespace {

using bytes = std::vector<std::byte>;

template <class T>
void value(bytes& to, const T& one) {
    const auto raw = std::as_bytes(std::span(&one, 1));
    to.insert(to.end(), raw.begin(), raw.end());
}

void text(bytes& to, std::string_view one) {
    const auto raw = std::as_bytes(std::span(one.data(), one.size()));
    to.insert(to.end(), raw.begin(), raw.end());
}

void text_with_end(bytes& to, std::string_view one) {
    text(to, one);
    to.push_back(std::byte{0});
}

/// A file of tracefs, wherever that is mounted; empty when it may not be read.
std::string traced(const std::string& path) {
    for (const char* root : {"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/"}) {
        std::ifstream file(root + path, std::ios::binary);
        if (file) return {std::istreambuf_iterator<char>(file), {}};
    }
    return {};
}

void sized_file(bytes& to, const std::string& path) {
    const std::string content = traced(path);
    value(to, std::uint64_t{content.size()});
    text(to, content);
}

} // namespace

std::vector<std::byte> tracing_data(const std::vector<std::string>& tracepoints) {
    if (traced("events/header_page").empty()) return {};
    std::map<std::string, std::vector<std::string>> by_system;
    for (const std::string& one : tracepoints) {
        const auto colon = one.find(':');
        const auto end = one.find(':', colon + 1); // modifiers
        by_system[one.substr(0, colon)].push_back(
            one.substr(colon + 1, end == std::string::npos ? end : end - colon - 1));
    }
    bytes result;
    text(result, "\x17\x08\x44tracing");
    text_with_end(result, "0.6");
    value(result, static_cast<std::uint8_t>(std::endian::native == std::endian::big));
    value(result, static_cast<std::uint8_t>(sizeof(long)));
    value(result, static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE)));
    for (const char* name : {"header_page", "header_event"}) {
        text_with_end(result, name);
        sized_file(result, std::string("events/") + name);
    }
    value(result, std::uint32_t{0}); // formats of ftrace's own events
    value(result, static_cast<std::uint32_t>(by_system.size()));
    for (const auto& [system, names] : by_system) {
        text_with_end(result, system);
        value(result, static_cast<std::uint32_t>(names.size()));
        for (const std::string& name : names) sized_file(result, "events/" + system + "/" + name + "/format");
    }
    value(result, std::uint32_t{0}); // kernel symbols
    value(result, std::uint32_t{0}); // formats of trace_printk
    value(result, std::uint64_t{0}); // names of commands
    return result;
}

} // namespace ringproof::record_command
