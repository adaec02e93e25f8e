// SPDX-License-Identifier: Apache-2.0
// Precedence, loosest first: | ; ++ ; ; ; \ ; & ; * ; ~ and the postfix operators; application
// binds tightest. `|`, `++`, `;` and `&` group to the right, `\` to the left.
#include "lexer.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace {

using ekind = expression::kind;
using ikind = instruction::kind;

constexpr int deepest = 2000;

std::shared_ptr<expression> make(ekind what, std::size_t offset) {
    auto e = std::make_shared<expression>();
    e->what = what;
    e->offset = offset;
    return e;
}

class parser {
  public:
    explicit parser(const source& from) : in_(from) {}

    void parse(model_text& m) {
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

  private:
    struct guard {
        explicit guard(parser& p) : depth(p.depth_) {
            if (++depth > deepest) p.in_.fail("this is nested too deeply");
        }
        ~guard() { --depth; }
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        int& depth;
    };

    std::string name(const char* what) {
        if (in_.now().what != token::kind::word) in_.expected(what);
        return in_.take().text;
    }

    std::string optional_name() { return in_.accept("as") ? name("a name after 'as'") : std::string(); }

    instruction top() {
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

    std::string tag() {
        if (in_.now().what != token::kind::tag) in_.expected("a tag such as 'once");
        return in_.take().text;
    }

    instruction begin(ikind what) {
        instruction i;
        i.what = what;
        i.offset = in_.take().offset;
        return i;
    }

    std::vector<instruction> block(std::initializer_list<const char*> stops) {
        std::vector<instruction> body;
        for (;;) {
            for (const char* stop : stops)
                if (in_.now().is(stop)) return body;
            if (in_.now().what == token::kind::end) in_.expected("'end'");
            body.push_back(parse_instruction());
        }
    }

    instruction parse_instruction() {
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

    instruction parse_check() {
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

    pattern parse_pattern() {
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

    std::vector<binding> parse_bindings() {
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
                f->parts.push_back(parse_expression());
                b.what = f;
            } else {
                in_.expect("=");
                b.what = parse_expression();
            }
            all.push_back(std::move(b));
        } while (in_.accept("and"));
        return all;
    }

    variant_test parse_variant() {
        const guard deeper(*this);
        variant_test left = variant_and();
        while (in_.accept("||")) {
            variant_test both;
            both.what = variant_test::kind::disjunction;
            both.parts.push_back(std::move(left));
            both.parts.push_back(variant_and());
            left = std::move(both);
        }
        return left;
    }

    variant_test variant_and() {
        variant_test left = variant_one();
        while (in_.accept("&&")) {
            variant_test both;
            both.what = variant_test::kind::conjunction;
            both.parts.push_back(std::move(left));
            both.parts.push_back(variant_one());
            left = std::move(both);
        }
        return left;
    }

    variant_test variant_one() {
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

    expression_ptr parse_expression() {
        const guard deeper(*this);
        const token& now = in_.now();
        if (now.is("let")) {
            auto e = make(ekind::let, in_.take().offset);
            if (in_.accept("rec")) e->what = ekind::let_rec;
            e->bindings = parse_bindings();
            in_.expect("in");
            e->parts.push_back(parse_expression());
            return e;
        }
        if (now.is("fun")) {
            auto e = make(ekind::function, in_.take().offset);
            e->name = "fun";
            e->to = parse_pattern();
            in_.expect("->");
            e->parts.push_back(parse_expression());
            return e;
        }
        if (now.is("try")) {
            auto e = make(ekind::attempt, in_.take().offset);
            e->parts.push_back(parse_expression());
            in_.expect("with");
            e->parts.push_back(parse_expression());
            return e;
        }
        if (now.is("if")) return parse_if();
        if (now.is("match")) return parse_match();
        expression_ptr first = parse_union();
        if (!in_.now().is(",") || !tuples_) return first;
        auto e = make(ekind::tuple, first->offset);
        e->parts.push_back(std::move(first));
        while (in_.accept(",")) e->parts.push_back(parse_union());
        return e;
    }

    expression_ptr parse_if() {
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
            e->parts = {std::move(left), parse_expression()};
        }
        in_.expect("then");
        e->parts.push_back(parse_expression());
        in_.expect("else");
        e->parts.push_back(parse_expression());
        return e;
    }

    expression_ptr parse_match() {
        auto e = make(ekind::match_set, in_.take().offset);
        e->parts.push_back(parse_expression());
        in_.expect("with");
        in_.accept("||");
        expression_ptr when_empty, otherwise;
        do {
            if (in_.now().what == token::kind::tag || (in_.now().is("_") && in_.next_is("->"))) {
                e->what = ekind::match_tag;
                e->names.push_back(in_.accept("_") ? std::string() : tag());
                in_.expect("->");
                e->parts.push_back(parse_expression());
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
            e->parts.push_back(when_empty);
            e->parts.push_back(otherwise);
        }
        return e;
    }

    expression_ptr binary(ekind what, std::size_t offset, expression_ptr a, expression_ptr b) {
        auto e = make(what, offset);
        e->parts = {std::move(a), std::move(b)};
        return e;
    }

    expression_ptr right_group(ekind what, const char* sign, expression_ptr (parser::*tighter)()) {
        const guard deeper(*this);
        expression_ptr left = (this->*tighter)();
        if (!in_.now().is(sign)) return left;
        const std::size_t at = in_.take().offset;
        return binary(what, at, std::move(left), right_group(what, sign, tighter));
    }

    expression_ptr parse_union() { return right_group(ekind::unite, "|", &parser::parse_insert); }
    expression_ptr parse_insert() { return right_group(ekind::insert, "++", &parser::parse_sequence); }
    expression_ptr parse_sequence() { return right_group(ekind::sequence, ";", &parser::parse_difference); }
    expression_ptr parse_difference() {
        expression_ptr left = parse_intersection();
        while (in_.now().is("\\")) {
            const std::size_t at = in_.take().offset;
            left = binary(ekind::subtract, at, std::move(left), parse_intersection());
        }
        return left;
    }
    expression_ptr parse_intersection() { return right_group(ekind::intersect, "&", &parser::parse_product); }

    expression_ptr parse_product() {
        expression_ptr left = parse_complement();
        while (in_.now().is("*")) { // postfix stars are gone already: an operand follows
            const std::size_t at = in_.take().offset;
            left = binary(ekind::product, at, std::move(left), parse_complement());
        }
        return left;
    }

    expression_ptr parse_complement() {
        const guard deeper(*this);
        if (!in_.now().is("~")) return postfix();
        auto e = make(ekind::complement, in_.take().offset);
        e->parts.push_back(parse_complement());
        return e;
    }

    expression_ptr postfix() {
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
            outer->parts.push_back(std::move(e));
            e = outer;
        }
    }

    bool at_argument() const {
        const token& t = in_.now();
        return t.what == token::kind::word || t.what == token::kind::tag || t.is("(") || t.is("{") ||
               t.is("[") || t.is("_") || t.is("0") || t.is("begin");
    }

    expression_ptr application() {
        const bool callable = in_.now().what == token::kind::word;
        expression_ptr e = argument();
        while (callable && at_argument()) {
            const std::size_t at = in_.now().offset;
            e = binary(ekind::call, at, std::move(e), argument());
        }
        return e;
    }

    expression_ptr argument() {
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
            e->parts.push_back(parse_expression());
            in_.expect("]");
            return e;
        }
        if (in_.accept("{")) {
            if (in_.accept("}")) return make(ekind::empty, now.offset);
            auto e = make(ekind::set, now.offset);
            tuples_ = false;
            do e->parts.push_back(parse_expression());
            while (in_.accept(","));
            tuples_ = outer;
            in_.expect("}");
            return e;
        }
        in_.expected("an expression");
    }

    lexer in_;
    int depth_ = 0;
    bool tuples_ = false; ///< a comma makes a tuple here, and does not separate
};

} // namespace

std::shared_ptr<const model_text> parse_model(source from) {
    auto m = std::make_shared<model_text>();
    m->from = std::move(from);
    parser(m->from).parse(*m);
    return m;
}

} // namespace ringproof::litmus::cat
