// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a stretch of a source, skipping blanks and (* comments *). Every parser here is recursive
// descent over one of these; the characters are few enough that a separate token stream would only
// be in the way.

#include "source.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ringproof::litmus {

class scanner {
  public:
    explicit scanner(const source& where) : scanner(where, 0, where.text.size()) {}
    scanner(const source& where, std::size_t begin, std::size_t end)
        : where_(&where), offset_(begin), end_(end) {}

    std::size_t offset() const { return offset_; }
    void seek(std::size_t offset) { offset_ = offset; }
    const source& where() const { return *where_; }
    /// From here on C's comments are skipped as well.
    void skip_c_comments() { c_comments_ = true; }

    /// Skips blanks and comments, then says whether nothing is left.
    bool at_end();
    /// The next character that is neither blank nor comment, '\0' at the end.
    char peek();
    /// Does `text` stand next? (No word boundary is asked for.)
    bool looking_at(std::string_view text);
    /// Takes `text` if it stands next.
    bool accept(std::string_view text);
    /// Takes the word `text` if it stands next as a whole word.
    bool accept_word(std::string_view text);
    void expect(std::string_view text, std::string_view in_words);
    /// A letter or '_' then letters, digits, '_', '.' and '$'; empty if none stands next.
    std::string_view identifier();
    bool at_number();
    /// Decimal or 0x hexadecimal with an optional sign.
    std::int64_t number(std::string_view in_words);
    /// The rest of the line, without leading and trailing blanks; comments are not skipped in it.
    std::string_view rest_of_line();

    /// @throws syntax_error at the next character: "expected WHAT, found …"
    [[noreturn]] void expected(std::string_view what);
    [[noreturn]] void fail(std::size_t offset, std::string_view message) const;

  private:
    std::string_view left() const { return std::string_view(where_->text).substr(offset_, end_ - offset_); }
    void skip();

    const source* where_;
    std::size_t offset_;
    std::size_t end_;
    bool c_comments_ = false;
};

} // namespace ringproof::litmus
