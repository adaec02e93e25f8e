// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tokens of the cat language, all read at once: the parser looks two ahead to tell a postfix star
// from a product.

#include "ast.hpp"

namespace ringproof::litmus::cat {

struct token {
    enum class kind { word, keyword, tag, string, sign, end };
    kind what = kind::end;
    std::string text;
    std::size_t offset = 0;

    /// Is it this keyword or sign?
    bool is(std::string_view t) const { return (what == kind::keyword || what == kind::sign) && text == t; }
};

class lexer {
  public:
    explicit lexer(const source& from);

    const token& now() const { return tokens_[at_]; }
    bool next_is(std::string_view t) const { return at_ + 1 < tokens_.size() && tokens_[at_ + 1].is(t); }
    /// After the token that stands here, is there something that an operand can begin with?
    bool operand_follows() const;
    token take();
    bool accept(std::string_view t);
    void expect(std::string_view t);
    [[noreturn]] void expected(std::string_view what) const;
    [[noreturn]] void fail(std::string_view message) const;
    const source& where() const { return from_; }

  private:
    const source& from_;
    std::vector<token> tokens_;
    std::size_t at_ = 0;
};

} // namespace ringproof::litmus::cat
