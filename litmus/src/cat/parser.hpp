// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parser of models: instructions are read in parser.cpp, expressions in expression_parser.cpp.

#include "../parse/budget.hpp"
#include "lexer.hpp"

namespace ringproof::litmus::cat::parsing {

using ekind = expression::kind;
using ikind = instruction::kind;

/// How deep an expression may be. Sums and chains count: each operator is inside the one before it.
constexpr int deepest = 1000;
/// How often the parser may call itself: several times for each level of an expression.
constexpr int deepest_call = 2000;

inline std::shared_ptr<expression> make(ekind what, std::size_t offset) {
    auto e = std::make_shared<expression>();
    e->what = what;
    e->offset = offset;
    return e;
}

class parser {
  public:
    explicit parser(const source& from) : in_(from) {}

    void parse(model_text& m);

  private:
    struct guard {
        explicit guard(parser& p) : depth(p.depth_) {
            if (++depth > deepest_call || stack_is_short()) p.in_.fail("this is nested too deeply");
        }
        ~guard() { --depth; }
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        int& depth;
    };
    std::string name(const char* what);
    /// Makes `part` a part of `e`, whose tree may only become so deep.
    void add(expression& e, expression_ptr part) const;
    void deepen(expression& e, const expression& part) const;

    std::string optional_name() { return in_.accept("as") ? name("a name after 'as'") : std::string(); }

    instruction top();
    std::string tag();
    instruction begin(ikind what);
    std::vector<instruction> block(std::initializer_list<const char*> stops);
    instruction parse_instruction();
    instruction parse_check();
    pattern parse_pattern();
    std::vector<binding> parse_bindings();
    variant_test parse_variant();
    variant_test variant_chain(const char* sign, variant_test::kind what, variant_test (parser::*tighter)());
    variant_test variant_and();
    variant_test variant_one();
    expression_ptr parse_expression();
    expression_ptr parse_if();
    expression_ptr parse_match();
    expression_ptr binary(ekind what, std::size_t offset, expression_ptr a, expression_ptr b);
    expression_ptr right_group(ekind what, const char* sign, expression_ptr (parser::*tighter)());

    expression_ptr parse_union() { return right_group(ekind::unite, "|", &parser::parse_insert); }
    expression_ptr parse_insert() { return right_group(ekind::insert, "++", &parser::parse_sequence); }
    expression_ptr parse_sequence() { return right_group(ekind::sequence, ";", &parser::parse_difference); }
    expression_ptr parse_difference();
    expression_ptr parse_intersection() { return right_group(ekind::intersect, "&", &parser::parse_product); }

    expression_ptr parse_product();
    expression_ptr parse_complement();
    expression_ptr postfix();
    bool at_argument() const;
    expression_ptr application();
    expression_ptr argument();

    lexer in_;
    int depth_ = 0;
    bool tuples_ = false; ///< a comma makes a tuple here, and does not separate
};

} // namespace ringproof::litmus::cat::parsing
