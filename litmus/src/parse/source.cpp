// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

namespace ringproof::litmus {

struct syntax_error::place {
    std::size_t line = 1;
    std::size_t column = 1;
    std::string text;  // the source line
    std::string caret; // tabs kept, so that the caret stands below its column on any terminal

    place(const source& where, std::size_t offset) {
        const std::string_view all = where.text;
        offset = std::min(offset, all.size());
        std::size_t begin = 0;
        for (std::size_t i = 0; i < offset; ++i)
            if (all[i] == '\n') ++line, begin = i + 1;
        column = offset - begin + 1;
        text = std::string(all.substr(begin, all.find('\n', begin) - begin));
        if (!text.empty() && text.back() == '\r') text.pop_back();
        for (std::size_t i = begin; i < offset; ++i) caret += all[i] == '\t' ? '\t' : ' ';
        // What a terminal would act on is shown as '?'.
        for (char& c : text)
            if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = '?';
    }
};

syntax_error::syntax_error(const source& where, const place& at, std::string_view message)
    : std::runtime_error(fmt::format("{}:{}:{}: {}\n  {}\n  {}^", where.file, at.line, at.column, message,
                                     at.text, at.caret)),
      line_(at.line), column_(at.column), message_(message) {}

syntax_error::syntax_error(const source& where, std::size_t offset, std::string_view message)
    : syntax_error(where, place(where, offset), message) {}

source read_source(const std::string& file) {
    if (file == "-") {
        std::ostringstream text;
        for (char c; text.tellp() <= static_cast<std::streamoff>(largest_file) && std::cin.get(c);)
            text.put(c);
        if (text.tellp() > static_cast<std::streamoff>(largest_file))
            throw std::runtime_error(
                fmt::format("standard input: larger than {} MiB: not supported", largest_file >> 20));
        return {"standard input", text.str()};
    }
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw std::runtime_error(fmt::format("{}: cannot read: it is a folder", file));
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(fmt::format("{}: cannot read: {}", file, std::strerror(errno)));
    std::ostringstream text;
    text << in.rdbuf();
    if (text.str().size() > largest_file)
        throw std::runtime_error(
            fmt::format("{}: larger than {} MiB: not supported", file, largest_file >> 20));
    return {file, text.str()};
}

} // namespace ringproof::litmus
