// SPDX-License-Identifier: Apache-2.0
// Precedence, loosest first: | ; ++ ; ; ; \ ; & ; * ; ~ and the postfix operators; application
// binds tightest. `|`, `++`, `;` and `&` group to the right, `\` to the left.
#include "parser.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace parsing {

void parser::deepen(expression& e, const expression& part) const {
    e.depth = std::max(e.depth, part.depth + 1);
    if (e.depth > deepest)
        throw syntax_error(
            in_.where(), e.offset,
            fmt::format("this expression is too deep: more than {} operators inside each other", deepest));
}

void parser::add(expression& e, expression_ptr part) const {
    deepen(e, *part);
    e.parts.push_back(std::move(part));
}

expression_ptr parser::parse_expression() {
    const guard deeper(*this);
    const token& now = in_.now();
    if (now.is("let")) {
        auto e = make(ekind::let, in_.take().offset);
        if (in_.accept("rec")) e->what = ekind::let_rec;
        e->bindings = parse_bindings();
        for (const binding& b : e->bindings) deepen(*e, *b.what);
        in_.expect("in");
        add(*e, parse_expression());
        return e;
    }
    if (now.is("fun")) {
        auto e = make(ekind::function, in_.take().offset);
        e->name = "fun";
        e->to = parse_pattern();
        in_.expect("->");
        add(*e, parse_expression());
        return e;
    }
    if (now.is("try")) {
        auto e = make(ekind::attempt, in_.take().offset);
        add(*e, parse_expression());
        in_.expect("with");
        add(*e, parse_expression());
        return e;
    }
    if (now.is("if")) return parse_if();
    if (now.is("match")) return parse_match();
    expression_ptr first = parse_union();
    if (!in_.now().is(",") || !tuples_) return first;
    auto e = make(ekind::tuple, first->offset);
    add(*e, std::move(first));
    while (in_.accept(",")) add(*e, parse_union());
    return e;
}

expression_ptr parser::parse_if() {
    auto e = make(ekind::choose, in_.take().offset);
    const token& now = in_.now();
    if (now.what == token::kind::string || now.is("variant") || now.is("not")) {
        e->variant = parse_variant();
    } else {
        expression_ptr left = parse_expression();
        if (in_.accept("="))
            e->what = ekind::choose_equal;
        else if (in_.accept("subset"))
            e->what = ekind::choose_subset;
        else if (in_.accept("in"))
            e->what = ekind::choose_member;
        else
            in_.expected("'=', 'subset' or 'in'");
        add(*e, std::move(left));
        add(*e, parse_expression());
    }
    in_.expect("then");
    add(*e, parse_expression());
    in_.expect("else");
    add(*e, parse_expression());
    return e;
}

expression_ptr parser::parse_match() {
    auto e = make(ekind::match_set, in_.take().offset);
    add(*e, parse_expression());
    in_.expect("with");
    in_.accept("||");
    expression_ptr when_empty, otherwise;
    do {
        if (in_.now().what == token::kind::tag || (in_.now().is("_") && in_.next_is("->"))) {
            e->what = ekind::match_tag;
            e->names.push_back(in_.accept("_") ? std::string() : tag());
            in_.expect("->");
            add(*e, parse_expression());
        } else if (in_.accept("{")) {
            in_.expect("}");
            in_.expect("->");
            when_empty = parse_expression();
        } else {
            pattern both = parse_pattern();
            if (in_.now().is("|")) in_.fail("the pattern 'before | element ++ after' is not supported");
            in_.expect("++");
            both.names.push_back(parse_pattern().names.at(0));
            e->to = both;
            in_.expect("->");
            otherwise = parse_expression();
        }
    } while (in_.accept("||"));
    in_.expect("end");
    if (e->what == ekind::match_set) {
        if (!when_empty || !otherwise) in_.fail("this match needs a clause {} and a clause e ++ S");
        add(*e, when_empty);
        add(*e, otherwise);
    }
    return e;
}

expression_ptr parser::binary(ekind what, std::size_t offset, expression_ptr a, expression_ptr b) {
    auto e = make(what, offset);
    add(*e, std::move(a));
    add(*e, std::move(b));
    return e;
}

expression_ptr parser::right_group(ekind what, const char* sign, expression_ptr (parser::*tighter)()) {
    const guard deeper(*this);
    expression_ptr left = (this->*tighter)();
    if (!in_.now().is(sign)) return left;
    const std::size_t at = in_.take().offset;
    return binary(what, at, std::move(left), right_group(what, sign, tighter));
}

expression_ptr parser::parse_difference() {
    expression_ptr left = parse_intersection();
    while (in_.now().is("\\")) {
        const std::size_t at = in_.take().offset;
        left = binary(ekind::subtract, at, std::move(left), parse_intersection());
    }
    return left;
}

expression_ptr parser::parse_product() {
    expression_ptr left = parse_complement();
    while (in_.now().is("*")) { // postfix stars are gone already: an operand follows
        const std::size_t at = in_.take().offset;
        left = binary(ekind::product, at, std::move(left), parse_complement());
    }
    return left;
}

expression_ptr parser::parse_complement() {
    const guard deeper(*this);
    if (!in_.now().is("~")) return postfix();
    auto e = make(ekind::complement, in_.take().offset);
    add(*e, parse_complement());
    return e;
}

expression_ptr parser::postfix() {
    expression_ptr e = application();
    for (;;) {
        ekind what;
        if (in_.now().is("^") && in_.next_is("-1"))
            what = ekind::inverse, in_.take();
        else if (in_.now().is("-1")) // of old: `rf -1`
            what = ekind::inverse;
        else if (in_.now().is("^") && in_.next_is("+"))
            what = ekind::plus, in_.take();
        else if (in_.now().is("^") && in_.next_is("*"))
            what = ekind::star, in_.take();
        else if (in_.now().is("^") && in_.next_is("?"))
            what = ekind::optional, in_.take();
        else if (in_.now().is("+"))
            what = ekind::plus;
        else if (in_.now().is("?"))
            what = ekind::optional;
        else if (in_.now().is("*") && !in_.operand_follows())
            what = ekind::star;
        else
            return e;
        auto outer = make(what, in_.take().offset);
        add(*outer, std::move(e));
        e = outer;
    }
}

bool parser::at_argument() const {
    const token& t = in_.now();
    return t.what == token::kind::word || t.what == token::kind::tag || t.is("(") || t.is("{") || t.is("[") ||
           t.is("_") || t.is("0") || t.is("begin");
}

expression_ptr parser::application() {
    const bool callable = in_.now().what == token::kind::word;
    expression_ptr e = argument();
    while (callable && at_argument()) {
        const std::size_t at = in_.now().offset;
        e = binary(ekind::call, at, std::move(e), argument());
    }
    return e;
}

expression_ptr parser::argument() {
    const guard deeper(*this);
    const token now = in_.now();
    const bool outer = tuples_;
    if (now.what == token::kind::word || now.what == token::kind::tag) {
        auto e = make(now.what == token::kind::word ? ekind::name : ekind::tag, now.offset);
        e->name = in_.take().text;
        return e;
    }
    if (in_.accept("0")) return make(ekind::empty, now.offset);
    if (in_.accept("_")) return make(ekind::universe, now.offset);
    if (in_.accept("begin")) {
        expression_ptr e = parse_expression();
        in_.expect("end");
        return e;
    }
    if (in_.accept("(")) {
        if (in_.accept(")")) return make(ekind::tuple, now.offset);
        tuples_ = true;
        expression_ptr e = parse_expression();
        tuples_ = outer;
        in_.expect(")");
        return e;
    }
    if (in_.accept("[")) {
        auto e = make(ekind::identity, now.offset);
        add(*e, parse_expression());
        in_.expect("]");
        return e;
    }
    if (in_.accept("{")) {
        if (in_.accept("}")) return make(ekind::empty, now.offset);
        auto e = make(ekind::set, now.offset);
        tuples_ = false;
        do add(*e, parse_expression());
        while (in_.accept(","));
        tuples_ = outer;
        in_.expect("}");
        return e;
    }
    in_.expected("an expression");
}

} // namespace parsing
} // namespace ringproof::litmus::cat
