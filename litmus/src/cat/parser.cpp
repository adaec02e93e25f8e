// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace parsing {

void parser::parse(model_text& m) {
    // A title is a string, a word, or an architecture and one of them; a file without title
    // begins with an instruction, which no word can be taken for.
    if (in_.now().what == token::kind::word) {
        m.architecture = m.title = in_.take().text;
        if (in_.now().what == token::kind::string || in_.now().what == token::kind::word)
            m.title = in_.take().text;
    } else if (in_.now().what == token::kind::string) {
        m.title = in_.take().text;
    }
    m.option_at = in_.now().offset;
    m.computes_dependencies = in_.accept("catdep");
    // Options after the title (withco, withoutsc, …) are of no consequence here.
    while (in_.now().what == token::kind::word) in_.take();
    while (in_.now().what != token::kind::end) m.body.push_back(top());
}

std::string parser::name(const char* what) {
    if (in_.now().what != token::kind::word) in_.expected(what);
    return in_.take().text;
}

instruction parser::top() {
    if (in_.now().is("enum")) {
        instruction i = begin(ikind::enumeration);
        i.name = name("the enumeration's name");
        in_.expect("=");
        in_.accept("||");
        do i.names.push_back(tag());
        while (in_.accept("||"));
        return i;
    }
    return parse_instruction();
}

std::string parser::tag() {
    if (in_.now().what != token::kind::tag) in_.expected("a tag such as 'once");
    return in_.take().text;
}

instruction parser::begin(ikind what) {
    instruction i;
    i.what = what;
    i.offset = in_.take().offset;
    return i;
}

std::vector<instruction> parser::block(std::initializer_list<const char*> stops) {
    std::vector<instruction> body;
    for (;;) {
        for (const char* stop : stops)
            if (in_.now().is(stop)) return body;
        if (in_.now().what == token::kind::end) in_.expected("'end'");
        body.push_back(parse_instruction());
    }
}

instruction parser::parse_instruction() {
    const guard deeper(*this);
    const token& now = in_.now();
    if (now.is("let")) {
        instruction i = begin(ikind::let);
        if (in_.accept("rec")) i.what = ikind::let_rec;
        i.bindings = parse_bindings();
        // What herd7 checks while it computes the fixed point only grows: once, at the end, is enough.
        if (in_.accept("when")) i.body.push_back(parse_check());
        in_.accept("in");
        return i;
    }
    if (now.is("include")) {
        instruction i = begin(ikind::include);
        if (in_.now().what != token::kind::string) in_.expected("the name of a file in quotes");
        i.name = in_.take().text;
        return i;
    }
    if (now.is("show") || now.is("unshow")) {
        instruction i = begin(ikind::ignored);
        parse_expression();
        while (in_.accept(",")) parse_expression();
        if (in_.accept("as")) name("a name after 'as'");
        return i;
    }
    if (now.is("debug")) {
        instruction i = begin(ikind::ignored);
        parse_expression();
        return i;
    }
    if (now.is("procedure")) {
        instruction i = begin(ikind::procedure);
        in_.accept("rec");
        i.name = name("the procedure's name");
        i.to = parse_pattern();
        in_.expect("=");
        i.body = block({"end"});
        in_.expect("end");
        return i;
    }
    if (now.is("call")) {
        instruction i = begin(ikind::call);
        i.names.push_back(name("a procedure's name"));
        i.value = argument();
        i.name = optional_name();
        return i;
    }
    if (now.is("forall")) {
        instruction i = begin(ikind::for_all);
        i.name = name("a variable");
        in_.expect("in");
        i.value = parse_expression();
        in_.expect("do");
        i.body = block({"end"});
        in_.expect("end");
        return i;
    }
    if (now.is("with")) {
        instruction i = begin(ikind::with_from);
        i.name = name("a variable");
        in_.expect("from");
        i.value = parse_expression();
        return i;
    }
    if (now.is("if")) {
        instruction i = begin(ikind::when_variant);
        i.variant = parse_variant();
        i.body = block({"else", "end"});
        if (in_.accept("else")) i.otherwise = block({"end"});
        in_.expect("end");
        return i;
    }
    if (now.is("match")) {
        instruction i = begin(ikind::match_tag);
        i.value = parse_expression();
        in_.expect("with");
        in_.accept("||");
        do {
            i.names.push_back(in_.accept("_") ? std::string() : tag());
            in_.expect("->");
            i.bodies.push_back(block({"||", "end"}));
        } while (in_.accept("||"));
        in_.expect("end");
        return i;
    }
    if (now.is("instructions") || now.is("default")) {
        instruction i = begin(ikind::annotation);
        i.name = name("a kind of instruction");
        in_.expect("[");
        if (!in_.now().is("]")) do
                parse_expression();
            while (in_.accept(","));
        in_.expect("]");
        return i;
    }
    return parse_check();
}

instruction parser::parse_check() {
    instruction i;
    i.what = ikind::check;
    i.offset = in_.now().offset;
    if (in_.accept("flag"))
        i.then = instruction::effect::flag;
    else if (in_.accept("undefined_unless"))
        i.then = instruction::effect::undefined_unless;
    else if (in_.accept("assert"))
        i.then = instruction::effect::assertion;
    i.negated = in_.accept("~");
    if (in_.accept("acyclic"))
        i.how = instruction::test::acyclic;
    else if (in_.accept("irreflexive"))
        i.how = instruction::test::irreflexive;
    else if (in_.accept("empty"))
        i.how = instruction::test::empty;
    else
        in_.expected("let, a check (acyclic, irreflexive, empty), include, with, show, …");
    i.value = parse_expression();
    i.name = optional_name();
    return i;
}

pattern parser::parse_pattern() {
    pattern p;
    const auto one = [&] {
        if (in_.accept("_"))
            p.names.emplace_back();
        else
            p.names.push_back(name("a variable"));
    };
    if (!in_.accept("(")) {
        one();
        return p;
    }
    p.tuple = true;
    if (!in_.now().is(")")) do
            one();
        while (in_.accept(","));
    in_.expect(")");
    if (p.names.size() == 1) p.tuple = false;
    return p;
}

std::vector<binding> parser::parse_bindings() {
    std::vector<binding> all;
    do {
        binding b;
        b.offset = in_.now().offset;
        b.to = parse_pattern();
        if (in_.now().is(",")) { // let x, y = …
            b.to.tuple = true;
            while (in_.accept(","))
                b.to.names.push_back(in_.accept("_") ? std::string() : name("a variable"));
        }
        if (!in_.now().is("=") && b.to.names.size() == 1) {
            auto f = make(ekind::function, b.offset);
            f->name = b.to.names[0];
            f->to = parse_pattern();
            in_.expect("=");
            add(*f, parse_expression());
            b.what = f;
        } else {
            in_.expect("=");
            b.what = parse_expression();
        }
        all.push_back(std::move(b));
    } while (in_.accept("and"));
    return all;
}

variant_test parser::parse_variant() {
    const guard deeper(*this);
    return variant_chain("||", variant_test::kind::disjunction, &parser::variant_and);
}

variant_test parser::variant_and() {
    return variant_chain("&&", variant_test::kind::conjunction, &parser::variant_one);
}

variant_test parser::variant_chain(const char* sign, variant_test::kind what,
                                   variant_test (parser::*tighter)()) {
    variant_test first = (this->*tighter)();
    if (!in_.now().is(sign)) return first;
    variant_test all;
    all.what = what;
    all.parts.push_back(std::move(first));
    while (in_.accept(sign)) all.parts.push_back((this->*tighter)());
    return all;
}

variant_test parser::variant_one() {
    const guard deeper(*this);
    variant_test v;
    if (in_.accept("not")) {
        v.what = variant_test::kind::negation;
        v.parts.push_back(variant_one());
    } else if (in_.accept("(")) {
        v = parse_variant();
        in_.expect(")");
    } else {
        in_.accept("variant");
        if (in_.now().what != token::kind::string) in_.expected("the name of a variant in quotes");
        v.name = in_.take().text;
    }
    return v;
}

} // namespace parsing

std::shared_ptr<const model_text> parse_model(source from) {
    auto m = std::make_shared<model_text>();
    m->from = std::move(from);
    parsing::parser(m->from).parse(*m);
    return m;
}

} // namespace ringproof::litmus::cat
