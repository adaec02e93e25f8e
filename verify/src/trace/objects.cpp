// SPDX-License-Identifier: Apache-2.0
#include "objects.hpp"

#include <algorithm>
#include <dwarf.h>
#include <fmt/format.h>
#include <fstream>
#include <regex>
#include <set>

namespace ringproof::verify {
namespace {

using scopes_of_call = std::vector<Dwarf_Die>;

template <class Function>
void each_child(Dwarf_Die* of, Function f) {
    Dwarf_Die child;
    if (dwarf_child(of, &child) != 0) return;
    do f(child);
    while (dwarf_siblingof(&child, &child) == 0);
}

bool is_variable(int tag) {
    return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter || tag == DW_TAG_member;
}

/// The variable, parameter or member `name` that is declared in `within` itself, or in a base class.
std::optional<Dwarf_Die> declared_in(Dwarf_Die within, const std::string& name, int depth = 0) {
    std::optional<Dwarf_Die> found;
    each_child(&within, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (found || depth > 4) return;
        if (is_variable(tag) && die_name(&child) == name) found = child;
        if (tag != DW_TAG_inheritance && tag != DW_TAG_namespace) return;
        if (tag == DW_TAG_namespace) {
            found = declared_in(child, name, depth + 1);
        } else if (auto base = type_of(&child)) {
            found = declared_in(*base, name, depth + 1);
        }
    });
    return found;
}

/// What a type refers to; the type itself where it does not.
Dwarf_Die referred(Dwarf_Die type) {
    const int tag = dwarf_tag(&type);
    if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) return type;
    const auto to = type_of(&type);
    return to ? *to : type;
}

/// The class of the function's `this`.
std::optional<Dwarf_Die> own_class(const scopes_of_call& scopes) {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
        if (auto self = declared_in(*scope, "this"))
            if (auto pointer = type_of(&*self)) return type_of(&*pointer);
    return std::nullopt;
}

/// The type of the variable or member that `name` is where the call stands.
std::optional<Dwarf_Die> type_of_name(const std::string& name, const scopes_of_call& scopes, Dwarf_Die unit) {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
        if (auto variable = declared_in(*scope, name)) return type_of(&*variable);
    if (auto within = own_class(scopes))
        if (auto member = declared_in(*within, name)) return type_of(&*member);
    if (auto variable = declared_in(unit, name)) return type_of(&*variable);
    return std::nullopt;
}

/// What a pointer points to, of the library's owners too.
std::optional<Dwarf_Die> pointee(Dwarf_Die type) {
    type = referred(type);
    if (dwarf_tag(&type) == DW_TAG_pointer_type) return type_of(&type);
    const std::string name = die_name(&type);
    const bool owns =
        name.starts_with("unique_ptr<") || name.starts_with("vector<") || name.starts_with("atomic<");
    if (!is_class(dwarf_tag(&type)) || !owns) return std::nullopt;
    auto held = first_argument(&type);
    if (!held) return std::nullopt;
    const bool within = dwarf_tag(&*held) == DW_TAG_array_type ||
                        (name.starts_with("atomic<") && dwarf_tag(&*held) == DW_TAG_pointer_type);
    if (name.starts_with("atomic<") && !within) return std::nullopt;
    return within ? type_of(&*held) : held;
}

/// The type of "rb", "q->slots", "this->slots_".
std::optional<Dwarf_Die> type_of_expression(const std::string& text, const scopes_of_call& scopes,
                                            Dwarf_Die unit) {
    static const std::regex part(R"((\w+)(->|\.|$))");
    std::optional<Dwarf_Die> type;
    for (std::sregex_iterator at(text.begin(), text.end(), part), end; at != end; ++at) {
        const std::string name = (*at)[1];
        if (at->position() == 0) {
            type = type_of_name(name, scopes, unit);
        } else if (type) {
            const Dwarf_Die object = referred(*type);
            const auto to = pointee(object);
            const auto member = declared_in(to ? *to : object, name);
            Dwarf_Die die;
            if (member) die = *member;
            type = member ? type_of(&die) : std::nullopt;
        }
        if (!type) return std::nullopt;
    }
    return type;
}

bool ends_open(Dwarf_Die type) {
    bool open = false;
    each_child(&type, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_member) return;
        auto last = type_of(&child);
        open = last && dwarf_tag(&*last) == DW_TAG_array_type && size_of(&*last) == 0;
    });
    return open;
}

/// Whether `bytes` are one object of the type, or several.
std::optional<made_object> fitting(Dwarf_Die type, std::uint64_t bytes, bool many) {
    const std::uint64_t size = size_of(&type);
    if (size == 0) return std::nullopt;
    if (!many && bytes >= size && is_class(dwarf_tag(&type)) && ends_open(type))
        return made_object{"", type, false, 0};
    if (bytes % size == 0) return made_object{"", type, many || bytes != size, 0};
    // An array whose elements have destructors begins with how many there are.
    constexpr std::uint64_t count_size = sizeof(std::size_t);
    if (many && bytes > size && (bytes - count_size) % size == 0)
        return made_object{"", type, true, count_size};
    return std::nullopt;
}

/// Adds the types called `name` in `within`, and in what it contains.
void collect_types(Dwarf_Die within, const std::string& name, std::vector<Dwarf_Die>& to) {
    each_child(&within, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        const bool is_type = is_class(tag) || tag == DW_TAG_typedef || tag == DW_TAG_base_type ||
                             tag == DW_TAG_template_type_parameter;
        const std::string own = is_type ? die_name(&child) : "";
        if (is_type && own.substr(0, own.find('<')) == name && !dwarf_hasattr(&child, DW_AT_declaration)) {
            Dwarf_Die peeled = child;
            if (tag == DW_TAG_template_type_parameter) {
                if (auto meant = type_of(&child)) to.push_back(*meant);
            } else if (dwarf_peel_type(&child, &peeled) == 0) {
                to.push_back(peeled);
            }
        }
        if (tag == DW_TAG_namespace || is_class(tag) || tag == DW_TAG_lexical_block)
            collect_types(child, name, to);
    });
}

/// The only type of the name that fits.
std::optional<made_object> by_type(const std::string& name, const scopes_of_call& scopes, Dwarf_Die unit,
                                   std::uint64_t bytes, bool many) {
    std::vector<Dwarf_Die> types;
    for (const Dwarf_Die& scope : scopes) collect_types(scope, name, types);
    if (const auto within = own_class(scopes)) collect_types(*within, name, types);
    if (types.empty()) collect_types(unit, name, types);
    std::optional<made_object> found;
    for (const Dwarf_Die& type : types) {
        const auto one = fitting(type, bytes, many);
        if (!one) continue;
        if (found && found->type.addr != one->type.addr) return std::nullopt;
        found = one;
    }
    return found;
}

/// Where in the statement the call is that allocates: of `new T`, malloc(), kzalloc_node(), std::make_unique<T>().
std::size_t allocating_call(const std::string& statement) {
    static const std::regex call(R"((\bnew\b|\b\w*alloc\w*\s*\(|\bmake_unique\s*<))");
    std::smatch found;
    return std::regex_search(statement, found, call) ? static_cast<std::size_t>(found.position())
                                                     : std::string::npos;
}

} // namespace

std::optional<made_object> object_made_by(const std::string& statement, scopes_of_call scopes, Dwarf_Die unit,
                                          std::uint64_t bytes) {
    // std::make_shared() puts a block before the object, and containers put theirs around it.
    const std::size_t call = allocating_call(statement);
    if (call == std::string::npos) return std::nullopt;
    const std::string before = statement.substr(0, call), from = statement.substr(call);
    static const std::regex target(
        R"(([A-Za-z_][\w.>-]*)\s*[=({]\s*(\([^()]*\)\s*|\w+_cast<[^<>]*>\(\s*)?(std::|::)?$)");
    static const std::regex several(R"(^(new\s+[\w:]+\s*(<[^;]*>)?\s*\[|make_unique\s*<[^;]*\[\]))");
    static const std::regex type(R"(^(?:new\s+|make_unique\s*<\s*)(?:struct\s+|const\s+)*((?:\w+::)*)(\w+))");
    static const std::regex size(R"(sizeof\s*\(\s*(?:struct\s+)?(\w+)\s*\))");
    std::smatch found;
    const bool many = std::regex_search(from, several);
    if (std::regex_search(before, found, target))
        if (auto pointer = type_of_expression(found[1], scopes, unit))
            if (auto to = pointee(*pointer))
                if (auto made = fitting(*to, bytes, many)) {
                    made->variable = found[1];
                    if (made->variable.starts_with("this->")) made->variable.erase(0, 6);
                    return made;
                }
    if (std::regex_search(from, found, type)) return by_type(found[2], scopes, unit, bytes, many);
    if (std::regex_search(from, found, size)) return by_type(found[1], scopes, unit, bytes, false);
    return std::nullopt;
}

std::string made_object::member(const std::string& name, byte_range range) const {
    const std::string unknown = fmt::format("{}+{:#x}", name, range.offset);
    if (range.offset < skipped) return unknown;
    Dwarf_Die element = type;
    const std::uint64_t size = size_of(&element), offset = range.offset - skipped;
    const bool in_one = !array || offset % size + range.size <= size;
    if (!in_one) return unknown;
    const member_place at = member_at(type, {array ? offset % size : offset, range.size});
    const std::string whole = array              ? fmt::format("{}[{}]", name, offset / size)
                              : variable.empty() ? name
                                                 : "";
    std::string path = at.path;
    if (path.empty() && at.size == 0 && (array ? offset % size : offset) != 0) return unknown;
    if (!whole.empty()) return at.of(whole + path);
    if (path.empty()) return at.of("*" + name);
    return at.of(path[0] == '.' ? name + "->" + path.substr(1) : "(*" + name + ")" + path);
}

std::string statement_at(const std::string& file, int line) {
    constexpr int most_lines = 3;
    std::ifstream source(file);
    std::string text, statement;
    std::vector<std::string> last;
    for (int n = 0; n < line && std::getline(source, text); ++n) {
        if (n >= line - most_lines) last.push_back(text.substr(0, text.find("//")));
        if (n == line - 1) break;
    }
    if (last.empty()) return "";
    // A line that begins within a statement is put behind those before it.
    std::size_t first = last.size() - 1;
    const auto complete = [](const std::string& l) {
        const auto end = l.find_last_not_of(" \t\r");
        return end == std::string::npos || l.find_last_of(";{}:", end) == end;
    };
    while (first > 0 && !complete(last[first - 1])) --first;
    for (; first < last.size(); ++first) statement += last[first] + " ";
    return statement;
}

} // namespace ringproof::verify
