// SPDX-License-Identifier: Apache-2.0
#include "assembly_thread.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace ringproof::litmus {

program start_assembly(const test& t, int unroll, std::string architecture, register_names names,
                       watch* time) {
    program p;
    p.architecture = std::move(architecture);
    p.time = time;
    p.unroll = unroll;
    p.canonical_register = [names](const std::string& text) {
        const std::string name = names(text);
        return name.empty() ? text : name;
    };
    set_initial_state(p, t);
    p.threads.resize(t.threads.size());
    return p;
}

/// Does an instruction of this thread take or follow the address of an instruction?
static bool uses_addresses(const asm_thread& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(), [&](const asm_instruction& i) {
        const bool follows = i.name == "bl" || i.name == "blr" || i.name == "br" || i.name == "ret";
        return follows || (i.name == "adr" && i.operands.size() == 2 &&
                           (thread.labels.has(i.operands[1]) || i.operands[1].starts_with('.')));
    });
}

/// The name of an instruction's address, or if nothing labels it, its distance from the start in bytes.
static std::string address_name(const std::vector<asm_thread>& code, std::size_t thread,
                                std::size_t instruction) {
    constexpr std::size_t bytes_of_instruction = 4;
    const std::string label = code[thread].labels.name_of(instruction);
    return label_value(thread,
                       label.empty() ? fmt::format("+{}", bytes_of_instruction * instruction) : label);
}

/// Is it the address of a label, or one that a call returns to?
static bool may_be_jumped_to(const asm_thread& thread, std::size_t instruction) {
    if (!thread.labels.name_of(instruction).empty()) return true;
    if (instruction == 0) return false;
    const std::string& before = thread.code[instruction - 1].name;
    return before == "bl" || before == "blr";
}

std::vector<asm_thread> parse_threads(const test& t, program& p) {
    std::vector<asm_thread> threads;
    for (const std::vector<cell>& cells : t.threads) threads.push_back(parse_assembly(t, cells));
    const auto holds_address = [](const init_entry& e) { return e.symbol.starts_with("label:"); };
    const bool used = std::any_of(t.init.begin(), t.init.end(), holds_address) ||
                      std::any_of(threads.begin(), threads.end(), uses_addresses);
    for (std::size_t k = 0; used && k < threads.size(); ++k) {
        for (std::size_t i = 0; i <= threads[k].code.size(); ++i)
            if (may_be_jumped_to(threads[k], i)) p.code_index(address_name(threads, k, i));
        for (const auto& [name, instruction] : threads[k].labels.all())
            p.arrays[label_value(k, name)] = p.code_index(address_name(threads, k, instruction));
    }
    for (const init_entry& e : t.init)
        if (holds_address(e) && !p.is_code(p.address(p.location_index(e.symbol))))
            throw syntax_error(t.from, e.offset, fmt::format("there is no {}", e.symbol));
    return threads;
}

assembly_thread::assembly_thread(const test& t, const std::vector<asm_thread>& code, std::size_t thread,
                                 program& p, path_builder& b, register_names names)
    : builder_(b), test_(t), code_(code), program_(p), in_(thread) {
    for (const init_entry& entry : t.init) {
        if (!entry.where.is_register() || entry.where.thread != static_cast<int>(thread)) continue;
        const std::string r = names(entry.where.name);
        if (r.empty())
            throw syntax_error(t.from, entry.where.offset,
                               fmt::format("expected a register, found '{}'", entry.where.name));
        registers_[r] = initial_register(p, entry);
    }
}

void assembly_thread::run() {
    // So that a loop whose condition never changes has an end: its rounds are not counted.
    std::size_t steps = 0;
    while (now_ < here().code.size()) {
        if (++steps > most_instructions) throw path_too_long{};
        builder_.instruction(current().offset);
        go_to(in_, now_ + 1);
        jump_is_known_ = false;
        step(current());
        finish_jump();
    }
    for (const auto& [name, v] : registers_) builder_.current().registers[name] = v.e;
}

void assembly_thread::go_to(std::size_t thread, std::size_t instruction) {
    next_in_ = thread;
    next_ = instruction;
}

/// A jump backwards is a round of a loop. One into the code of another thread may be.
void assembly_thread::finish_jump() {
    if (next_in_ != in_ || next_ <= now_)
        builder_.went_back(next_in_ * (most_instructions + 1) + next_, !jump_is_known_);
    in_ = next_in_;
    now_ = next_;
}

operand_value assembly_thread::address_in_code(std::size_t thread, std::size_t instruction) {
    const std::int32_t where = program_.code_index(address_name(code_, thread, instruction));
    return {builder_.values().constant(program_.address(where)), 0, 0};
}

operand_value assembly_thread::code_address(const asm_instruction& i, std::size_t k) {
    return address_in_code(in_, target(i, k));
}

operand_value assembly_thread::return_address() { return address_in_code(in_, now_ + 1); }

void assembly_thread::jump_to(const asm_instruction& i, const operand_value& address) {
    for (std::size_t thread = 0; thread < code_.size(); ++thread)
        for (std::size_t at = 0; at <= code_[thread].code.size(); ++at) {
            if (!may_be_jumped_to(code_[thread], at)) continue;
            const operand_value is_here =
                builder_.apply(expressions::op::equal, address, address_in_code(thread, at));
            if (!builder_.branch(is_here)) continue;
            jump_is_known_ = (address.from | address.picked) == 0;
            return go_to(thread, at);
        }
    if ((address.from | address.picked) == 0)
        fail(i,
             fmt::format("'{}' jumps to what is not the address of a label: give its register one, such as "
                         "0:X1=P0:L",
                         i.name));
    throw path_ends{};
}

void assembly_thread::refuse_code(const operand_value& address) const {
    if (!builder_.values().is_constant(address.e)) return;
    if (program_.is_code(builder_.values().constant_of(address.e)))
        fail(current(), "an instruction that is loaded or stored as data is not supported");
}

void assembly_thread::fail(const asm_instruction& i, std::string_view message) const {
    throw syntax_error(test_.from, i.offset, message);
}

void assembly_thread::need(const asm_instruction& i, std::size_t operands) const {
    if (i.operands.size() != operands)
        fail(i, fmt::format("'{}' takes {} operands here, found {}", i.name, operands, i.operands.size()));
}

const std::string& assembly_thread::operand(const asm_instruction& i, std::size_t k) const {
    if (k >= i.operands.size()) fail(i, fmt::format("'{}' needs more operands", i.name));
    return i.operands[k];
}

operand_value assembly_thread::value_of(const std::string& canonical) const {
    const auto at = registers_.find(canonical);
    return at == registers_.end() ? builder_.constant(0) : at->second;
}

void assembly_thread::jump_if(const asm_instruction& i, const operand_value& condition, std::size_t k) {
    if (!builder_.branch(condition)) return;
    jump(i, k);
    jump_is_known_ = (condition.from | condition.picked) == 0;
}

/// A store-exclusive to another address than its load's is unpredictable: no execution.
void assembly_thread::is_reserved(expr reserved, const operand_value& address) {
    const operand_value before{reserved, address.from, address.picked};
    if (!builder_.assume(builder_.apply(expressions::op::equal, before, address))) throw path_ends{};
}

int assembly_thread::store_reserved(const operand_value& address, const operand_value& value,
                                    const tag_set& labels) {
    const reservation before = std::exchange(reserved_, {});
    if (before.second >= 0)
        fail(current(),
             "a store-exclusive of one register after a load-exclusive of a pair is not supported");
    if (before.read < 0 || !builder_.either()) return -1;
    const int write = builder_.write(address, value, labels);
    is_reserved(before.address, address);
    builder_.rmw(before.read, write, true);
    return write;
}

int assembly_thread::store_reserved_pair(const operand_value& address, const operand_value (&values)[2],
                                         int bytes, const tag_set& labels) {
    const reservation before = std::exchange(reserved_, {});
    if (before.read >= 0 && before.second < 0)
        fail(current(),
             "a store-exclusive of a pair after a load-exclusive of one register is not supported");
    if (before.read < 0 || builder_.at(before.read).bytes != bytes || !builder_.either()) return -1;
    is_reserved(before.address, address);
    const operand_value behind = builder_.apply(expressions::op::add, address, builder_.constant(bytes));
    const int first = builder_.write(address, values[0], labels);
    const int second = builder_.write(behind, values[1], labels);
    builder_.rmw(before.read, first, true);
    builder_.rmw(before.second, second, true);
    for (const int write : {first, second}) builder_.at(write).bytes = bytes;
    builder_.at(second).unsequenced |= load_set{1} << first;
    builder_.one_access(first, second);
    return first;
}

void assembly_thread::jump(const asm_instruction& i, std::size_t k) { go_to(in_, target(i, k)); }

std::size_t assembly_thread::target(const asm_instruction& i, std::size_t k) const {
    const std::string& to = operand(i, k);
    if (to.empty() || to.front() != '.' || has_label(to))
        return here().labels.target(test_.from, i.offset, to);
    constexpr std::int64_t bytes_of_instruction = 4;
    std::int64_t distance = 0;
    const auto end = static_cast<std::int64_t>(here().code.size());
    const bool forwards = to.starts_with(".+");
    if (!parse_immediate(std::string_view(to).substr(forwards ? 2 : 1), distance) ||
        distance % bytes_of_instruction != 0)
        fail(i, fmt::format("expected a distance in bytes, which is a multiple of 4, such as .+8, found '{}'",
                            to));
    const std::int64_t at = static_cast<std::int64_t>(now_) + distance / bytes_of_instruction;
    if (at < 0 || at > end) fail(i, fmt::format("'{}' is outside of the thread", to));
    return static_cast<std::size_t>(at);
}

} // namespace ringproof::litmus
