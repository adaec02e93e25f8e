// SPDX-License-Identifier: Apache-2.0
// Accesses of calls that g++ does not announce: what is put into its listing, and the races that are found by it.
#include "../../check/announce.hpp"
#include "../../check/assembly.hpp"
#include "../command/checked.hpp"

#include <algorithm>

using namespace ringproof::verify::test;
using ringproof::verify::announced;
using strings = std::vector<std::string>;

namespace {

/// The addresses that are announced in a function with these lines, each with how: "w 8 g(%rip)".
strings announced_in(const strings& body) {
    strings lines{"f:"};
    lines.insert(lines.end(), body.begin(), body.end());
    const strings made = announced(lines);
    strings found;
    for (std::size_t k = 0; k < made.size(); ++k) {
        if (made[k] == ringproof::verify::not_announced) found.push_back("not");
        if (k + 2 >= made.size() || !made[k].starts_with("\tleaq\t") ||
            !made[k + 2].starts_with("\tcall\t__ringproof_"))
            continue;
        const std::string address = made[k].substr(6, made[k].rfind(", %rdi") - 6);
        const auto dollar = made[k + 1].find('$');
        const std::string size = dollar == std::string::npos
                                     ? "?"
                                     : made[k + 1].substr(dollar + 1, made[k + 1].find(',') - dollar - 1);
        found.push_back((made[k + 2].find("writes") != std::string::npos ? "w " : "r ") + size + " " +
                        address);
    }
    return found;
}

} // namespace

TEST_CASE("what a call returns and is stored behind it is announced") {
    CHECK(announced_in({"\tcall\tmake", ".LVL1:", "\tmovq\t%rax, g(%rip)", "\tmovl\t%edx, 8(%rbx)"}) ==
          strings{"w 8 g(%rip)", "w 4 8(%rbx)"});
    CHECK(announced_in({"\tcall\tmake", "\tmovsd\t%xmm0, (%rbx,%rcx,8)", "\tmovups\t%xmm1, g(%rip)"}) ==
          strings{"w 8 (%rbx,%rcx,8)", "w 16 g(%rip)"});
    CHECK(announced_in({"\tcall\tmake", "\tcall\t__tsan_write8@PLT", "\tmovq\t%rbx, g(%rip)"}).empty());
    CHECK(announced_in({"\tcall\tmake", ".L3:", "\tmovq\t%rax, g(%rip)"}).empty());
    CHECK(announced_in({"\tcall\tmake", "\tjne\t.L3", "\tmovq\t%rax, g(%rip)"}).empty());
}

TEST_CASE("what a call takes by value and is loaded before it is announced") {
    CHECK(announced_in({"\tmovq\tg(%rip), %rdi", "\tpushq\t8(%rbx)", "\tmovzbl\t(%rcx), %esi",
                        "\tcall\ttake"}) == strings{"r 8 g(%rip)", "r 8 8(%rbx)", "r 1 (%rcx)"});
    CHECK(announced_in({"\tmovq\t(%rbx), %rax", "\tcall\t*16(%rax)"}) == strings{"r 8 (%rbx)"});
    CHECK(announced_in({"\tmovq\tg(%rip), %rdi", "\tjmp\ttake"}) == strings{"r 8 g(%rip)"});
    CHECK(announced_in({"\tmovq\tg(%rip), %rdi", "\tjmp\t.L4"}).empty());
    CHECK(announced_in({"\tmovq\tg(%rip), %rdi", "\tcall\t__tsan_read8@PLT"}).empty());
    CHECK(announced_in({"#APP", "\tmovq\tg(%rip), %rdi", "#NO_APP", "\tcall\ttake"}).empty());
}

TEST_CASE("what the compiler has announced is not announced again") {
    CHECK(announced_in({"\tleaq\tg(%rip), %rdi", "\tcall\t__tsan_volatile_read8@PLT", "\tmovq\th(%rip), %rsi",
                        "\tmovq\tg(%rip), %rdi", "\tcall\ttake"}) == strings{"r 8 h(%rip)"});
    CHECK(announced_in({"\tmovq\t%rbx, %rdi", "\tcall\t__tsan_read4@PLT", "\tmovl\t(%rbx), %edi",
                        "\tmovl\t(%rbx), %esi", "\tcall\ttake"}) == strings{"r 4 (%rbx)"});
}

TEST_CASE("what no other thread can know is not announced") {
    for (const char* const private_one :
         {"\tmovq\t-24(%rbp), %rdi", "\tmovq\t8(%rsp), %rdi", "\tmovq\tg@GOTPCREL(%rip), %rdi",
          "\tmovq\t.LC0(%rip), %xmm0", "\tmovq\t%fs:8, %rdi", "\tleaq\tg(%rip), %rdi", "\tmovq\t%rax, %rdi",
          "\tmovl\t$7, %edi"})
        CHECK(announced_in({private_one, "\tcall\ttake"}).empty());
    CHECK(announced_in({"\tcall\tmake", "\tmovq\t%rax, -24(%rbp)", "\tmovq\t%rdx, -16(%rbp)",
                        "\tmovq\t%rcx, -8(%rbp)", "\tleaq\t-24(%rbp), %rcx"}) ==
          strings{"w 8 -24(%rbp)", "w 8 -16(%rbp)"});
}

TEST_CASE("a copy by a loop of the processor is announced as a whole, and what is not understood is named") {
    CHECK(announced_in({"\trep movsq", "\tcall\ttake"}) == strings{"r ? (%rsi)", "w ? (%rdi)"});
    CHECK(announced_in({"\tfancy\tg(%rip), %rdi", "\tcall\ttake"}) == strings{"not"});
    CHECK(announced_in({"\tcall\tmake", "\tvmovdqu\t%ymm0, g(%rip)"}) == strings{"not"});
}

TEST_CASE("structures that functions return and take by value race like others") {
    const std::string by_name = "-DCHANGE=shared=made<THING>()", by_address = "-DCHANGE=*known=made<THING>()",
                      takes_it = "-DLOOK=takes(shared)", takes_by_address = "-DLOOK=takes(*known)",
                      copies = "-DLOOK=(void)THING(shared)";
    const std::vector<strings> all{{"-DTHING=small", by_name, takes_it},
                                   {"-DTHING=fractions", by_address, takes_by_address},
                                   {"-DTHING=large", by_address, copies},
                                   {"-DTHING=huge", by_name, takes_it}};
    for (strings flags : all) {
        CAPTURE(flags);
        CHECK(check("structures.cpp", flags).code == 1);
        flags.emplace_back("-DLOCKED");
        holds("structures.cpp", flags);
    }
}

TEST_CASE("a time that a clock returns is stored where others can look") {
    const std::string thing = "-DTHING=std::chrono::steady_clock::time_point",
                      change = "-DCHANGE=shared=std::chrono::steady_clock::now()",
                      look = "-DLOOK=if(shared==THING())shared={}";
    CHECK(check("structures.cpp", {thing, change, look}).code == 1);
}

TEST_CASE("what the library's headers set and copy by the compiler's functions is seen") {
    const std::string thing = "-DTHING=std::array<unsigned char,16>",
                      look = "-DLOOK=if(shared[3]==9)shared[3]=8";
    for (const char* const change : {"-DCHANGE=shared.fill(7)", "-DCHANGE=__builtin_memset(&shared,7,13)",
                                     "-DCHANGE=__builtin_memcpy(&shared,\"0123456789abcdef\",12)",
                                     "-DCHANGE=__builtin_memmove(&shared,\"0123456789abcdef\",11)"}) {
        CAPTURE(change);
        CHECK(check("structures.cpp", {thing, change, look}).code == 1);
    }
    holds("structures.cpp", {thing, "-DCHANGE=shared.fill(7)", look, "-DLOCKED"});
}

TEST_CASE("a volatile object that is handed to a function is none of plain memory") {
    for (const char* const level : {"-O0", "-O1", "-O2"}) holds("volatile_argument.c", {level});
}

TEST_CASE("what was returned before a structure is used is kept") {
    for (const char* const level : {"-O1", "-O2"}) holds("counted_structures.cpp", {level});
}

TEST_CASE("a local object that a function returns and another thread knows races, unoptimised as well") {
    for (const char* const level : {"-O0", "-O1", "-O2"}) {
        CAPTURE(level);
        CHECK(check("structures.c", {level}).code == 1);
        holds("structures.c", {level, "-DLATE"});
    }
}

TEST_CASE("what libc's functions write for the program is seen") {
    for (const char* const ask :
         {"-DASK=clock_gettime(CLOCK_MONOTONIC,&spec)", "-DASK=timespec_get(&spec,TIME_UTC)",
          "-DASK=gettimeofday(&val,0)", "-DASK=time(&seconds)", "-DASK=posix_memalign(&memory,16,16)"}) {
        CAPTURE(ask);
        CHECK(check("libc_results.c", {ask}).code == 1);
        CHECK(check("libc_results.c", {ask, "-DLOCKED"}).code != 1);
    }
}
