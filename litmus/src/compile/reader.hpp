// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a compiled function to a thread of a machine's litmus test. Instructions stay as they are. What a test has no words
// for is put in other words:
//
//  - the address of a location: a register that the function does not use holds it from the start, and instructions that
//    build the address (adrp and :lo12:, lui and %lo) copy it;
//  - stack slots: a register that the function does not use. A thread's own memory orders nothing that the register does
//    not order by its dependencies;
//  - return: a jump behind the last instruction.

#include "lines.hpp"

#include <memory>
#include <set>

namespace ringproof::litmus::compiled {

struct machine_thread {
    std::vector<std::string> rows;
    std::map<std::string, std::string> addresses; ///< register -> location, at the start
    /// Jumps to a place further up that belong to no loop: compilers lay out code in any order.
    int jumps_back = 0;
};

/// Names of the compiled text -> names of the test.
using symbol_names = std::map<std::string, std::string>;

class thread_reader {
  public:
    virtual ~thread_reader() = default;
    thread_reader(const thread_reader&) = delete;
    thread_reader& operator=(const thread_reader&) = delete;

    /// @throws unreadable
    machine_thread read();

  protected:
    /// @param jump the instruction that jumps to a label
    thread_reader(const code& function, const symbol_names& symbols, std::string jump);

    virtual void step(const code_line& l) = 0;

    void emit(std::string row) { thread_.rows.push_back(std::move(row)); }
    void emit(const code_line& l, const std::vector<std::string>& operands);
    /// Return: the thread ends here.
    void leave();
    /// What the label that `l` jumps to is called in the test. @throws unreadable for one outside of the function
    std::string label(const code_line& l, const std::string& name);
    std::string fresh_label();
    /// The location that a symbol of the compiled text stands for. @throws unreadable
    const std::string& location_of(const code_line& l, const std::string& symbol) const;
    /// A register that holds the address of a symbol.
    std::string address_register(const code_line& l, const std::string& symbol);
    /// A register for a value that is used at once.
    const std::string& scratch_register(const code_line& l);
    /// A register for a stack slot of this size. @throws unreadable for a slot that is used in two sizes
    std::string slot_register(const code_line& l, long offset, int bytes);

    /// Registers that hold the upper bits of an address, and the symbol whose address it is.
    using page_table = std::map<std::string, std::string>;
    page_table pages_;
    /// Registers that no instruction names, those to be taken first last.
    std::vector<std::string> free_;
    long depth_ = 0; ///< of the stack below where it was at the start, in bytes

  private:
    std::string take_register(const code_line& l);
    void arrive(const std::string& label);

    const code& function_;
    const symbol_names& symbols_;
    std::string jump_;
    machine_thread thread_;
    std::map<std::string, std::string> labels_, holders_;
    std::size_t fresh_ = 0;
    std::string scratch_;
    bool leaves_early_ = false, last_ = false, falls_through_ = true;
    std::map<std::string, long> depths_;         ///< of the stack, at labels
    std::map<std::string, page_table> pages_at_; ///< at labels, from the jumps before them
    struct slot {
        std::string name;
        int bytes;
    };
    std::map<long, slot> slots_;
};

/// A whole number in decimal or hexadecimal, with # or $ before it or not; false if it is none.
bool parse_number(std::string_view text, long& n);

std::unique_ptr<thread_reader> aarch64_reader(const code& function, const symbol_names& symbols,
                                              std::size_t thread);
std::unique_ptr<thread_reader> riscv_reader(const code& function, const symbol_names& symbols,
                                            std::size_t thread);
std::unique_ptr<thread_reader> x86_reader(const code& function, const symbol_names& symbols,
                                          std::size_t thread);

} // namespace ringproof::litmus::compiled
