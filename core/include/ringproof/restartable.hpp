// SPDX-License-Identifier: Apache-2.0
#pragma once
// Restartable sequences: a few instructions that the kernel starts over when the thread was preempted, moved to another
// CPU or interrupted by a signal within them. So a word that belongs to a CPU can be changed without LOCK by any thread
// that happens to be there. glibc 2.35 and later registers each thread.
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"

#if defined(__linux__)
#include <sched.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#if defined(__x86_64__)
#define RINGPROOF_RESTARTABLE 1
#endif
#endif
#endif
#ifndef RINGPROOF_RESTARTABLE
#define RINGPROOF_RESTARTABLE 0
#endif

namespace ringproof {

class restartable {
  public:
    /// Why this program can't have them, or nullptr. Threads that glibc starts are all registered.
    [[nodiscard]] static const char* missing() noexcept {
#if RINGPROOF_RESTARTABLE
        if (__rseq_size == 0)
            return "restartable sequences are not registered: a kernel before 4.18, or "
                   "GLIBC_TUNABLES=glibc.pthread.rseq=0";
        return nullptr;
#else
        return "this machine has no restartable sequence here, only x86-64 with glibc 2.35 or later has";
#endif
    }

    /// The CPU the thread was on just now; a number that no CPU has, when the thread is not registered.
    [[nodiscard]] static unsigned cpu() noexcept {
#if RINGPROOF_RESTARTABLE
        return *reinterpret_cast<const volatile std::uint32_t*>(area() + cpu_at);
#else
        return hint();
#endif
    }

    /// The CPU that the system names, for those who don't depend on still being there.
    [[nodiscard]] static unsigned hint() noexcept {
#if defined(__linux__)
        const int cpu = ::sched_getcpu();
        return cpu < 0 ? 0 : static_cast<unsigned>(cpu);
#else
        return 0;
#endif
    }

    /// Stores `desired` into a word of CPU `cpu` if the thread is there and the word is `expected`. Orders nothing.
    [[nodiscard]] static local_change compare_and_store(unsigned cpu, std::uint64_t& word,
                                                        std::uint64_t expected,
                                                        std::uint64_t desired) noexcept {
#if RINGPROOF_RESTARTABLE
        std::byte* const mine = area();
        // 3: what the kernel is told: whoever is interrupted from 1 on and before 2 goes on at 4. The four bytes before
        // 4 are the signature that glibc registered, as the operand of an instruction that is never executed. The
        // sections belong to the function's group (?): they go when the linker drops a second copy of it.
        asm goto volatile(".pushsection __rseq_cs, \"aw?\"\n\t"
                          ".balign 32\n"
                          "3:\n\t"
                          ".long 0, 0\n\t"
                          ".quad 1f, 2f - 1f, 4f\n\t"
                          ".popsection\n\t"
                          "leaq 3b(%%rip), %%rax\n\t"
                          "movq %%rax, 8(%[mine])\n"
                          "1:\n\t"
                          "cmpl %[cpu], 4(%[mine])\n\t"
                          "jne %l[elsewhere]\n\t"
                          "cmpq %[expected], %[word]\n\t"
                          "jne %l[changed]\n\t"
                          "movq %[desired], %[word]\n"
                          "2:\n\t"
                          ".pushsection .text.ringproof_restart, \"ax?\"\n\t"
                          ".byte 0x0f, 0xb9, 0x3d\n\t"
                          ".long %c[signature]\n"
                          "4:\n\t"
                          "jmp %l[elsewhere]\n\t"
                          ".popsection"
                          :
                          : [mine] "r"(mine), [cpu] "r"(cpu), [word] "m"(word), [expected] "r"(expected),
                            [desired] "r"(desired), [signature] "i"(RSEQ_SIG)
                          : "memory", "cc", "rax"
                          : changed, elsewhere);
        return local_change::done;
    changed:
        return local_change::changed;
    elsewhere:
        return local_change::elsewhere;
#else
        static_cast<void>(cpu), static_cast<void>(word), static_cast<void>(expected),
            static_cast<void>(desired);
        return local_change::elsewhere; // not called: missing()
#endif
    }

  private:
#if RINGPROOF_RESTARTABLE
    static constexpr std::size_t cpu_at = 4; ///< in struct rseq; its descriptor is 8 bytes in
    static_assert(offsetof(struct rseq, cpu_id) == cpu_at && offsetof(struct rseq, rseq_cs) == 8);

    [[nodiscard]] static std::byte* area() noexcept {
        std::byte* thread = nullptr;
        asm("movq %%fs:0, %0" : "=r"(thread));
        return thread + __rseq_offset;
    }
#endif
};

} // namespace ringproof
