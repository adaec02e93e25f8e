// SPDX-License-Identifier: Apache-2.0
#pragma once
// One execution of a function of a C test: c.cpp has statements and expressions, c_memory.cpp what calls do to memory.

#include "c_calls.hpp"
#include "c_syntax.hpp"
#include "program.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::litmus::c {

class c_thread {
  public:
    /// Runs it. @throws syntax_error
    c_thread(const test& t, const function& f, bool linux_kernel, std::size_t thread, litmus::program& p,
             path_builder& b);

  private:
    [[noreturn]] void fail(std::size_t offset, std::string_view message) const;
    void run(const std::vector<statement>& body);
    void run(const statement& s);
    bool is_parameter(const std::string& name) const;
    // Each access is an instruction of its own; the second half of a read-modify-write is not.
    int load(const operand_value& address, const tag_set& labels, operand_value& v);
    int store(const operand_value& address, const operand_value& v, const tag_set& labels);
    void barrier(const tag_set& labels);
    void update(const operand_value& address, const tag_set& labels, operand_value& old,
                const std::function<operand_value(const operand_value&)>& make);
    /// Of a plain access.
    tag_set plain() const;
    operand_value truth(const operand_value& v);
    operand_value negation(const operand_value& v);
    operand_value eval(const c::expression& e);
    std::size_t events();
    operand_value binary(const c::expression& e);
    /// Does any statement give this local variable a value?
    static bool sets(const std::vector<statement>& body, const std::string& name);

    // ---- calls

    operand_value object(const c::expression& e, bool is_lvalue);
    operand_value compute(arithmetic how, const operand_value& a, const operand_value& b);
    std::string order_argument(const c::expression& e);
    operand_value call(const c::expression& e);
    /// What a macro file makes of a call. The operator that some have as second argument is part of the meaning.
    operand_value primitive(const c::expression& e);
    operand_value carry_out(const c::expression& e, call_meaning m,
                            const std::vector<const c::expression*>& parts);
    /// C11's read-modify-writes are one event, the kernel's are two.
    operand_value modify(const operand_value& to, const call_meaning& m,
                         const std::function<operand_value(const operand_value&)>& make);
    void take_lock(const operand_value& to);
    operand_value compare_exchange(const std::vector<const c::expression*>& parts, const call_meaning& m);

    const test& test_;
    const function& function_;
    bool linux_;
    std::size_t offset_ = 0; ///< of what is being executed
    path_builder& builder_;
    std::map<std::string, operand_value> locals_;
};

} // namespace ringproof::litmus::c
