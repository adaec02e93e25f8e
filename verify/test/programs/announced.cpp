// SPDX-License-Identifier: Apache-2.0
// Programs that announce accesses as the listing of a checked program does.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>

#if defined __x86_64__

extern "C" {
void __ringproof_reads(const void* p, std::size_t size);
void __ringproof_writes(const void* p, std::size_t size);
void __ringproof_reads_again(const void* p, std::size_t size);
}

namespace programs {
namespace {

template <class One, class Another>
void both(One one, Another another) {
    std::thread other(another);
    one();
    other.join();
}

} // namespace

void announces_write_beside_read() {
    int x = 0;
    both([&] { __ringproof_reads(&x, sizeof x); }, [&] { __ringproof_writes(&x, sizeof x); });
}
void announces_reads() {
    int x = 0;
    both([&] { __ringproof_reads(&x, sizeof x); }, [&] { __ringproof_reads(&x, sizeof x); });
}
void announces_behind_join() {
    int x = 0;
    std::thread([&] { __ringproof_writes(&x, sizeof x); }).join();
    __ringproof_reads(&x, sizeof x);
}

// Main reads x, which the other thread writes: what is shown of the race is what main did.
void announces_read_twice() {
    int x = 0;
    both([&] { __ringproof_reads(&x, sizeof x), __ringproof_reads(&x, sizeof x); },
         [&] { __ringproof_writes(&x, sizeof x); });
}
void announces_read_again() {
    int x = 0;
    both([&] { __ringproof_reads(&x, sizeof x), __ringproof_reads_again(&x, sizeof x); },
         [&] { __ringproof_writes(&x, sizeof x); });
}
void announces_another_read_again() {
    int x = 0, y = 0;
    both([&] { __ringproof_reads(&y, sizeof y), __ringproof_reads_again(&x, sizeof x); },
         [&] { __ringproof_writes(&x, sizeof x); });
}

void announces_with_all_registers() {
    int x = 0;
    both(
        [&] {
            std::uint64_t sum = 0;
            bool carry = false;
            // Each register that a call may change has a number of its own, and so has the carry flag.
            __asm__ volatile(
                "movq $1, %%rax\n movq $2, %%rcx\n movq $4, %%rdx\n movq $8, %%r8\n movq $16, %%r9\n"
                "movq $32, %%r10\n movq $64, %%r11\n movq $128, %%rbx\n movq %%rbx, %%xmm0\n"
                "movq $4, %%rsi\n stc\n"
                "movq %%rsp, %%r12\n leaq -128(%%rsp), %%rsp\n andq $-16, %%rsp\n"
                "stc\n call __ringproof_reads@PLT\n movq %%r12, %%rsp\n setc %1\n"
                "addq %%rcx, %%rax\n addq %%rdx, %%rax\n addq %%r8, %%rax\n addq %%r9, %%rax\n"
                "addq %%r10, %%rax\n addq %%r11, %%rax\n movq %%xmm0, %%rbx\n addq %%rbx, %%rax\n"
                "addq %%rsi, %%rax\n movq %%rax, %0\n"
                : "=m"(sum), "=m"(carry)
                : "D"(&x)
                : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "rbx", "xmm0", "cc", "memory");
            VERIFY_THAT(sum == 255 + 4 && carry);
        },
        [] {});
}

} // namespace programs

#endif
