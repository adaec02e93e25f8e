// SPDX-License-Identifier: Apache-2.0
// The handler runs on its own stack, as the fault may be an overflow of the thread's; it only makes the
// thread continue in a function that reports the failure, on the thread's stack, like any other.

#include "signals.hpp"

#include "../runtime/runtime.hpp"

#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#if defined(__x86_64__)
#define RINGPROOF_REALIGN __attribute__((force_align_arg_pointer))
#else
#define RINGPROOF_REALIGN
#endif

namespace ringproof::verify {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
alignas(16) char handler_stack[64 * 1024];

struct fault {
    int signal;
    std::uintptr_t address, site;
    bool overflow;
} last_fault;

// So often a look is taken whether the program's code has to be stopped in the middle.
constexpr timeval tick{0, 100'000};
std::uint64_t events_at_tick;
unsigned idle_ticks;

const char* description() {
    if (last_fault.overflow) return "stack overflow (1 MiB per thread)";
    if (last_fault.signal == SIGSEGV && program_memory::in_mapped(last_fault.address)) {
        const mapped::layer* const top = mapped::find(last_fault.address);
        if (top && top->unmapped) return "wild access: this memory is unmapped (munmap)";
        if (top && top->beyond)
            return "wild access: beyond the end of the mapped file; ftruncate() makes a file longer";
        if (top && top->rights == 0)
            return "wild access: this memory is protected against any access (PROT_NONE)";
    }
    switch (last_fault.signal) {
    case SIGFPE:
        return "arithmetic fault: a division by zero, say";
    case SIGILL:
        return "illegal instruction: __builtin_trap or unreachable code, say";
    default:
        return "wild access: nothing is mapped at this address, or it is read-only";
    }
}

/// The innermost address of the faulting stack that is neither in this library nor in libc: a hook may have touched
/// the program's address before the program did.
std::uintptr_t site_of_fault() {
    const auto library_of = [](const void* address) -> void* {
        Dl_info info;
        return dladdr(address, &info) ? info.dli_fbase : nullptr;
    };
    struct walk {
        void *own, *libc;
        std::uintptr_t site;
    } w{library_of(&last_fault), library_of(reinterpret_cast<const void*>(&std::memcmp)), 0};
    _Unwind_Backtrace(
        [](_Unwind_Context* context, void* data) {
            walk& to = *static_cast<walk*>(data);
            const std::uintptr_t ip = _Unwind_GetIP(context);
            Dl_info at;
            if (ip == 0 || !dladdr(reinterpret_cast<void*>(ip), &at) || at.dli_fbase == to.own ||
                at.dli_fbase == to.libc)
                return _URC_NO_REASON;
            to.site = ip;
            return _URC_END_OF_STACK;
        },
        &w);
    return w.site;
}

/// Runs on the thread's stack as if the faulting instruction had called it.
[[noreturn]] RINGPROOF_REALIGN void report_fault() {
    std::uintptr_t site = last_fault.site;
    {
        const runtime::inside engine;
        if (!last_fault.overflow) site = site_of_fault();
    }
    runtime::active()->fail_here(failure_kind::wild_access, description(), site, last_fault.address);
}

[[noreturn]] RINGPROOF_REALIGN void report_endless() {
    runtime::active()->fail_here(failure_kind::limit,
                                 "a thread was still computing, without any access that others could see",
                                 last_fault.site, 0);
}

std::uintptr_t stack_pointer(const mcontext_t& machine) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return machine.sp;
#else
    (void)machine;
    return 0; // no redirection here: a fault ends the checker
#endif
}

/// Makes the interrupted context continue in `function`, on its own stack or, if it has none left, at `stack`.
void redirect(mcontext_t& machine, std::uintptr_t stack, void (*function)()) {
#if defined(__x86_64__)
    auto& pc = machine.gregs[REG_RIP];
    auto& sp = machine.gregs[REG_RSP];
    // One past the begin of the instruction, as a call would have left it. The frame is not returned to,
    // so what it keeps below its stack pointer may go.
    last_fault.site = static_cast<std::uintptr_t>(pc) + 1;
    if (stack) sp = static_cast<greg_t>(stack);
    sp -= 8;
    *reinterpret_cast<std::uintptr_t*>(sp) = last_fault.site;
    pc = reinterpret_cast<greg_t>(function);
#elif defined(__aarch64__)
    last_fault.site = machine.pc + 1;
    if (stack) machine.sp = stack;
    machine.regs[30] = last_fault.site;
    machine.pc = reinterpret_cast<std::uintptr_t>(function);
#else
    (void)machine;
    (void)stack;
    (void)function;
#endif
}

bool was_write(const mcontext_t& machine) {
#if defined(__x86_64__)
    constexpr greg_t write = 2; // in the page fault's error code
    return (machine.gregs[REG_ERR] & write) != 0;
#else
    (void)machine;
    return false;
#endif
}

/// Whether the fault is the first access of a page that the program has mapped, by code that does not announce it.
/// Then the page is there when the access is made again.
bool was_first_touch(const siginfo_t& info, const mcontext_t& machine) {
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    if (!program_memory::in_mapped(address) || mapped::touched(address)) return false;
    const mapped::layer* const top = mapped::find(address);
    const std::uint8_t needed = was_write(machine) ? mapped::may_write : mapped::may_read;
    return top && (top->rights & needed) && mapped::touch(address, 1);
}

void on_fault(int signal, siginfo_t* info, void* context) {
    mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    if (signal == SIGSEGV && runtime::active() && was_first_touch(*info, machine)) return;
    // On a thread of the program it is the program's fault, or a hook's that looked where the program wants to go.
    if (runtime::active() && runtime::active()->memory().in_region(stack_pointer(machine))) {
        runtime& engine = *runtime::active();
        last_fault.signal = signal;
        last_fault.address =
            signal == SIGFPE || signal == SIGILL ? 0 : reinterpret_cast<std::uintptr_t>(info->si_addr);
        const memory_range own = engine.memory().stack(engine.self().id);
        last_fault.overflow = last_fault.address < own.begin && last_fault.address + 65'536 >= own.begin;
        // The frames that overflowed are never returned to.
        redirect(machine, last_fault.overflow ? own.end - 4096 : 0, &report_fault);
        return;
    }
    ::signal(signal,
             SIG_DFL); // not the program's: the instruction faults again, and the system deals with it
}

std::uintptr_t program_counter(const mcontext_t& machine) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return machine.pc;
#else
    (void)machine;
    return 0;
#endif
}

/// A thread that computes without coming to any access never comes to where limits and interrupts are
/// looked at. It is stopped where that harms nothing: in the code of the executable.
void on_tick(int, siginfo_t*, void* context) {
    mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    runtime* engine = runtime::active();
    if (!engine || !engine->memory().in_region(stack_pointer(machine)) || !engine->must_give_up()) return;
    if (engine->facts().result.events != events_at_tick) idle_ticks = 0;
    events_at_tick = engine->facts().result.events;
    if (++idle_ticks < 3 || !engine->memory().in_code(program_counter(machine))) return;
    idle_ticks = 0;
    redirect(machine, 0, &report_endless);
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
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGVTALRM, &action, &tick_before_);
    start_ticking();
}

void fault_handlers::start_ticking() {
    const itimerval each{tick, tick};
    setitimer(ITIMER_VIRTUAL, &each, nullptr);
}

fault_handlers::~fault_handlers() {
    const itimerval off{};
    setitimer(ITIMER_VIRTUAL, &off, nullptr);
    sigaction(SIGVTALRM, &tick_before_, nullptr);
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
    sigaltstack(&stack_before_, nullptr);
}

} // namespace ringproof::verify
