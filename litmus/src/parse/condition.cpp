// SPDX-License-Identifier: Apache-2.0
#include "condition.hpp"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <tuple>

namespace ringproof::litmus {
namespace {

using kind = proposition::kind;

constexpr int deepest = 1000; // so that no input can exhaust the stack
constexpr std::size_t most_atoms = 20'000;

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
        if (in_.at_number()) {
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
        out += p.symbol.empty() ? std::to_string(p.number) : p.symbol;
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
    return is_register() ? fmt::format("{}:{}", thread, name) : fmt::format("[{}]", name);
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
        return value_of(p.left) == p.number;
    case kind::unequal:
        return value_of(p.left) != p.number;
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
    if (p.what == kind::equal || p.what == kind::unequal)
        if (std::find(into.begin(), into.end(), p.left) == into.end()) into.push_back(p.left);
    for (const proposition& part : p.parts) collect_locations(part, into);
}

location parse_location(scanner& in) {
    location where;
    in.at_end();
    where.offset = in.offset();
    if (in.at_number()) {
        const std::int64_t thread = in.number("a thread number");
        if (thread < 0 || thread > 1023) in.fail(where.offset, "expected a thread number");
        where.thread = static_cast<int>(thread);
        in.expect(":", "':' after a thread number");
        in.accept("%"); // 0:%rax, as some tools write it
        where.name = in.identifier();
        if (where.name.empty()) in.expected("a register");
        return where;
    }
    const bool bracket = in.accept("[");
    if (!bracket) in.accept("*");
    where.name = in.identifier();
    if (where.name.empty()) in.expected("a location: x, [x] or 0:REGISTER");
    if (bracket) in.expect("]", "']'");
    return where;
}

proposition parse_proposition(scanner& in) { return proposition_parser(in).implication(); }

condition parse_condition(scanner& in) {
    condition c;
    if (in.accept("~") || in.accept_word("not")) {
        if (!in.accept_word("exists")) in.expected("'exists'");
        c.how = condition::quantifier::not_exists;
    } else if (in.accept_word("exists")) {
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
