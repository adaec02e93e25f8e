// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/file.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace ringproof::command {
namespace {

[[noreturn]] void cannot_read(const std::string& path, int error) {
    throw file_error(fmt::format("{}: cannot read: {}", path, std::strerror(error)));
}

} // namespace

std::string read_text(const std::string& path) {
    // A device may have no end, and opening some does something.
    struct stat about {};
    if (stat(path.c_str(), &about) != 0) cannot_read(path, errno);
    if (S_ISDIR(about.st_mode)) cannot_read(path, EISDIR);
    if (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))
        throw file_error(fmt::format("{}: cannot read: this is a device, not a file", path));
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) cannot_read(path, errno);
    std::string text;
    std::array<char, 1 << 16> block;
    ssize_t got = 0;
    do {
        got = read(file, block.data(), block.size());
        if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
    } while (got > 0 || (got < 0 && errno == EINTR));
    const int error = errno;
    close(file);
    if (got < 0) cannot_read(path, error);
    return text;
}

void write_text(std::string_view text, const std::string& path) {
    if (path == "-") {
        errno = 0;
        if (!(std::cout << text << std::flush))
            throw file_error(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
        return;
    }
    std::error_code ignored;
    const auto there = std::filesystem::status(path, ignored);
    const bool in_place = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
    const std::string temporary = in_place ? path : fmt::format("{}.{}.tmp", path, getpid());
    const auto fail = [&](int error) {
        if (!in_place) std::remove(temporary.c_str());
        throw file_error(fmt::format("{}: cannot write: {}", path, std::strerror(error)));
    };
    std::FILE* file = std::fopen(temporary.c_str(), "wb");
    if (!file) fail(errno);
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int write_error = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written) fail(write_error);
    if (!closed) fail(errno);
    if (!in_place && std::rename(temporary.c_str(), path.c_str()) != 0) fail(errno);
}

} // namespace ringproof::command
