// SPDX-License-Identifier: Apache-2.0
// The handler runs on its own stack, as the fault may be an overflow of the thread's; it only makes the
// thread continue in a function that reports the failure, on the thread's stack, like any other.

#include "signals.hpp"

#include "../explore/explorer.hpp"

#include <iterator>
#include <ucontext.h>

namespace ringproof::verify {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
alignas(16) char handler_stack[64 * 1024];

struct fault {
    int signal;
    std::uintptr_t address, site;
    bool overflow;
} last_fault;

const char* description() {
    if (last_fault.overflow) return "stack overflow (1 MiB per thread)";
    switch (last_fault.signal) {
    case SIGFPE:
        return "arithmetic fault: a division by zero, say";
    case SIGILL:
        return "illegal instruction: __builtin_trap or unreachable code, say";
    default:
        return "wild access: nothing is mapped at this address, or it is read-only";
    }
}

[[noreturn]] void report_fault() {
    explorer::active()->fail_here(failure_kind::wild_access, description(), last_fault.site,
                                  last_fault.address);
}

/// Makes the interrupted context continue in report_fault(), with its stack pointer at `stack` or, if
/// that is 0, below where it is now.
bool redirect(void* context, std::uintptr_t stack) {
    auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    constexpr std::uintptr_t red_zone = 256;
#if defined(__x86_64__)
    auto& pc = machine.gregs[REG_RIP];
    auto& sp = machine.gregs[REG_RSP];
    last_fault.site =
        static_cast<std::uintptr_t>(pc) + 1; // as a return address: one past the instruction's begin
    const std::uintptr_t from = stack ? stack : static_cast<std::uintptr_t>(sp) - red_zone;
    sp = static_cast<greg_t>((from & ~std::uintptr_t{15}) - 8); // as after a call
    pc = reinterpret_cast<greg_t>(&report_fault);
    return true;
#elif defined(__aarch64__)
    last_fault.site = machine.pc + 1;
    const std::uintptr_t from = stack ? stack : machine.sp - red_zone;
    machine.sp = from & ~std::uintptr_t{15};
    machine.pc = reinterpret_cast<std::uintptr_t>(&report_fault);
    return true;
#else
    (void)machine;
    (void)stack;
    return false;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
    if (explorer::running()) {
        explorer& engine = *explorer::active();
        const program_memory& memory = engine.memory();
        last_fault.signal = signal;
        last_fault.address =
            signal == SIGFPE || signal == SIGILL ? 0 : reinterpret_cast<std::uintptr_t>(info->si_addr);
        const memory_range own = memory.stack(engine.self().id);
        last_fault.overflow = last_fault.address < own.begin && last_fault.address + 65'536 >= own.begin;
        // The frames that overflowed are never returned to.
        if (redirect(context, last_fault.overflow ? own.end - 4096 : 0)) return;
    }
    ::signal(signal,
             SIG_DFL); // not the program's: the instruction faults again, and the system deals with it
}

} // namespace

fault_handlers::fault_handlers() {
    stack_t own{};
    own.ss_sp = handler_stack;
    own.ss_size = sizeof handler_stack;
    sigaltstack(&own, &stack_before_);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &action, &before_[i]);
}

fault_handlers::~fault_handlers() {
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
    sigaltstack(&stack_before_, nullptr);
}

} // namespace ringproof::verify
