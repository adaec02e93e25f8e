// SPDX-License-Identifier: Apache-2.0
#include "members.hpp"

#include <dwarf.h>
#include <optional>

namespace ringproof::verify {
namespace {

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type)) return std::nullopt;
    Dwarf_Die peeled;
    if (dwarf_peel_type(&type, &peeled) != 0) return std::nullopt;
    return peeled;
}

std::uint64_t size_of(Dwarf_Die* type) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

bool is_class(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// Whether a class is the standard library's: it lies within a namespace std of its unit.
bool is_standard(Dwarf_Die* type) {
    const Dwarf_Off place = dwarf_dieoffset(type);
    Dwarf_Die unit, child, next;
    if (!dwarf_diecu(type, &unit, nullptr, nullptr) || dwarf_child(&unit, &child) != 0) return false;
    for (bool more = true; more && dwarf_dieoffset(&child) < place; child = next) {
        more = dwarf_siblingof(&child, &next) == 0;
        if (more && dwarf_dieoffset(&next) <= place) continue;
        return dwarf_tag(&child) == DW_TAG_namespace && die_name(&child) == "std";
    }
    return false;
}

std::string path_in(Dwarf_Die type, std::uint64_t offset, int depth) {
    if (depth > 8) return "";
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_array_type) {
        auto element = type_of(&type);
        const std::uint64_t size = element ? size_of(&*element) : 0;
        if (size == 0) return "";
        return "[" + std::to_string(offset / size) + "]" + path_in(*element, offset % size, depth + 1);
    }
    Dwarf_Die child;
    if (!is_class(tag) || is_standard(&type) || dwarf_child(&type, &child) != 0) return "";
    do {
        const int kind = dwarf_tag(&child);
        if (kind != DW_TAG_member && kind != DW_TAG_inheritance) continue;
        Dwarf_Attribute attribute;
        Dwarf_Word at = 0;
        if (dwarf_formudata(dwarf_attr(&child, DW_AT_data_member_location, &attribute), &at) != 0 &&
            tag != DW_TAG_union_type)
            continue; // a static member
        auto inner = type_of(&child);
        if (!inner || offset < at || offset >= at + size_of(&*inner)) continue;
        const std::string rest = path_in(*inner, offset - at, depth + 1);
        return kind == DW_TAG_inheritance || die_name(&child).empty() ? rest : "." + die_name(&child) + rest;
    } while (dwarf_siblingof(&child, &child) == 0);
    return "";
}

/// The only operation of a variable's location, when it is one of a kind that needs no register.
std::optional<Dwarf_Op> simple_location(Dwarf_Die* variable, std::uint64_t pc) {
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(variable, DW_AT_location, &attribute)) return std::nullopt;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation_addr(&attribute, pc, &operations, &count, 1) < 1 || count != 1) return std::nullopt;
    return operations[0];
}

#if defined(__aarch64__)
constexpr int stack_pointer_based = DW_OP_breg31, frame_pointer_based = DW_OP_breg29;
#else
constexpr int stack_pointer_based = DW_OP_breg7, frame_pointer_based = DW_OP_breg6;
#endif

/// How far `place` is from where the variable's location counts from; nothing when that is unknown.
std::optional<std::int64_t> distance(const Dwarf_Op& location, frame_place place, bool cfa_based) {
    const std::int64_t from_cfa = -static_cast<std::int64_t>(place.below);
    const std::int64_t from_frame_pointer = from_cfa + 16; // which is below it and the return address
    const auto offset = static_cast<std::int64_t>(location.number);
    if (location.atom == DW_OP_fbreg) return (cfa_based ? from_cfa : from_frame_pointer) - offset;
    if (location.atom == stack_pointer_based) return static_cast<std::int64_t>(place.above) - offset;
    if (location.atom == frame_pointer_based) return from_frame_pointer - offset;
    return std::nullopt;
}

/// Whether the function's frame base is its canonical frame address, rather than its frame pointer.
bool based_on_cfa(Dwarf_Die* function, std::uint64_t pc) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    return !dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
           dwarf_getlocation_addr(&attribute, pc, &operations, &count, 1) < 1 || count != 1 ||
           operations[0].atom == DW_OP_call_frame_cfa;
}

bool find_local(Dwarf_Die* scope, std::uint64_t pc, frame_place place, bool cfa_based, std::string& name) {
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0) return false;
    do {
        const int tag = dwarf_tag(&child);
        // The innermost scope that covers the place comes first: blocks share stack slots.
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            if (find_local(&child, pc, place, cfa_based, name)) return true;
        } else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            const auto location = simple_location(&child, pc);
            auto type = type_of(&child);
            if (!location || !type) continue;
            const auto offset = distance(*location, place, cfa_based);
            if (!offset || *offset < 0 || static_cast<std::uint64_t>(*offset) >= size_of(&*type) ||
                die_name(&child).empty())
                continue;
            name = die_name(&child) + member_path(&child, static_cast<std::uint64_t>(*offset));
            return true;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

} // namespace

std::string die_name(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    const char* name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return name ? name : "";
}

std::string member_path(Dwarf_Die* variable, std::uint64_t offset) {
    const auto type = type_of(variable);
    return type ? path_in(*type, offset, 0) : "";
}

std::string local_variable(Dwarf_Die* function, std::uint64_t pc, frame_place place) {
    std::string name;
    find_local(function, pc, place, based_on_cfa(function, pc), name);
    return name;
}

void collect_variables(Dwarf_Die* scope, std::map<std::uint64_t, Dwarf_Die>& to) {
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0) return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            if (const auto location = simple_location(&child, 0); location && location->atom == DW_OP_addr)
                to.emplace(location->number, child);
            break;
        case DW_TAG_namespace:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
            collect_variables(&child, to);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

} // namespace ringproof::verify
