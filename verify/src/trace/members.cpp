// SPDX-License-Identifier: Apache-2.0
#include "members.hpp"

#include <algorithm>
#include <dwarf.h>
#include <optional>

namespace ringproof::verify {
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

std::optional<Dwarf_Die> first_argument(Dwarf_Die* type) {
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0) return std::nullopt;
    do {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter) return type_of(&child);
    } while (dwarf_siblingof(&child, &child) == 0);
    return std::nullopt;
}

namespace {

constexpr int deepest = 8;

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

/// The element of an array, or of a std::array.
std::optional<Dwarf_Die> element_of(Dwarf_Die* type) {
    if (dwarf_tag(type) == DW_TAG_array_type) return type_of(type);
    if (is_class(dwarf_tag(type)) && die_name(type).starts_with("array<") && is_standard(type))
        return first_argument(type);
    return std::nullopt;
}

/// Where a member begins, or nothing: it is a static one.
std::optional<Dwarf_Word> place_of(Dwarf_Die* member, int within) {
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0;
    if (dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &at) == 0) return at;
    if (within == DW_TAG_union_type) return 0;
    return std::nullopt;
}

bool is_array_without_end(Dwarf_Die* type) {
    return dwarf_tag(type) == DW_TAG_array_type && size_of(type) == 0;
}

member_place place_in(Dwarf_Die type, byte_range range, int depth);

member_place place_in_element(Dwarf_Die element, byte_range range, int depth) {
    const std::uint64_t size = size_of(&element);
    if (size == 0) return {"", range, 0};
    // An access of several elements is named by the first.
    const bool in_one = range.offset % size + range.size <= size;
    member_place found{"", range, 0};
    if (in_one) found = place_in(element, {range.offset % size, range.size}, depth + 1);
    found.path = "[" + std::to_string(range.offset / size) + "]" + found.path;
    return found;
}

/// @return nothing where no member of the class `type` holds the range
std::optional<member_place> place_in_class(Dwarf_Die* type, byte_range range, int depth) {
    std::optional<member_place> best;
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0) return best;
    do {
        const int kind = dwarf_tag(&child);
        if (kind != DW_TAG_member && kind != DW_TAG_inheritance) continue;
        const auto at = place_of(&child, dwarf_tag(type));
        auto inner = type_of(&child);
        if (!at || !inner || range.offset < *at) continue;
        const bool holds = range.offset + std::max<std::uint64_t>(range.size, 1) <= *at + size_of(&*inner);
        if (!holds && !is_array_without_end(&*inner)) continue;
        member_place found = place_in(*inner, {range.offset - *at, range.size}, depth + 1);
        if (kind != DW_TAG_inheritance && !die_name(&child).empty())
            found.path = "." + die_name(&child) + found.path;
        // Of a union's members the one that is just these bytes.
        const bool fits = found.within.offset == 0 && found.within.size == found.size;
        if (fits || !best) best = std::move(found);
        if (fits || dwarf_tag(type) != DW_TAG_union_type) break;
    } while (dwarf_siblingof(&child, &child) == 0);
    return best;
}

/// Whether an access of a part of such an object is worth telling from one of all of it.
bool has_bytes(Dwarf_Die* type) {
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
    case DW_TAG_pointer_type:
    case DW_TAG_enumeration_type:
        return true;
    default:
        return is_class(dwarf_tag(type)) && die_name(type).starts_with("atomic<") && is_standard(type);
    }
}

member_place place_in(Dwarf_Die type, byte_range range, int depth) {
    const std::uint64_t size = size_of(&type);
    const bool part = range.size != 0 && range.size < size;
    const member_place all{"", range, 0};
    if (depth > deepest) return all;
    if (const auto element = element_of(&type)) {
        const bool whole = range.offset == 0 && range.size != 0 && range.size == size;
        return whole ? all : place_in_element(*element, range, depth);
    }
    if (has_bytes(&type)) {
        auto inner = part && is_class(dwarf_tag(&type)) ? first_argument(&type) : std::nullopt;
        if (inner && is_class(dwarf_tag(&*inner))) return place_in(*inner, range, depth + 1);
        return range.size == 0 ? all : member_place{"", range, size};
    }
    if (!is_class(dwarf_tag(&type)) || is_standard(&type)) return all;
    if (auto found = place_in_class(&type, range, depth)) return *found;
    // An access of several members.
    return part && range.size > 1 ? member_place{"", range, size} : all;
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

bool find_local(Dwarf_Die* scope, std::uint64_t pc, frame_place place, bool cfa_based, std::uint64_t size,
                std::string& name) {
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0) return false;
    do {
        const int tag = dwarf_tag(&child);
        // The innermost scope that covers the place comes first: blocks share stack slots.
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            if (find_local(&child, pc, place, cfa_based, size, name)) return true;
        } else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            const auto location = simple_location(&child, pc);
            auto type = type_of(&child);
            if (!location || !type) continue;
            const auto offset = distance(*location, place, cfa_based);
            if (!offset || *offset < 0 || static_cast<std::uint64_t>(*offset) >= size_of(&*type) ||
                die_name(&child).empty())
                continue;
            const member_place at = member_of(&child, {static_cast<std::uint64_t>(*offset), size});
            name = at.of(die_name(&child) + at.path);
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

std::string member_place::of(const std::string& name) const {
    if (size == 0 || (within.offset == 0 && within.size >= size)) return name;
    if (within.size == 1) return "byte " + std::to_string(within.offset) + " of " + name;
    return "bytes " + std::to_string(within.offset) + " to " +
           std::to_string(within.offset + within.size - 1) + " of " + name;
}

member_place member_at(Dwarf_Die type, byte_range range) { return place_in(type, range, 0); }

member_place member_of(Dwarf_Die* variable, byte_range range) {
    const auto type = type_of(variable);
    return type ? place_in(*type, range, 0) : member_place{"", range, 0};
}

std::string local_variable(Dwarf_Die* function, std::uint64_t pc, frame_place place, std::uint64_t size) {
    std::string name;
    find_local(function, pc, place, based_on_cfa(function, pc), size, name);
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
