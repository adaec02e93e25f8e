// SPDX-License-Identifier: Apache-2.0
#include "hardware/generate.hpp"

#include "hardware/library.hpp"
#include "hardware/runner.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

x86::program of(const std::string& code, const std::string& init = "") {
    return x86::parse_program(
        parse_test({"t", "X86 T\n{ " + init + " }\nP0 ;\n" + code + " ;\nexists (true)\n"}));
}

std::string first_assembly(const std::string& code, const std::string& init = "") {
    const x86::program p = of(code, init);
    return assembly(p, p.threads[0].code[0]);
}

#if defined(__x86_64__)
/// What one run of the only thread leaves in the shown locations.
std::vector<std::int64_t> run_once(const std::string& text, bool in_steps = false) {
    const test t = parse_test({"t", text});
    const std::vector<location> shown = shown_locations(t);
    const scratch_folder folder;
    const bool linux_kernel = text.find("READ_ONCE") != std::string::npos;
    const library built(t.dialect == "C" ? generate_c(t, linux_kernel, shown)
                                         : generate(x86::parse_program(t), shown),
                        default_compiler(), folder);
    const generated_test& g = built.test();
    REQUIRE(g.threads == 1);
    alignas(64) char instance[64 * 8] = {};
    REQUIRE(g.instance_bytes <= sizeof instance);
    alignas(8) char out[256] = {};
    REQUIRE(g.out_bytes[0] <= sizeof out);
    const std::uint32_t order[] = {0};
    g.reset(instance, order, 0, 1);
    g.flush[0](instance, order, 0, 1);
    g.touch[0](instance, order, 0, 1);
    if (in_steps) {
        REQUIRE(g.steps[0] > 0);
        std::vector<std::uint64_t> saved(g.saved_words[0]);
        for (std::uint64_t i = 0; i < g.steps[0]; ++i) g.step[0][i](instance, order, 0, 1, out, saved.data());
    } else {
        g.run[0](instance, order, 0, 1, out);
    }
    std::vector<std::uint64_t> counts(4);
    std::vector<std::int64_t> values(4 * shown.size());
    state_table table{counts.data(), values.data(), 3, 0};
    char* outs[] = {out};
    REQUIRE(g.collect(instance, order, 0, 1, outs, &table) == 1);
    for (std::size_t slot = 0; slot < 4; ++slot)
        if (counts[slot] == 1)
            return {values.begin() + static_cast<std::ptrdiff_t>(slot * shown.size()),
                    values.begin() + static_cast<std::ptrdiff_t>((slot + 1) * shown.size())};
    return {};
}
#endif

} // namespace

TEST_CASE("AArch64 instructions stay as they are, between values put in and values taken out") {
    const test t = parse_test({"t", "AArch64 T\n{ 0:X1=y; 0:X2=7; x=0; }\nP0 ;\nSTR W2,[X1] ;\nCBZ W2,END ;\n"
                                    "LDR W0,[X1] ;\nEND: ;\nexists (0:X0=7 /\\ y=7)"});
    const std::string code = generate_aarch64(t, shown_locations(t));
    CHECK(code.find("\"STR W2,[X1]\\n\"") != std::string::npos);
    CHECK(code.find("\"CBZ W2,.Lringproof_%=_END\\n\"") != std::string::npos);
    CHECK(code.find("\"ldr x2, =7\\n\"") != std::string::npos);
    CHECK(code.find("\"str x0, [x26, %[v0]]\\n\"") != std::string::npos);
}

TEST_CASE("instructions become AT&T assembly of the right width") {
    CHECK(first_assembly("MOV [x],$1") == "movl $1, 0(%[p])");
    CHECK(first_assembly("MOV EAX,[y]", "x=0; y=0;") == "movl 64(%[p]), %%eax");
    CHECK(first_assembly("MOV RAX,[x]") == "movq 0(%[p]), %%rax");
    CHECK(first_assembly("MOV RAX,$0x123456789") == "movabsq $4886718345, %%rax");
    CHECK(first_assembly("MOV EAX,$0xffffffff") == "movl $-1, %%eax");
    CHECK(first_assembly("LOCK XADD [x],ECX") == "lock xaddl %%ecx, 0(%[p])");
    CHECK(first_assembly("XCHG [x],EAX") == "xchgl %%eax, 0(%[p])");
    CHECK(first_assembly("INC [x]") == "incl 0(%[p])");
    CHECK(first_assembly("MOV [RSI],$2", "0:RSI=x;") == "movl $2, (%%rsi)");
    CHECK(first_assembly("MFENCE") == "mfence");
    CHECK(first_assembly("JNE L ; L:") == "jne .Lringproof_%=_1");
}

#if defined(__x86_64__)
TEST_CASE("generated code computes what the instructions say") {
    CHECK(run_once("X86 T\n{ x=5; }\nP0 ;\nMOV EAX,[x] ;\nADD EAX,$2 ;\nMOV [x],EAX ;\nNEG EAX ;\n"
                   "exists (0:EAX=0 /\\ x=0)") == std::vector<std::int64_t>{-7, 7});
    CHECK(run_once(
              "X86 T\n{ x=1; 0:EAX=1; 0:R9D=9; 0:RSI=x; }\nP0 ;\nLOCK CMPXCHG [x],R9D ;\nXADD [RSI],R9D ;\n"
              "exists (0:R9D=0 /\\ x=0)") == std::vector<std::int64_t>{9, 18});
    CHECK(
        run_once("X86 T\n{ }\nP0 ;\nMOV EBP,$3 ;\nL: INC EAX ;\nDEC EBP ;\nJNZ L ;\nCMP EAX,$3 ;\nJE END ;\n"
                 "MOV [x],$1 ;\nEND: ;\nexists (0:EAX=0 /\\ x=0)") == std::vector<std::int64_t>{3, 0});
    CHECK(run_once("X86 T\n{ uint64_t x=-1; 0:RBX=7; }\nP0 ;\nXCHG [x],RBX ;\nexists (0:RBX=0 /\\ x=0 /\\ "
                   "0:EBX=0)") == std::vector<std::int64_t>{-1, -1, 7});
}

TEST_CASE("a thread run instruction by instruction computes the same") {
    for (const char* text : {"X86 T\n{ x=5; }\nP0 ;\nMOV EAX,[x] ;\nADD EAX,$2 ;\nMOV [x],EAX ;\nNEG EAX ;\n"
                             "exists (0:EAX=0 /\\ x=0)",
                             "X86 T\n{ x=1; 0:EAX=1; 0:R9D=9; 0:RSI=x; }\nP0 ;\nLOCK CMPXCHG [x],R9D ;\n"
                             "XADD [RSI],R9D ;\nexists (0:R9D=0 /\\ x=0)",
                             "X86 T\n{ x=0; }\nP0 ;\nMOV [x],$3 ;\nexists (x=0)"})
        CHECK(run_once(text, true) == run_once(text));
}

TEST_CASE("an address equal to the instance's own does not share the register that finds the instance") {
    CHECK(run_once(
              "X86 T\n{ 0:RSI=x; x=0; y=0; }\nP0 ;\nMOV RSI,$0 ;\nMOV [y],$4 ;\nexists (0:RSI=0 /\\ y=0)") ==
          std::vector<std::int64_t>{0, 4});
}

TEST_CASE("a thread in C11 or in the kernel's C runs as it is written") {
    CHECK(run_once("C T\n{ x=5; }\nP0(atomic_int* x, int* y)\n{\n  int r0; int r1;\n"
                   "  r0 = atomic_load_explicit(x, memory_order_acquire);\n"
                   "  if (r0 == 7) r1 = 9;\n"
                   "  *y = r0 + 1;\n  atomic_fetch_add_explicit(x, 3, memory_order_relaxed);\n}\n"
                   "exists (0:r0=5 /\\ 0:r1=0 /\\ x=8 /\\ y=6)") == std::vector<std::int64_t>{5, 0, 8, 6});
    CHECK(run_once("C T\n{ long long y=-1; atomic_t a; }\nP0(int *x, long long *y, atomic_t *a)\n{\n"
                   "  int r0 = READ_ONCE(*x);\n  smp_mb(); smp_rmb(); smp_wmb();\n  WRITE_ONCE(*x, r0 + 2);\n"
                   "  int r1 = xchg(x, 4);\n  int r2 = cmpxchg(x, 4, 6);\n  atomic_add(3, a);\n"
                   "  int r3 = atomic_add_unless(a, 1, 3);\n  smp_store_release(y, smp_load_acquire(x));\n}\n"
                   "exists (0:r1=2 /\\ 0:r2=4 /\\ 0:r3=0 /\\ x=6 /\\ y=6 /\\ a=3)") ==
          std::vector<std::int64_t>{2, 4, 0, 3, 6, 6});
}

TEST_CASE("what only the simulator can run is skipped with its reason") {
    const auto refuse = [](const std::string& text) {
        const test t = parse_test({"t", text});
        generate_c(t, true, shown_locations(t));
    };
    CHECK_THROWS_AS(refuse("C T\n{ x=y; }\nP0(int** x) { int* r0 = READ_ONCE(*x); }\nexists (0:r0=y)"),
                    not_on_this_machine);
    CHECK_THROWS_AS(refuse("C T\n{ }\nP0(int* x) { rcu_read_lock(); rcu_read_unlock(); }\nexists (x=0)"),
                    not_on_this_machine);
    const test big = parse_test({"t", "AArch64 T\n{ 0:X28=x; }\nP0 ;\nLDR W0,[X28] ;\nexists (0:X0=0)"});
    CHECK_THROWS_AS(generate_aarch64(big, shown_locations(big)), not_on_this_machine);
}

TEST_CASE("a call that nothing defines is an error that names it") {
    CHECK_THROWS_WITH(run_once("C T\n{ }\nP0(int* x) { int r0 = READ_ONCE(*x); no_such_macro(x); }\n"
                               "exists (0:r0=0)"),
                      Catch::Contains("no_such_macro"));
}

TEST_CASE("a missing compiler is named, with what to do") {
    const scratch_folder folder;
    CHECK_THROWS_AS(library("", "no-such-compiler-here", folder), no_compiler);
    CHECK_THROWS_WITH(library("", "no-such-compiler-here", folder), Catch::Contains("no-such-compiler-here"));
}

TEST_CASE("code that does not compile is an error with the compiler's own words") {
    const scratch_folder folder;
    CHECK_THROWS_WITH(library("this is not C++", default_compiler(), folder), Catch::Contains("error"));
}
#endif
