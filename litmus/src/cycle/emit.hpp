// SPDX-License-Identifier: Apache-2.0
#pragma once
// A cycle as the text of a test, in the form that herd7 and litmus7 read.

#include "cycle.hpp"

namespace ringproof::litmus::cycles {

struct emitted_test {
    std::string name;
    std::string text;
    /// Where each load's value is at the end ("1:X0"), in the order of the cycle's accesses; empty for stores.
    std::vector<std::string> registers;
    std::vector<std::string> locations; ///< "x", "y", …
};

/// @param show_all the test prints every load and location, not only those its condition speaks of
/// @throws bad_cycle when a thread needs more registers than there are
emitted_test emit(const dialect& d, const cycle& c, bool show_all);

/// The accesses of one thread: indices into cycle::accesses.
struct thread_range {
    std::size_t begin = 0, end = 0;
};
std::vector<thread_range> threads_of(const cycle& c);
std::string location_name(int location);

/// A thread in lines of assembly, with what its registers hold at the start.
struct assembly_thread {
    std::vector<std::string> lines;
    std::vector<std::string> initial; ///< "X1=x"
};

/// Each fills `registers` with the names of the loads of the thread, without the thread's number.
assembly_thread emit_x86(const dialect& d, const cycle& c, thread_range r,
                         std::vector<std::string>& registers);
assembly_thread emit_aarch64(const dialect& d, const cycle& c, thread_range r,
                             std::vector<std::string>& registers);
assembly_thread emit_riscv(const dialect& d, const cycle& c, thread_range r,
                           std::vector<std::string>& registers);
std::string emit_c_thread(const dialect& d, const cycle& c, thread_range r, int thread,
                          std::vector<std::string>& registers);

} // namespace ringproof::litmus::cycles
