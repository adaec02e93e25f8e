// SPDX-License-Identifier: Apache-2.0
#include "c_syntax.hpp"
#include "../parse/budget.hpp"
#include "c_macros.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace ringproof::litmus::c {
namespace {

using ekind = expression::kind;
using skind = statement::kind;

constexpr int deepest = 500;
/// How deep an expression may be: in `a + b + c` each operator is inside the next.
constexpr int deepest_expression = 1000;

/// Words that can only begin a type.
bool is_type(const std::string& word) {
    static const std::set<std::string> words{"int",     "long",       "short",  "char",  "unsigned",
                                             "signed",  "void",       "struct", "const", "volatile",
                                             "_Atomic", "atomic_int", "bool",   "mutex", "__int128"};
    return words.count(word) != 0 || (word.size() > 2 && word.compare(word.size() - 2, 2, "_t") == 0);
}

class parser {
  public:
    parser(const test& t, cell where, const macros* m) : from_(t.from), tokens_(tokens_of(t.from, where)) {
        if (m) tokens_ = m->expanded(t.from, std::move(tokens_));
    }

    function parse() {
        function f;
        expect("(");
        while (!accept(")")) {
            if (accept("void") && now().text == ")") continue;
            f.parameters.push_back(declared_name());
            if (accept("[")) { // `int x[2]`: the size is the initial state's affair
                if (now().is_number) take();
                expect("]");
            }
            if (now().text != ")") expect(",");
        }
        expect("{");
        while (!accept("}")) f.body.push_back(parse_statement());
        return f;
    }

  private:
    struct guard {
        explicit guard(parser& p) : depth(p.depth_) {
            if (++depth > deepest || stack_is_short()) p.fail("this is nested too deeply");
        }
        ~guard() { --depth; }
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        int& depth;
    };

    const token& now() const { return tokens_[at_]; }
    token take() {
        token t = now();
        if (at_ + 1 < tokens_.size()) ++at_;
        return t;
    }
    bool accept(std::string_view text) {
        if (now().text != text || now().text.empty()) return false;
        take();
        return true;
    }
    void expect(std::string_view text) {
        if (!accept(text)) expected(fmt::format("'{}'", text));
    }
    [[noreturn]] void expected(std::string_view what) const {
        fail(now().text.empty() ? fmt::format("expected {}, found the end", what)
                                : fmt::format("expected {}, found '{}'", what, now().text));
    }
    [[noreturn]] void fail(std::string_view message) const {
        throw syntax_error(from_, now().offset, message);
    }

    /// A type, stars, and the name declared; the type says nothing that matters.
    std::string declared_name() {
        bool any = false;
        while (now().is_word && (is_type(now().text) || !any)) {
            // `struct foo`: the tag is part of the type; else the first word that is no type word
            // is the name.
            if (!is_type(now().text)) break;
            if (take().text == "struct") take();
            any = true;
        }
        while (accept("*") || accept("const") || accept("volatile")) {
        }
        if (!now().is_word) expected("a name");
        return take().text;
    }

    std::vector<statement> body_of() {
        std::vector<statement> body;
        if (!accept("{")) {
            body.push_back(parse_statement());
            return body;
        }
        while (!accept("}")) body.push_back(parse_statement());
        return body;
    }

    statement parse_statement() {
        const guard deeper(*this);
        statement s;
        s.offset = now().offset;
        if (now().text.empty()) expected("a statement or '}'");
        if (accept(";")) return s;
        if (now().text == "{") {
            s.what = skind::block;
            s.body = body_of();
            return s;
        }
        if (accept("if")) {
            s.what = skind::branch;
            expect("(");
            s.right = parse_expression();
            expect(")");
            s.body = body_of();
            if (accept("else")) s.otherwise = body_of();
            return s;
        }
        if (accept("while")) {
            s.what = skind::loop;
            expect("(");
            s.right = parse_expression();
            expect(")");
            s.body = body_of();
            return s;
        }
        for (const char* word : {"for", "do", "switch", "goto", "return", "break", "continue"})
            if (now().is_word && now().text == word)
                fail(fmt::format("the statement '{}' is not supported", word));
        if (now().is_word && is_type(now().text)) {
            s.what = skind::block;
            const std::size_t first = at_;
            for (bool more = true; more;) {
                statement one;
                one.what = skind::declare;
                one.offset = now().offset;
                if (at_ == first) {
                    one.name = declared_name();
                } else {
                    while (accept("*")) {
                    }
                    if (!now().is_word) expected("a name");
                    one.name = take().text;
                }
                if (now().text == "[") fail("arrays are not supported");
                if (accept("=")) one.right = parse_expression();
                s.body.push_back(std::move(one));
                more = accept(",");
            }
            expect(";");
            return s;
        }
        s.right = parse_expression();
        s.what = skind::evaluate;
        if (accept("=")) {
            s.what = skind::assign;
            s.left = std::move(s.right);
            if (s.left->what != ekind::name && s.left->what != ekind::dereference)
                throw syntax_error(from_, s.left->offset, "this cannot be assigned to");
            s.right = parse_expression();
        }
        expect(";");
        return s;
    }

    expression_ptr make(ekind what, std::size_t offset) const {
        auto e = std::make_unique<expression>();
        e->what = what;
        e->offset = offset;
        return e;
    }

    void add(expression& e, expression_ptr part) const {
        e.depth = std::max(e.depth, part->depth + 1);
        if (e.depth > deepest_expression)
            throw syntax_error(
                from_, e.offset,
                fmt::format("this expression is too deep: more than {} operators inside each other",
                            deepest_expression));
        e.parts.push_back(std::move(part));
    }

    expression_ptr parse_expression() {
        const guard deeper(*this);
        expression_ptr condition = binary(0);
        if (now().text != "?") return condition;
        expression_ptr e = make(ekind::conditional, take().offset);
        add(*e, std::move(condition));
        add(*e, parse_expression());
        expect(":");
        add(*e, parse_expression());
        return e;
    }

    static int level_of(const std::string& sign) {
        static const std::array<std::set<std::string>, 10> levels{{{"||"},
                                                                   {"&&"},
                                                                   {"|"},
                                                                   {"^"},
                                                                   {"&"},
                                                                   {"==", "!="},
                                                                   {"<", ">", "<=", ">="},
                                                                   {"<<", ">>"},
                                                                   {"+", "-"},
                                                                   {"*", "/", "%"}}};
        for (std::size_t i = 0; i < levels.size(); ++i)
            if (levels[i].count(sign)) return static_cast<int>(i);
        return -1;
    }

    expression_ptr binary(int level) {
        if (level == 10) return unary();
        expression_ptr left = binary(level + 1);
        while (!now().is_word && level_of(now().text) == level) {
            expression_ptr e = make(ekind::binary, now().offset);
            e->text = take().text;
            add(*e, std::move(left));
            add(*e, binary(level + 1));
            left = std::move(e);
        }
        return left;
    }

    expression_ptr unary() {
        const guard deeper(*this);
        const std::string sign = now().text;
        if (sign == "*" || sign == "&" || sign == "!" || sign == "-" || sign == "~" || sign == "+") {
            expression_ptr e = make(sign == "*"   ? ekind::dereference
                                    : sign == "&" ? ekind::address
                                                  : ekind::unary,
                                    take().offset);
            e->text = sign;
            add(*e, unary());
            return e;
        }
        return primary();
    }

    expression_ptr primary() {
        const token t = now();
        if (accept("(")) {
            if (now().is_word && is_type(now().text)) { // a cast, which changes nothing here
                while (!now().text.empty() && now().text != ")") take();
                expect(")");
                return unary();
            }
            expression_ptr e = parse_expression();
            expect(")");
            return e;
        }
        if (t.is_number) {
            expression_ptr e = make(ekind::number, t.offset);
            std::string digits = take().text;
            while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'U' || digits.back() == 'l' ||
                                       digits.back() == 'L'))
                digits.pop_back();
            const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
            const char* begin = digits.data() + (hex ? 2 : 0);
            const char* end = digits.data() + digits.size();
            const auto [stop, error] = std::from_chars(begin, end, e->number, hex ? 16 : 10);
            if (error != std::errc() || stop != end)
                throw syntax_error(from_, t.offset, fmt::format("'{}' is no number", t.text));
            return e;
        }
        if (!t.is_word) expected("an expression");
        expression_ptr e = make(ekind::name, t.offset);
        e->text = take().text;
        if (e->text.starts_with("__") && accept("{")) parse_tag(*e);
        if (accept("(")) {
            e->what = ekind::call;
            while (!accept(")")) {
                add(*e, is_operator_argument() ? operator_argument() : parse_expression());
                if (now().text != ")") expect(",");
            }
        }
        return elements(std::move(e));
    }

    /// What is behind a name: `[i][j]`, or nothing.
    expression_ptr elements(expression_ptr e) {
        while (now().text == "[") e = element(std::move(e));
        if (now().text == "->" || now().text == ".") fail("structures are not supported");
        return e;
    }

    /// `x[i]` is `*(x+i)`.
    expression_ptr element(expression_ptr array) {
        const std::size_t offset = now().offset;
        expect("[");
        expression_ptr sum = make(ekind::binary, offset), e = make(ekind::dereference, offset);
        sum->text = "+";
        e->text = "*";
        add(*sum, std::move(array));
        add(*sum, parse_expression());
        add(*e, std::move(sum));
        expect("]");
        return e;
    }

    /// `__fence{mb}`, `__load{once}(x)`: what herd7's macros are made of. A tag may contain '-'.
    void parse_tag(expression& e) {
        e.what = ekind::call;
        while (!accept("}")) {
            if (now().text.empty()) expected("'}'");
            e.tag += take().text;
        }
    }

    /// `__atomic_op(x,+,1)`
    bool is_operator_argument() const {
        static constexpr std::array<std::string_view, 5> signs{"+", "-", "&", "|", "^"};
        return at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "," &&
               std::find(signs.begin(), signs.end(), now().text) != signs.end();
    }
    expression_ptr operator_argument() {
        expression_ptr e = make(ekind::name, now().offset);
        e->text = take().text;
        return e;
    }

    const source& from_;
    std::vector<token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

} // namespace

function parse_function(const test& t, cell where, const macros* m) { return parser(t, where, m).parse(); }

} // namespace ringproof::litmus::c
