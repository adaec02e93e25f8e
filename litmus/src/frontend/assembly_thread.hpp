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
    assembly_thread(const test& t, const std::vector<asm_thread>& code, std::size_t thread, program& p,
                    path_builder& b, register_names names);
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
    bool has_label(const std::string& name) const { return here().labels.has(name); }
    /// The address of the instruction that operand `k` names, and of the one after this.
    operand_value code_address(const asm_instruction& i, std::size_t k);
    operand_value return_address();
    /// Goes on at an address of any thread's code; where it is not known, each label is tried, and all that follows
    /// depends on it. A thread that jumps elsewhere never ends.
    void jump_to(const asm_instruction& i, const operand_value& address);
    /// Reads and writes only data. @throws syntax_error
    void refuse_code(const operand_value& address) const;
    /// The same where the condition holds; all that follows depends on it.
    void jump_if(const asm_instruction& i, const operand_value& condition, std::size_t k);

    /// An exclusive load: the event, and the address that it reserves.
    void reserve(int read, const operand_value& address, int second = -1) {
        reserved_ = {read, second, address.e};
    }
    /// No address is reserved any more (CLREX).
    void clear_reservation() { reserved_ = {}; }
    /// An exclusive store: it may fail for no reason, and fails without a reservation. @returns the index of its
    /// event, or -1 if it stores nothing
    int store_reserved(const operand_value& address, const operand_value& value, const tag_set& labels);
    /// The same of a pair: the second value is stored `bytes` behind. @returns the first event
    int store_reserved_pair(const operand_value& address, const operand_value (&values)[2], int bytes,
                            const tag_set& labels);

    path_builder& builder_;

  private:
    const asm_thread& here() const { return code_[in_]; }
    const asm_instruction& current() const { return here().code[now_]; }
    std::size_t target(const asm_instruction& i, std::size_t k) const;
    operand_value address_in_code(std::size_t thread, std::size_t instruction);
    void go_to(std::size_t thread, std::size_t instruction);
    void finish_jump();
    void is_reserved(expr reserved, const operand_value& address);

    const test& test_;
    const std::vector<asm_thread>& code_;
    program& program_;
    std::map<std::string, operand_value> registers_;
    std::size_t in_, now_ = 0, next_in_ = 0, next_ = 0; ///< thread whose code runs, and instruction
    bool jump_is_known_ = false;                        ///< whatever loads return
    struct reservation {
        int read = -1;   ///< -1: there is none
        int second = -1; ///< of a pair
        expr address = no_expr;
    };
    reservation reserved_;
};

/// The program of a test before its threads have been run.
program start_assembly(const test& t, int unroll, std::string architecture, register_names names,
                       watch* time);

/// The code of all threads. Labels whose address the test uses become locations of the program.
/// @throws syntax_error, also for a label that is not there
std::vector<asm_thread> parse_threads(const test& t, program& p);

/// The threads of a test, to be run one by one.
template <class Thread>
opened_assembly open_threads(const test& t, int unroll, std::string architecture, register_names names) {
    opened_assembly o{start_assembly(t, unroll, std::move(architecture), names, nullptr), {}};
    const auto code = std::make_shared<const std::vector<asm_thread>>(parse_threads(t, o.what));
    o.run = [&t, code](program& p, std::size_t thread, path_builder& b) {
        Thread(t, *code, thread, p, b).run();
    };
    return o;
}

/// The program of a test: all paths of all its threads.
template <class Thread>
program run_assembly(const test& t, int unroll, std::string architecture, register_names names, watch* time) {
    program p = start_assembly(t, unroll, std::move(architecture), names, time);
    const std::vector<asm_thread> code = parse_threads(t, p);
    for (std::size_t thread = 0; thread < t.threads.size(); ++thread)
        find_paths(p, static_cast<int>(thread),
                   [&](path_builder& b) { Thread(t, code, thread, p, b).run(); });
    return p;
}

} // namespace ringproof::litmus
