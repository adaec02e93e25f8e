// SPDX-License-Identifier: Apache-2.0
#include "assembly_thread.hpp"

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

assembly_thread::assembly_thread(const test& t, const asm_thread& code, std::size_t thread, program& p,
                                 path_builder& b, register_names names)
    : builder_(b), test_(t), code_(code) {
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
    for (std::size_t pc = 0; pc < code_.code.size();) {
        const asm_instruction& i = code_.code[pc];
        builder_.instruction(i.offset);
        next_ = pc + 1;
        step(i);
        if (next_ <= pc) builder_.went_back();
        pc = next_;
    }
    for (const auto& [name, v] : registers_) builder_.current().registers[name] = v.e;
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
    if (builder_.branch(condition)) jump(i, k);
}

int assembly_thread::store_reserved(const operand_value& address, const operand_value& value,
                                    const tag_set& labels) {
    const reservation before = std::exchange(reserved_, {});
    if (before.read < 0 || !builder_.either()) return -1;
    const int write = builder_.write(address, value, labels);
    if (before.address != address.e) throw path_ends{}; // unpredictable; not an execution
    builder_.rmw(before.read, write, true);
    return write;
}

void assembly_thread::jump(const asm_instruction& i, std::size_t k) {
    const std::string& to = operand(i, k);
    if (to.empty() || to.front() != '.') {
        next_ = code_.labels.target(test_.from, i.offset, to);
        return;
    }
    constexpr std::int64_t bytes_of_instruction = 4;
    std::int64_t distance = 0;
    const std::int64_t here = &i - code_.code.data(), end = static_cast<std::int64_t>(code_.code.size());
    const bool forwards = to.starts_with(".+");
    if (!parse_immediate(std::string_view(to).substr(forwards ? 2 : 1), distance) ||
        distance % bytes_of_instruction != 0)
        fail(i, fmt::format("expected a distance in bytes, which is a multiple of 4, such as .+8, found '{}'",
                            to));
    const std::int64_t target = here + distance / bytes_of_instruction;
    if (target < 0 || target > end) fail(i, fmt::format("'{}' is outside of the thread", to));
    next_ = static_cast<std::size_t>(target);
}

} // namespace ringproof::litmus
