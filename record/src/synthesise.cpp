// SPDX-License-Identifier: Apache-2.0
#include "synthesise.hpp"

#include "sample_format.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/sysmacros.h>

namespace ringproof::record_command {
namespace {

namespace fs = std::filesystem;

class payload {
  public:
    template <class T>
    payload& value(const T& one) {
        const auto raw = std::as_bytes(std::span(&one, 1));
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
        return *this;
    }
    /// With its end, filled up to a multiple of 8.
    payload& text(const std::string& one) {
        const auto raw = std::as_bytes(std::span(one.data(), one.size()));
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
        bytes_.resize((bytes_.size() + 8) / 8 * 8);
        return *this;
    }
    /// As old as it gets, so that it comes before every sample.
    void write(data_file& file, std::uint32_t type, std::uint16_t misc) {
        value(record_trailer{});
        file.record(type, misc, bytes_);
    }

  private:
    std::vector<std::byte> bytes_;
};

std::string first_line(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

void write_mapping(data_file& file, pid_t process, const std::string& line) {
    unsigned long long begin = 0, end = 0, offset = 0, inode = 0;
    unsigned device_major = 0, device_minor = 0;
    char rights[5] = {};
    int name_at = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %4s %llx %x:%x %llu %n", &begin, &end, rights, &offset,
                    &device_major, &device_minor, &inode, &name_at) < 7 ||
        rights[2] != 'x' || name_at <= 0)
        return;
    std::string name = line.substr(std::min(line.size(), static_cast<std::size_t>(name_at)));
    if (name.empty()) name = "//anon";
    if (name.size() > 4000) return; // longer than a path can be
    const std::uint32_t protection =
        (rights[0] == 'r' ? PROT_READ : 0U) | (rights[1] == 'w' ? PROT_WRITE : 0U) | PROT_EXEC;
    payload()
        .value(static_cast<std::uint32_t>(process))
        .value(static_cast<std::uint32_t>(process))
        .value(std::uint64_t{begin})
        .value(std::uint64_t{end - begin})
        .value(std::uint64_t{offset})
        .value(static_cast<std::uint32_t>(device_major))
        .value(static_cast<std::uint32_t>(device_minor))
        .value(std::uint64_t{inode})
        .value(std::uint64_t{0}) // generation
        .value(protection)
        .value(static_cast<std::uint32_t>(rights[3] == 's' ? MAP_SHARED : MAP_PRIVATE))
        .text(name)
        .write(file, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
}

bool is_number(const std::string& name) {
    return !name.empty() &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

void write_kernel_part(data_file& file, std::uint64_t start, std::uint64_t size, std::uint64_t offset,
                       const std::string& name) {
    payload()
        .value(~std::uint32_t{0}) // no process
        .value(std::uint32_t{0})
        .value(start)
        .value(size)
        .value(offset)
        .text(name)
        .write(file, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
}

} // namespace

void synthesise_kernel(data_file& file) {
    std::ifstream symbols("/proc/kallsyms");
    std::uint64_t start = 0, end = 0;
    for (std::string line; std::getline(symbols, line) && (start == 0 || end == 0);) {
        unsigned long long address = 0;
        char kind = 0, name[64] = {};
        if (std::sscanf(line.c_str(), "%llx %c %63s", &address, &kind, name) != 3) continue;
        if (std::strcmp(name, "_text") == 0) start = address;
        if (std::strcmp(name, "_etext") == 0) end = address;
    }
    if (start == 0 || end <= start) return; // kernel.kptr_restrict
    // perf finds the symbol after the name at `offset`, and corrects what it reads elsewhere by the difference.
    write_kernel_part(file, start, end - start, start, "[kernel.kallsyms]_text");
    std::ifstream modules("/proc/modules");
    for (std::string line; std::getline(modules, line);) {
        unsigned long long size = 0, address = 0;
        char name[64] = {};
        if (std::sscanf(line.c_str(), "%63s %llu %*s %*s %*s %llx", name, &size, &address) == 3 &&
            address != 0)
            write_kernel_part(file, address, size, 0, fmt::format("[{}]", name));
    }
}

void synthesise_process(data_file& file, pid_t process) {
    const fs::path folder = fmt::format("/proc/{}", process);
    std::error_code gone;
    for (fs::directory_iterator at(folder / "task", gone), end; !gone && at != end; at.increment(gone)) {
        const std::string name = first_line(at->path() / "comm");
        if (name.empty()) continue;
        payload()
            .value(static_cast<std::uint32_t>(process))
            .value(static_cast<std::uint32_t>(std::stoul(at->path().filename().string())))
            .text(name)
            .write(file, PERF_RECORD_COMM, 0);
    }
    std::ifstream maps(folder / "maps");
    for (std::string line; std::getline(maps, line);) write_mapping(file, process, line);
}

void synthesise_all(data_file& file) {
    std::error_code gone;
    for (fs::directory_iterator at("/proc", gone), end; !gone && at != end; at.increment(gone))
        if (const std::string name = at->path().filename().string(); is_number(name))
            synthesise_process(file, static_cast<pid_t>(std::stol(name)));
}

} // namespace ringproof::record_command
