// SPDX-License-Identifier: Apache-2.0
#pragma once
// The floating-point environment: rounding mode, exception flags and what else <fenv.h> reads and sets. Each thread
// has its own, which no access to memory shows. It begins as that of the thread that created it.

#include <cstdint>

namespace ringproof::verify {

struct floating_point {
    std::uint32_t control = 0; ///< MXCSR, with its flags; FPCR on Arm
    std::uint16_t x87_control = 0;
    std::uint16_t flags = 0; ///< of the x87 unit; FPSR on Arm

    /// That of the code that runs now.
    static floating_point now() {
        floating_point f;
#if defined(__x86_64__)
        f.control = __builtin_ia32_stmxcsr();
        asm volatile("fnstcw %0" : "=m"(f.x87_control));
        f.flags = x87_flags();
#elif defined(__aarch64__)
        std::uint64_t control, flags;
        asm volatile("mrs %0, fpcr" : "=r"(control));
        asm volatile("mrs %0, fpsr" : "=r"(flags));
        f.control = static_cast<std::uint32_t>(control);
        f.flags = static_cast<std::uint16_t>(flags & 0x9f);
#endif
        return f;
    }

    /// The same without exceptions, which the engine may have raised.
    floating_point without_flags() const {
        floating_point f = *this;
        f.flags = 0;
#if defined(__x86_64__)
        f.control &= ~std::uint32_t{0x3f};
#endif
        return f;
    }

    /// Makes it that of the code that runs from here on.
    void enter() const {
        const floating_point here = now();
        if (here != *this) change(here);
    }

    /// The same behind a switch of stacks that found it here. Boost.Context's keeps MXCSR and the x87 control word, on
    /// the stack that it leaves: to look at MXCSR right after it was loaded would cost as much as the switch.
    void enter_behind_switch() const {
#if defined(__x86_64__)
        if (x87_flags() != flags) enter();
#else
        enter();
#endif
    }

    friend bool operator==(const floating_point& a, const floating_point& b) {
        return a.control == b.control && a.x87_control == b.x87_control && a.flags == b.flags;
    }
    friend bool operator!=(const floating_point& a, const floating_point& b) { return !(a == b); }

    /// While it lives, the engine may compute: the program's environment is put back.
    struct kept;

  private:
#if defined(__x86_64__)
    static std::uint16_t x87_flags() {
        constexpr std::uint16_t exceptions = 0x7f; // the status word has the stack's top and comparisons too
        std::uint16_t status;
        asm volatile("fnstsw %0" : "=a"(status));
        return status & exceptions;
    }
#endif

    void change(const floating_point& here) const {
#if defined(__x86_64__)
        if (here.flags != flags || here.x87_control != x87_control) {
            struct {
                std::uint16_t control, unused, status, unused_too;
                std::uint32_t others[5];
            } unit; // as fnstenv stores it
            asm volatile("fnstenv %0" : "=m"(unit));
            unit.control = x87_control;
            unit.status = static_cast<std::uint16_t>((unit.status & 0x7f00) | flags);
            asm volatile("fldenv %0" : : "m"(unit));
        }
        __builtin_ia32_ldmxcsr(control);
#elif defined(__aarch64__)
        static_cast<void>(here);
        asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{control}));
        asm volatile("msr fpsr, %0" : : "r"(std::uint64_t{flags}));
#else
        static_cast<void>(here);
#endif
    }
};

struct floating_point::kept {
    kept() = default;
    ~kept() { before_.enter(); }
    kept(const kept&) = delete;
    kept& operator=(const kept&) = delete;

  private:
    const floating_point before_ = now();
};

} // namespace ringproof::verify
