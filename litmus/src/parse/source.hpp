// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of a test file, and errors that point into it. Shared by every dialect: whatever parses
// a piece of the text keeps offsets into the whole, so that an error always knows its line.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ringproof::litmus {

struct source {
    std::string file; ///< as the user named it
    std::string text;
};

/// Bad input. what() is "FILE:LINE:COLUMN: MESSAGE", the source line, and a caret below the column.
class syntax_error : public std::runtime_error {
  public:
    syntax_error(const source& where, std::size_t offset, std::string_view message);
    std::size_t line() const { return line_; }
    std::size_t column() const { return column_; }
    const std::string& message() const { return message_; }

  private:
    struct place;
    syntax_error(const source& where, const place& at, std::string_view message);
    std::size_t line_;
    std::size_t column_;
    std::string message_;
};

constexpr std::size_t largest_file = std::size_t{16} << 20;

/// Reads the whole file. @throws std::runtime_error "FILE: cannot read: REASON"
source read_source(const std::string& file);

} // namespace ringproof::litmus
