// SPDX-License-Identifier: Apache-2.0
// Plain accesses that g++ announces to no sanitizer: of an object that a call returns in registers, or takes by value.
// `ringproof check` announces them in the compiler's listing (verify/check/announce.cpp), in places where any register may
// be in use. So the functions that are called there leave all of them as they are, the flags as well, and leave
// nothing on the stack below, which a reduction could take for state.

#include "hook.hpp"

#if defined __x86_64__

using namespace ringproof::verify::hook;

namespace {

enum class announcement : int { read, write, read_again };

} // namespace

RINGPROOF_HOOK void ringproof_announced(void* p, std::size_t size, announcement what,
                                        std::uintptr_t site) noexcept {
    if (!running()) return;
    if (what == announcement::read_again)
        engine().accesses().plain_unless_told(address_of(p), size, false, site);
    else
        engine().accesses().plain(address_of(p), size, what == announcement::write, site);
    if (what != announcement::write) engine().accesses().note_addresses(address_of(p), size);
}

// rdi has the address, rsi the size. Saved are the flags, the registers that a call may change, and the state of the
// floating-point unit with xmm0 to xmm15.
#define RINGPROOF_ANNOUNCED(name, what)                                                                      \
    asm(".text\n.globl " name "\n.type " name ", @function\n" name ":\n"                                     \
        ".cfi_startproc\n"                                                                                   \
        "pushq %rbp\n"                                                                                       \
        ".cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"                                                    \
        "movq %rsp, %rbp\n"                                                                                  \
        ".cfi_def_cfa_register %rbp\n"                                                                       \
        "pushfq\n"                                                                                           \
        "pushq %rax\npushq %rcx\npushq %rdx\npushq %rsi\n"                                                   \
        "pushq %rdi\npushq %r8\npushq %r9\npushq %r10\npushq %r11\n"                                         \
        "subq $512, %rsp\n"                                                                                  \
        "andq $-16, %rsp\n"                                                                                  \
        "fxsave64 (%rsp)\n"                                                                                  \
        "movl $" what ", %edx\n"                                                                             \
        "movq 8(%rbp), %rcx\n" /* where it was called */                                                     \
        "cld\n"                                                                                              \
        "call ringproof_announced@PLT\n"                                                                     \
        "fxrstor64 (%rsp)\n"                                                                                 \
        "movq %rsp, %rdi\n"                                                                                  \
        "movl $64, %ecx\n"                                                                                   \
        "xorl %eax, %eax\n"                                                                                  \
        "rep stosq\n"                                                                                        \
        "leaq -80(%rbp), %rsp\n"                                                                             \
        "popq %r11\npopq %r10\npopq %r9\npopq %r8\npopq %rdi\n"                                              \
        "popq %rsi\npopq %rdx\npopq %rcx\npopq %rax\n"                                                       \
        "popfq\n"                                                                                            \
        "popq %rbp\n"                                                                                        \
        ".cfi_def_cfa %rsp, 8\n"                                                                             \
        "ret\n.cfi_endproc\n.size " name ", .-" name "\n")

RINGPROOF_ANNOUNCED("__ringproof_reads", "0");
RINGPROOF_ANNOUNCED("__ringproof_writes", "1");
RINGPROOF_ANNOUNCED("__ringproof_reads_again", "2"); // the compiler may have announced it just before

#endif
