// SPDX-License-Identifier: Apache-2.0
// AArch64: instructions that access two registers' worth of memory.
#include "aarch64_thread.hpp"

#include <array>

namespace ringproof::litmus {

/// LDP and STP: two accesses that nothing orders.
bool arm_thread::pair(const asm_instruction& i) {
    const bool is_load = i.name == "ldp" || i.name == "ldnp" || i.name == "ldpsw";
    if (!is_load && i.name != "stp" && i.name != "stnp") return false;
    const reg registers[] = {reg_at(i, 0), reg_at(i, 1)};
    const int bytes = registers[0].wide && i.name != "ldpsw" ? 8 : 4;
    const operand_value values[] = {get(registers[0]), get(registers[1])};
    const place p = address(i, 2);
    operand_value loaded[2];
    int events[2];
    for (const int k : {0, 1}) {
        const operand_value at = builder_.apply(op::add, p.address, builder_.constant(k * bytes));
        events[k] = is_load ? read(at, bytes, i.name == "ldpsw", registers[0].wide, {}, loaded[k])
                            : write(at, bytes, values[k], {});
    }
    builder_.at(events[1]).unsequenced |= load_set{1} << events[0];
    write_back(p);
    if (is_load)
        for (const int k : {0, 1}) set(registers[k], loaded[k]);
    return true;
}

/// LDIAPP and STILP: two accesses in the order of a stack. That of the first register comes first, except where STILP
/// pushes both.
bool arm_thread::ordered_pair(const asm_instruction& i) {
    const bool is_load = i.name == "ldiapp";
    if (!is_load && i.name != "stilp") return false;
    const reg registers[] = {reg_at(i, 0), reg_at(i, 1)};
    const int bytes = registers[0].wide ? 8 : 4;
    const operand_value values[] = {get(registers[0]), get(registers[1])};
    const place p = address(i, 2);
    const bool pushes = !is_load && p.written_back.has_value();
    const tag_set set_of = access_tags({true, true}, is_load, false, false, true);
    int last = -1;
    operand_value loaded[2];
    for (const int k : pushes ? std::array{1, 0} : std::array{0, 1}) {
        const operand_value at = builder_.apply(op::add, p.address, builder_.constant(k * bytes));
        const int event = is_load ? read(at, bytes, false, registers[0].wide, set_of, loaded[k])
                                  : write(at, bytes, values[k], set_of);
        if (last >= 0) {
            builder_.at(event).unsequenced |= load_set{1} << last;
            builder_.in_order(last, event);
        }
        last = event;
    }
    write_back(p);
    if (is_load)
        for (const int k : {0, 1}) set(registers[k], loaded[k]);
    return true;
}

/// LDXP, LDAXP, STXP and STLXP: the two accesses are one.
bool arm_thread::exclusive_pair(const asm_instruction& i) {
    const bool orders = i.name == "ldaxp" || i.name == "stlxp";
    const bool is_load = i.name == "ldxp" || i.name == "ldaxp",
               is_store = i.name == "stxp" || i.name == "stlxp";
    if (!is_load && !is_store) return false;
    const std::size_t first = is_store ? 1 : 0;
    need(i, first + 3);
    const reg registers[] = {reg_at(i, first), reg_at(i, first + 1)};
    const int bytes = registers[0].wide ? 8 : 4;
    const operand_value at = address(i, first + 2).address;
    const tag_set set_of = access_tags({orders, orders}, is_load, false, true);
    refuse_code(at);
    if (is_store) {
        const operand_value values[] = {get(registers[0]), get(registers[1])};
        const bool stored = store_reserved_pair(at, values, bytes, set_of) >= 0;
        set(reg_at(i, 0), builder_.constant(stored ? 0 : 1));
        return true;
    }
    operand_value loaded[2];
    int events[2];
    for (const int k : {0, 1}) {
        const operand_value one = builder_.apply(op::add, at, builder_.constant(k * bytes));
        events[k] = read(one, bytes, false, registers[0].wide, set_of, loaded[k]);
    }
    builder_.at(events[1]).unsequenced |= load_set{1} << events[0];
    builder_.one_access(events[0], events[1]);
    reserve(events[0], at, events[1]);
    for (const int k : {0, 1}) set(registers[k], loaded[k]);
    return true;
}

/// CASP: two accesses of a register each, of which both succeed or none.
bool arm_thread::compare_and_swap_pair(const asm_instruction& i) {
    const auto order =
        i.name.starts_with("casp") ? form_of(std::string_view(i.name).substr(4)) : std::nullopt;
    if (!order) return false;
    const atomic_form& f = *order;
    need(i, 5);
    const reg expected[] = {reg_at(i, 0), reg_at(i, 1)}, desired[] = {reg_at(i, 2), reg_at(i, 3)};
    const int bytes = expected[0].wide ? 8 : 4;
    const operand_value at = address(i, 4).address;
    const bool succeeds = builder_.either(), writes = succeeds || builder_.either();
    const bool from_memory = !succeeds || builder_.either();
    tag_set read_tags = access_tags(f, true, true, false);
    if (!writes) read_tags.reset(tag_index("X"));
    operand_value places[2], loaded[2], compared[2];
    int reads[2], stores[2];
    for (const int k : {0, 1}) {
        places[k] = builder_.apply(op::add, at, builder_.constant(k * bytes));
        compared[k] = get(expected[k]);
        reads[k] = read(places[k], bytes, false, expected[0].wide, read_tags, loaded[k]);
    }
    builder_.at(reads[1]).unsequenced |= load_set{1} << reads[0];
    const load_set picked = compared[0].picked | compared[1].picked | loaded[0].picked | loaded[1].picked;
    for (const int k : {0, 1}) {
        if (!writes) break;
        operand_value v = succeeds ? get(desired[k]) : loaded[k];
        v.picked |= picked;
        stores[k] = write(places[k], bytes, v, access_tags(f, false, true, false));
        builder_.rmw(reads[k], stores[k], false);
        builder_.at(stores[k]).unsequenced |= load_set{1} << reads[1 - k];
        if (k == 1) builder_.at(stores[1]).unsequenced |= load_set{1} << stores[0];
    }
    const auto equal = [&](int k) {
        return builder_.apply(op::equal, narrow(expected[0], loaded[k]), compared[k]);
    };
    const operand_value both = builder_.apply(op::bit_and, equal(0), equal(1));
    if (!builder_.assume(succeeds ? both : builder_.negated(both))) throw path_ends{};
    for (const int k : {0, 1}) {
        operand_value v = loaded[k];
        if (!from_memory) v.from = compared[k].from;
        if (writes) v.picked |= picked;
        set(expected[k], v);
    }
    return true;
}

} // namespace ringproof::litmus
