// SPDX-License-Identifier: Apache-2.0
#pragma once
// What running AArch64 and RISC-V code has in common: registers by name, the program counter, where
// errors point. Each architecture says what an instruction does.

#include "assembly.hpp"
#include "front_ends.hpp"

#include <map>
#include <string_view>

namespace ringproof::litmus {

/// The one name of a register that may have several; empty if it is no register.
using register_names = std::string (*)(const std::string& text);

/// A thread of a test, run once along one path.
class assembly_thread {
  public:
    assembly_thread(const assembly_thread&) = delete;
    assembly_thread& operator=(const assembly_thread&) = delete;

    void run();

  protected:
    /// Takes the initial values of the registers. @throws syntax_error for one that has no name
    assembly_thread(const test& t, const asm_thread& code, std::size_t thread, program& p, path_builder& b,
                    register_names names);
    ~assembly_thread() = default;

    virtual void step(const asm_instruction& i) = 0;

    [[noreturn]] void fail(const asm_instruction& i, std::string_view message) const;
    void need(const asm_instruction& i, std::size_t operands) const;
    /// The text of operand `k`. @throws syntax_error if there are fewer
    const std::string& operand(const asm_instruction& i, std::size_t k) const;

    /// By its canonical name; 0 if nothing was said of it.
    operand_value value_of(const std::string& canonical) const;
    void set_value(const std::string& canonical, const operand_value& v) { registers_[canonical] = v; }

    /// Goes on at the label in operand `k`.
    void jump(const asm_instruction& i, std::size_t k);
    bool has_label(const std::string& name) const { return code_.labels.has(name); }
    /// The same where the condition holds; all that follows depends on it.
    void jump_if(const asm_instruction& i, const operand_value& condition, std::size_t k);

    /// An exclusive load: the event, and the address that it reserves.
    void reserve(int read, const operand_value& address) { reserved_ = {read, address.e}; }
    /// No address is reserved any more (CLREX).
    void clear_reservation() { reserved_ = {}; }
    /// An exclusive store: it may fail for no reason, and fails without a reservation. @returns the index of its
    /// event, or -1 if it stores nothing
    int store_reserved(const operand_value& address, const operand_value& value, const tag_set& labels);

    path_builder& builder_;

  private:
    const test& test_;
    const asm_thread& code_;
    std::map<std::string, operand_value> registers_;
    std::size_t next_ = 0;
    struct reservation {
        int read = -1; ///< -1: there is none
        expr address = no_expr;
    };
    reservation reserved_;
};

/// The program of a test before its threads have been run.
program start_assembly(const test& t, int unroll, std::string architecture, register_names names,
                       watch* time);

/// The threads of a test, to be run one by one.
template <class Thread>
opened_assembly open_threads(const test& t, int unroll, std::string architecture, register_names names) {
    opened_assembly o{start_assembly(t, unroll, std::move(architecture), names, nullptr), {}};
    auto code = std::make_shared<std::vector<asm_thread>>();
    for (const std::vector<cell>& cells : t.threads) code->push_back(parse_assembly(t, cells));
    o.run = [&t, code](program& p, std::size_t thread, path_builder& b) {
        Thread(t, (*code)[thread], thread, p, b).run();
    };
    return o;
}

/// The program of a test: all paths of all its threads.
template <class Thread>
program run_assembly(const test& t, int unroll, std::string architecture, register_names names, watch* time) {
    program p = start_assembly(t, unroll, std::move(architecture), names, time);
    for (std::size_t thread = 0; thread < t.threads.size(); ++thread) {
        const asm_thread code = parse_assembly(t, t.threads[thread]);
        find_paths(p, static_cast<int>(thread),
                   [&](path_builder& b) { Thread(t, code, thread, p, b).run(); });
    }
    return p;
}

} // namespace ringproof::litmus
