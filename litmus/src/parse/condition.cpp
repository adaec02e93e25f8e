// SPDX-License-Identifier: Apache-2.0
#include "condition.hpp"
#include "assembly.hpp"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <tuple>

namespace ringproof::litmus {
namespace {

using kind = proposition::kind;

constexpr int deepest = 1000; // so that no input can exhaust the stack
constexpr std::size_t most_atoms = 20'000;

/// `1:EAX` or `P1:EAX`, if that stands next.
std::optional<location> register_location(scanner& in) {
    const std::size_t back = in.offset();
    location where;
    in.at_end();
    where.offset = in.offset();
    std::int64_t thread = 0;
    if (in.at_number()) {
        thread = in.number("a thread number");
    } else {
        const std::string_view word = in.identifier(); // P1 of P1:EAX
        const bool digits =
            word.size() > 1 && word.size() < 6 && word[0] == 'P' &&
            std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits) {
            in.seek(back);
            return std::nullopt;
        }
        for (const char c : word.substr(1)) thread = 10 * thread + (c - '0');
    }
    if (!in.accept(":")) {
        in.seek(back);
        return std::nullopt;
    }
    if (thread < 0 || thread > 1023) in.fail(where.offset, "expected a thread number");
    where.thread = static_cast<int>(thread);
    in.accept("%"); // 0:%rax, as some tools write it
    where.name = in.identifier();
    if (where.name.empty()) in.expected("a register");
    return where;
}

class proposition_parser {
  public:
    explicit proposition_parser(scanner& in) : in_(in) {}

    // implication binds loosest, then \/, then /\, then ~; implication is right associative
    proposition implication() {
        if (++depth_ > deepest) in_.fail(in_.offset(), "this condition is nested too deeply");
        proposition left = chain(kind::disjunction);
        if (in_.accept("=>")) {
            proposition p;
            p.what = kind::implication;
            p.parts.push_back(std::move(left));
            p.parts.push_back(implication());
            left = std::move(p);
        }
        --depth_;
        return left;
    }

  private:
    proposition chain(kind connective) {
        const bool is_or = connective == kind::disjunction;
        const auto next = [&] { return is_or ? chain(kind::conjunction) : unary(); };
        const auto more = [&] {
            return is_or ? in_.accept("\\/") || in_.accept("||") : in_.accept("/\\") || in_.accept("&&");
        };
        proposition first = next();
        if (!more()) return first;
        proposition p;
        p.what = connective;
        p.parts.push_back(std::move(first));
        do p.parts.push_back(next());
        while (more());
        return p;
    }

    proposition unary() {
        if (in_.accept("~") || in_.accept_word("not")) {
            if (++depth_ > deepest) in_.fail(in_.offset(), "this condition is nested too deeply");
            proposition p;
            p.what = kind::negation;
            p.parts.push_back(unary());
            --depth_;
            return p;
        }
        if (in_.accept("(")) {
            proposition p = implication();
            in_.expect(")", "')', /\\ or \\/");
            return p;
        }
        for (const bool truth : {true, false})
            if (in_.accept_word(truth ? "true" : "false")) {
                proposition p;
                p.truth = truth;
                return p;
            }
        return atom();
    }

    proposition atom() {
        if (++atoms_ > most_atoms)
            in_.fail(in_.offset(),
                     fmt::format("this condition has more than {} comparisons: not supported", most_atoms));
        proposition p;
        p.left = parse_location(in_);
        if (in_.accept("!=") || in_.accept("<>"))
            p.what = kind::unequal;
        else if (in_.accept("==") || (!in_.looking_at("=>") && in_.accept("=")))
            p.what = kind::equal;
        else
            in_.expected("= or !=");
        if (in_.looking_at("{")) return elements(p);
        if (in_.looking_at("label:")) {
            p.symbol = parse_label_value(in_);
            if (p.symbol.empty()) in_.expected("an address such as label:\"P0:L\"");
        } else if (const auto right = register_location(in_)) {
            p.other = right;
        } else if (in_.at_number()) {
            p.number = in_.number("a value");
        } else {
            in_.accept("&");
            const bool bracket = in_.accept("[");
            p.symbol = in_.identifier();
            if (p.symbol.empty()) in_.expected("a number or the name of a location");
            if (bracket) in_.expect("]", "']'");
        }
        return p;
    }

    /// `x={1,2}`: each element of the array.
    proposition elements(const proposition& whole) {
        if (whole.left.is_register()) in_.fail(whole.left.offset, "a register is no array");
        in_.expect("{", "'{'");
        proposition all;
        all.what = kind::conjunction;
        do {
            if (all.parts.size() == most_elements) in_.expected("'}': an array has too many elements");
            proposition one;
            one.what = kind::equal;
            one.left = whole.left;
            one.left.name = element_name(whole.left.name, all.parts.size());
            one.number = in_.number("the value of an element");
            all.parts.push_back(std::move(one));
        } while (in_.accept(",") || in_.accept(";"));
        in_.expect("}", "',' or '}' after an element");
        if (whole.what == kind::equal) return all;
        proposition unequal;
        unequal.what = kind::negation;
        unequal.parts.push_back(std::move(all));
        return unequal;
    }

    scanner& in_;
    int depth_ = 0;
    std::size_t atoms_ = 0;
};

void print(const proposition& p, std::string& out, int outer) {
    // outer: 0 top, 1 inside =>, 2 inside \/, 3 inside /\, 4 inside ~
    const auto join = [&](const char* sign, int level) {
        if (outer >= level) out += "(";
        for (std::size_t i = 0; i < p.parts.size(); ++i) {
            if (i) out += sign;
            print(p.parts[i], out, level);
        }
        if (outer >= level) out += ")";
    };
    switch (p.what) {
    case kind::constant:
        out += p.truth ? "true" : "false";
        return;
    case kind::equal:
    case kind::unequal:
        out += p.left.printed();
        out += p.what == kind::equal ? "=" : "!=";
        out += p.other ? p.other->printed() : p.symbol.empty() ? std::to_string(p.number) : p.symbol;
        return;
    case kind::negation:
        out += "not (";
        print(p.parts[0], out, 0);
        out += ")";
        return;
    case kind::conjunction:
        return join(" /\\ ", 3);
    case kind::disjunction:
        return join(" \\/ ", 2);
    case kind::implication:
        return join(" => ", 1);
    }
}

} // namespace

std::string location::printed() const {
    if (is_register()) return fmt::format("{}:{}", thread, name);
    return name.ends_with(']') ? name : fmt::format("[{}]", name);
}

bool operator==(const location& a, const location& b) {
    return a.is_register() == b.is_register() && (!a.is_register() || a.thread == b.thread) &&
           a.name == b.name;
}

bool operator<(const location& a, const location& b) {
    const auto key = [](const location& l) {
        return std::make_tuple(l.is_register() ? l.thread : INT_MAX, std::string_view(l.name));
    };
    return key(a) < key(b);
}

bool holds(const proposition& p, const valuation& value_of) {
    const auto part = [&](const proposition& q) { return holds(q, value_of); };
    switch (p.what) {
    case kind::constant:
        return p.truth;
    case kind::equal:
    case kind::unequal:
        return (value_of(p.left) == (p.other ? value_of(*p.other) : p.number)) == (p.what == kind::equal);
    case kind::negation:
        return !part(p.parts[0]);
    case kind::conjunction:
        return std::all_of(p.parts.begin(), p.parts.end(), part);
    case kind::disjunction:
        return std::any_of(p.parts.begin(), p.parts.end(), part);
    case kind::implication:
        return !part(p.parts[0]) || part(p.parts[1]);
    }
    return false;
}

bool validated(condition::quantifier how, std::uint64_t positive, std::uint64_t negative) {
    switch (how) {
    case condition::quantifier::exists:
        return positive > 0;
    case condition::quantifier::not_exists:
        return positive == 0;
    case condition::quantifier::forall:
        return negative == 0;
    }
    return false;
}

const char* observation(std::uint64_t positive, std::uint64_t negative) {
    if (positive == 0) return "Never";
    return negative == 0 ? "Always" : "Sometimes";
}

std::string to_string(const proposition& p) {
    std::string out;
    print(p, out, 0);
    return out;
}

std::string to_string(const condition& c) {
    const char* how = c.how == condition::quantifier::exists       ? "exists"
                      : c.how == condition::quantifier::not_exists ? "~exists"
                                                                   : "forall";
    return fmt::format("{} ({})", how, to_string(c.what));
}

void collect_locations(const proposition& p, std::vector<location>& into) {
    const auto add = [&](const location& l) {
        if (std::find(into.begin(), into.end(), l) == into.end()) into.push_back(l);
    };
    if (p.what == kind::equal || p.what == kind::unequal) {
        add(p.left);
        if (p.other) add(*p.other);
    }
    for (const proposition& part : p.parts) collect_locations(part, into);
}

location parse_location(scanner& in) {
    location where;
    in.at_end();
    where.offset = in.offset();
    if (const auto of_thread = register_location(in)) return *of_thread;
    if (in.at_number()) {
        in.number("a thread number");
        in.expect(":", "':' after a thread number");
    }
    const bool bracket = in.accept("[");
    if (!bracket) in.accept("*");
    where.name = in.identifier();
    if (where.name.empty()) in.expected("a location: x, [x] or 0:REGISTER");
    if (in.accept("[")) {
        const std::size_t at = in.offset();
        const std::int64_t index = in.number("the index of an element");
        if (index < 0 || static_cast<std::uint64_t>(index) >= most_elements)
            in.fail(at, fmt::format("expected an index from 0 to {}", most_elements - 1));
        where.name = element_name(where.name, static_cast<std::uint64_t>(index));
        in.expect("]", "']' after an index");
    }
    if (bracket) in.expect("]", "']'");
    return where;
}

std::string element_name(std::string_view array, std::uint64_t index) {
    return fmt::format("{}[{}]", array, index);
}

proposition parse_proposition(scanner& in) { return proposition_parser(in).implication(); }

condition parse_condition(scanner& in) {
    condition c;
    if (in.accept("~") || in.accept_word("not")) {
        if (!in.accept_word("exists")) in.expected("'exists'");
        c.how = condition::quantifier::not_exists;
    } else if (in.accept_word("exists") || in.accept_word("final")) { // the older word
        c.how = condition::quantifier::exists;
    } else if (in.accept_word("forall")) {
        c.how = condition::quantifier::forall;
    } else {
        in.expected("exists, ~exists or forall");
    }
    c.what = parse_proposition(in);
    return c;
}

} // namespace ringproof::litmus
