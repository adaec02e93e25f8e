// SPDX-License-Identifier: Apache-2.0
#include "test.hpp"
#include "assembly.hpp"
#include "features.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

constexpr std::array<std::string_view, 7> final_words{"exists", "final", "forall", "locations",
                                                      "filter", "not",   "~"};

bool at_final_part(scanner in) { // by value: only looks
    return std::any_of(final_words.begin(), final_words.end(), [&](std::string_view word) {
        return word == "~" ? in.looking_at(word) : in.accept_word(word);
    });
}

void parse_header(scanner& in, test& t) {
    t.dialect = in.identifier();
    if (t.dialect.empty()) in.expected("the dialect (such as X86) and the test's name");
    if (t.dialect == "C") in.skip_c_comments();
    const std::size_t at = in.offset();
    std::string_view name = in.rest_of_line();
    if (const auto comment = name.find("(*"); comment != std::string_view::npos) {
        in.seek(static_cast<std::size_t>(name.data() - t.from.text.data()) + comment);
        name = name.substr(0, comment);
    }
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    if (name.empty()) in.fail(at, "expected the test's name after the dialect");
    t.name = name;
    while (!in.at_end() && in.peek() != '{') {
        if (in.accept("\"")) {
            const std::size_t begin = in.offset();
            const std::size_t end = t.from.text.find('"', begin);
            if (end == std::string::npos) in.fail(begin - 1, "this text is never closed: expected '\"'");
            t.doc += t.from.text.substr(begin, end - begin);
            in.seek(end + 1);
            continue;
        }
        const std::size_t line_at = in.offset();
        const std::string_view line = in.rest_of_line();
        const auto sign = line.find('=');
        if (sign == std::string_view::npos || sign == 0) {
            // herd7 skips lines of another form. A line with ';' belongs to the test, not to the header.
            if (line.find_first_of(";{}|") != std::string_view::npos)
                in.fail(line_at, "expected \"text\", KEY=VALUE, or '{' and the initial state");
            t.doc += (t.doc.empty() ? "" : "\n") + std::string(line);
            continue;
        }
        t.meta.emplace_back(line.substr(0, sign), line.substr(sign + 1));
    }
}

bool is_type_word(std::string_view word) {
    return word == "int" || word == "unsigned" || word == "signed" || word == "long" || word == "short" ||
           word == "char" || word == "__int128" || word == "volatile" || word == "const" ||
           word == "atomic_int" || word.ends_with("_t");
}

/// `int x[2]`, of which parse_location has made an element, and `={0,1}`; elements not named are 0.
void parse_array(scanner& in, init_entry& entry) {
    std::string& name = entry.where.name;
    const std::size_t open = name.rfind('[');
    const std::size_t size = std::stoul(name.substr(open + 1));
    name.resize(open);
    if (size == 0 || entry.where.is_register()) in.fail(entry.offset, "this is no array that holds anything");
    entry.elements.assign(size, 0);
    if (!in.accept("=")) return;
    in.expect("{", "'{' and the values of the elements");
    std::size_t next = 0;
    do {
        if (next == size) in.fail(in.offset(), fmt::format("the array has {} elements", size));
        entry.elements[next++] = in.number("the value of an element");
    } while (in.accept(",") || in.accept(";"));
    in.expect("}", "',' or '}' after an element");
}

init_entry parse_init_entry(scanner& in) {
    init_entry entry;
    in.at_end();
    entry.offset = in.offset();
    for (;;) {
        const std::size_t back = in.offset();
        const std::string_view word = in.identifier();
        // A type word is a type only if something to declare follows: `long = 1` declares `long`.
        if (!is_type_word(word) || in.peek() == '=' || in.peek() == '[' || in.peek() == ';' ||
            in.peek() == '}') {
            in.seek(back);
            break;
        }
        entry.type += (entry.type.empty() ? "" : " ") + std::string(word);
    }
    while (in.accept("*")) entry.type += '*';
    entry.where = parse_location(in);
    if (!entry.type.empty() && entry.where.name.ends_with(']')) {
        parse_array(in, entry);
        return entry;
    }
    if (!in.accept("=")) {
        if (entry.type.empty() && !entry.where.is_register()) in.expected("'=' and the initial value");
        return entry;
    }
    if (in.looking_at("{")) in.fail(in.offset(), "an array needs a type and a size: int x[2]={0,1}");
    if (in.at_number()) {
        entry.number = in.number("the initial value");
        return entry;
    }
    if (in.accept_word("ATOMIC_INIT")) { // of the kernel's atomic_t
        in.expect("(", "'(' after ATOMIC_INIT");
        entry.number = in.number("the initial value");
        in.expect(")", "')' after the initial value");
        return entry;
    }
    entry.symbol = parse_label_value(in);
    if (!entry.symbol.empty()) return entry;
    in.accept("&");
    const bool bracket = in.accept("[");
    entry.symbol = in.identifier();
    if (entry.symbol.empty()) in.expected("the initial value: a number or the name of a location");
    if (bracket) in.expect("]", "']'");
    if (in.accept("[")) {
        const std::int64_t index = in.number("the index of an element");
        if (index < 0 || static_cast<std::uint64_t>(index) >= most_elements)
            in.fail(entry.offset, "there is no such element");
        entry.symbol = element_name(entry.symbol, static_cast<std::uint64_t>(index));
        in.expect("]", "']' after an index");
    }
    return entry;
}

void parse_init(scanner& in, test& t) {
    in.expect("{", "'{' and the initial state");
    while (!in.accept("}")) {
        if (in.accept(";")) continue;
        t.init.push_back(parse_init_entry(in));
        if (t.init.back().symbol.starts_with("label:") && t.dialect != "AArch64")
            in.fail(t.init.back().offset, "the address of an instruction is a value in AArch64 tests only");
        if (in.peek() != '}') in.expect(";", "';' or '}' after an entry of the initial state");
    }
    in.accept(";");
}

std::vector<cell> parse_row(scanner& in, const std::string& text) {
    std::vector<cell> row;
    for (cell next{in.offset(), in.offset()};; ++next.end) {
        if (next.end >= text.size()) {
            in.at_end();
            in.fail(next.begin, "this row of code is not closed: expected ';'");
        }
        if (text.compare(next.end, 2, "(*") == 0) { // a comment may hold ';' or '|'
            in.seek(next.end);
            in.at_end();
            next.end = in.offset();
            --next.end;
            continue;
        }
        const char c = text[next.end];
        if (c != '|' && c != ';') continue;
        row.push_back(next);
        next.begin = next.end + 1;
        if (c == ';') break;
    }
    in.seek(row.back().end + 1);
    return row;
}

void check_number_of_threads(const scanner& in, const test& t, std::size_t at) {
    if (t.threads.size() == most_threads)
        in.fail(at, fmt::format("a test has more than {} threads: not supported", most_threads));
}

void parse_code(scanner& in, test& t) {
    if (in.peek() != 'P') in.expected("the row of threads: P0 | P1 … ;");
    for (const cell& head : parse_row(in, t.from.text)) {
        scanner inside(t.from, head.begin, head.end);
        const std::string name = fmt::format("P{}", t.threads.size());
        if (!inside.accept_word(name)) inside.expected(name);
        if (!inside.at_end()) inside.expected("'|' or ';'");
        check_number_of_threads(in, t, head.begin);
        t.threads.emplace_back();
    }
    while (!at_final_part(in)) {
        if (in.at_end()) in.expected("a row of code, or exists, ~exists or forall");
        const std::size_t begin = in.offset();
        const std::vector<cell> row = parse_row(in, t.from.text);
        if (row.size() > t.threads.size())
            in.fail(row[t.threads.size()].begin,
                    fmt::format("this row has more than {} columns: expected ';'", t.threads.size()));
        if (row.size() < t.threads.size())
            in.fail(begin, fmt::format("this row has {} columns: expected {}, one per thread", row.size(),
                                       t.threads.size()));
        for (std::size_t thread = 0; thread < row.size(); ++thread)
            if (!scanner(t.from, row[thread].begin, row[thread].end).at_end())
                t.threads[thread].push_back(row[thread]);
    }
}

/// One past the comment, string or character at `at` that a brace in C code may hide in; `at` if
/// none begins there.
std::size_t after_hidden(const scanner& in, const std::string& text, std::size_t at) {
    const auto closed_by = [&](const char* end) {
        const std::size_t found = text.find(end, at + 2);
        if (found == std::string::npos) in.fail(at, "this comment is never closed");
        return found + std::string_view(end).size();
    };
    if (text.compare(at, 2, "/*") == 0) return closed_by("*/");
    if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
    return at;
}

/// The functions of a C test. Each is one cell: its parameters and its body.
void parse_functions(scanner& in, test& t) {
    const std::string& text = t.from.text;
    while (in.peek() == 'P' || t.threads.empty()) {
        const std::string name = fmt::format("P{}", t.threads.size());
        if (!in.accept_word(name))
            in.expected(fmt::format("the function {}, or exists, ~exists or forall", name));
        if (in.peek() != '(') in.expected("'(' and the parameters");
        cell function{in.offset(), in.offset()};
        int depth = 0;
        for (std::size_t at = function.begin;;) {
            if (at >= text.size()) in.fail(function.begin, "this function is not closed: expected '}'");
            const std::size_t next = after_hidden(in, text, at);
            if (next != at) {
                at = next;
                continue;
            }
            const char c = text[at++];
            if (c == '{') ++depth;
            if (c == '}' && --depth <= 0) {
                if (depth < 0) in.fail(at - 1, "this '}' closes nothing");
                function.end = at;
                break;
            }
        }
        check_number_of_threads(in, t, function.begin);
        in.seek(function.end);
        t.threads.push_back({function});
    }
}

void parse_locations(scanner& in, test& t) {
    in.expect("[", "'[' and the locations to show");
    while (!in.accept("]")) {
        if (in.accept(";")) continue;
        t.locations.push_back(parse_location(in));
        if (in.peek() != ']') in.expect(";", "';' or ']' after a location");
    }
}

void check_threads(const scanner& in, const test& t) {
    const auto check = [&](const location& l) {
        if (l.thread >= static_cast<int>(t.threads.size()))
            in.fail(l.offset,
                    fmt::format("there is no thread {}: the test has {}", l.thread, t.threads.size()));
    };
    for (const init_entry& entry : t.init) check(entry.where);
    for (const location& l : t.locations) check(l);
    std::vector<location> used;
    collect_locations(t.final.what, used);
    if (t.filter) collect_locations(*t.filter, used);
    for (const location& l : used) check(l);
}

/// An array in `locations` stands for its elements.
void name_elements(test& t) {
    std::vector<location> named;
    for (const location& l : t.locations) {
        const auto array = std::find_if(t.init.begin(), t.init.end(), [&](const init_entry& e) {
            return !l.is_register() && !e.elements.empty() && e.where == l;
        });
        if (array == t.init.end()) {
            named.push_back(l);
            continue;
        }
        for (std::size_t i = 0; i < array->elements.size(); ++i) {
            named.push_back(l);
            named.back().name = element_name(l.name, i);
        }
    }
    t.locations = std::move(named);
}

} // namespace

void refuse_arrays(const test& t) {
    for (const init_entry& e : t.init) {
        if (e.symbol.starts_with("label:"))
            throw syntax_error(
                t.from, e.offset,
                "addresses of instructions are not supported here: only the simulator has them");
        if (!e.elements.empty())
            throw syntax_error(t.from, e.offset,
                               "arrays are not supported here: only the simulator has them");
    }
}

/// `with tso: ~exists; cc: exists;` says what older tools expected under models of theirs.
static void pass_over_expected(scanner& in) {
    if (!in.accept_word("with")) return;
    do {
        if (in.identifier().empty()) in.expected("the name of a model");
        in.expect(":", "':'");
        if (in.accept("~") || in.accept_word("not"))
            in.expect("exists", "'exists'");
        else if (!in.accept_word("exists") && !in.accept_word("forall"))
            in.expected("exists, ~exists or forall");
        in.expect(";", "';'");
    } while (!in.at_end() && !in.looking_at("<<"));
}

static void parse_body(scanner& in, test& t) {
    parse_init(in, t);
    if (t.dialect == "C")
        parse_functions(in, t);
    else
        parse_code(in, t);
    for (;;) {
        if (in.accept_word("locations"))
            parse_locations(in, t);
        else if (in.accept_word("filter"))
            t.filter = parse_proposition(in);
        else
            break;
    }
    if (in.at_end() && (t.dialect == "C" || !t.locations.empty()))
        t.final.how = condition::quantifier::forall; // of true
    else
        t.final = parse_condition(in);
    in.accept(";");
    pass_over_expected(in);
    // What follows `<<` is for another tool.
    if (!in.at_end() && !in.looking_at("<<")) in.expected("the end of the file");
    name_elements(t);
    check_threads(in, t);
}

test parse_test(source from) {
    test t;
    t.from = std::move(from);
    scanner in(t.from);
    parse_header(in, t);
    const std::size_t body = in.offset();
    try {
        parse_body(in, t);
    } catch (const syntax_error&) {
        if (t.dialect == "AArch64") name_unknown_feature(t.from, body);
        throw;
    }
    return t;
}

std::vector<location> shown_locations(const test& t) {
    std::vector<location> shown;
    collect_locations(t.final.what, shown);
    if (t.filter) collect_locations(*t.filter, shown);
    for (const location& l : t.locations)
        if (std::find(shown.begin(), shown.end(), l) == shown.end()) shown.push_back(l);
    std::sort(shown.begin(), shown.end());
    return shown;
}

} // namespace ringproof::litmus
